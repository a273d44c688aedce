"""Tables to fill in: their columns are those that are recognised without being matched."""

import csv
import io
import json

from annotation.models import Scheme
from datasets.models import Collection
from formats.decimals import plain
from formats.records import PLAIN_FACET

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
    scheme = Scheme.objects.filter(collection=collection).first()
    facets = list(scheme.facets.values_list("key", flat=True)) if scheme else []
    facet = {} if not facets or facets == [PLAIN_FACET] else {"facet": facets[0]}
    options = list(scheme.options.all()) if scheme else []
    grade = plain(options[-1].value) if options else "1"
    query, document = EXAMPLE
    rows: dict[str, dict[str, str]] = {
        "documents": {
            "id": document,
            "title": "The title of a paper",
            "text": "Its abstract. It is split into sentences by itself.",
        },
        "queries": {
            "id": query,
            "text": "What is searched for",
            **({"facets": json.dumps(facets)} if facet else {}),
            **({} if facet else {"description": "", "narrative": ""}),
        },
        "pool": {"query": query, "document": document, "source": "bm25", "rank": "1"},
        "ratings": {
            "query": query,
            **facet,
            "document": document,
            "rater": "rater1@example.org",
            "grade": grade,
            "note": "",
        },
        "decisions": {
            "query": query,
            **facet,
            "document": document,
            "adjudicator": "",
            "grade": grade,
            "rationale": "",
        },
    }
    out = io.StringIO()
    writer = csv.DictWriter(out, rows[name], lineterminator="\n")
    writer.writeheader()
    writer.writerow(rows[name])
    return out.getvalue()
