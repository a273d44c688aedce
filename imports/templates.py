"""Tables to fill in: their columns are those that are recognised without being matched."""

import json

from annotation.models import Scheme
from datasets.models import Collection
from formats.decimals import plain
from formats.records import PLAIN_FACET
from formats.spreadsheets import csv_text

NAMES = {
    "documents": "id, title, text",
    "queries": "id, text or document",
    "pool": "which documents are to be rated",
    "ratings": "who gave which grade, if there are ratings already",
    "decisions": "what an adjudicator decided, if anything is decided already",
}
EXAMPLE = ("q1", "d1")


def table(name: str, collection: Collection) -> str:
    """The table of that name with one example row, for what the collection's scheme judges."""
    row = _examples(collection)[name]
    return csv_text([row, row.values()])


def _examples(collection: Collection) -> dict[str, dict[str, str]]:
    scheme = Scheme.objects.filter(collection=collection).first()
    facets = list(scheme.facets.values_list("key", flat=True)) if scheme else []
    has_facets = bool(facets) and facets != [PLAIN_FACET]
    options = list(scheme.options.all()) if scheme else []
    query, document = EXAMPLE
    pair = {"query": query, **({"facet": facets[0]} if has_facets else {}), "document": document}
    grade = plain(options[-1].value) if options else "1"
    more_of_query = (
        {"facets": json.dumps(facets)} if has_facets else {"description": "", "narrative": ""}
    )
    return {
        "documents": {
            "id": document,
            "title": "The title of a paper",
            "text": "Its abstract. It is split into sentences by itself.",
        },
        "queries": {"id": query, "text": "What is searched for", **more_of_query},
        "pool": {"query": query, "document": document, "source": "bm25", "rank": "1"},
        "ratings": {**pair, "rater": "rater1@example.org", "grade": grade, "note": ""},
        "decisions": {**pair, "adjudicator": "", "grade": grade, "rationale": ""},
    }
