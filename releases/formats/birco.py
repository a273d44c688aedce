"""BIRCO's JSON: {"query": {id: text}, "corpus": {id: text}, "qrel": {id: {id: relevance}}}.

Relevance is S / |Q| as a floating-point number, so this format holds decimals. The pool of a query
is the key set of its qrel: documents without a value for every aspect are in none, and a document
that is in none is not in the corpus. A text is the title and the sentences, one space between.
"""

import json
from collections.abc import Iterable, Iterator

from releases.formats import Choices, ExportFile
from releases.formats.levels import judged_queries
from releases.formats.papers import text_of, title_of
from releases.records import Study


def birco_files(study: Study, choices: Choices) -> list[ExportFile]:
    return [ExportFile("birco.json", _parts(study, choices))]


def _parts(study: Study, choices: Choices) -> Iterator[str]:
    queries = [
        query
        for query in judged_queries(study, choices.level, rule=choices.rule)
        if query.is_complete.any()
    ]
    judged = {document for query in queries for document in query.graded}
    yield '{\n"query": '
    yield from _object((query.query_id, query.text) for query in queries)
    yield ',\n"corpus": '
    yield from _object(
        (paper.paper_id, " ".join([title_of(paper), text_of(paper)]).strip())
        for paper in study.papers()
        if paper.paper_id in judged
    )
    yield ',\n"qrel": '
    yield from _object((query.query_id, dict(query.normalised_grades)) for query in queries)
    yield "\n}\n"


def _object(members: Iterable[tuple[str, object]]) -> Iterator[str]:
    """A JSON object in parts, a member to a line."""
    yield "{"
    for number, (key, value) in enumerate(members):
        separator = "," if number else ""
        yield f"{separator}\n{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}"
    yield "\n}"
