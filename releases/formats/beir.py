"""A BEIR folder: corpus.jsonl, queries.jsonl and qrels/test.tsv.

Grades are whole numbers: the values of topics, and S for queries and sub-queries. A paper under a
facet is the query `<paper>_<facet>`, whose text is its title and the sentences of the facet.

The corpus is shared by all queries, so a query paper is in it and finds itself first. BEIR's own
evaluation drops a document whose id equals the query's, which `<paper>_<facet>` never does. So
`exclusions.tsv` lists the pairs of a query and its own paper, without those that gold judges.
"""

import json
from collections.abc import Iterator, Mapping

from releases.formats import Choices, ExportFile
from releases.formats.levels import JudgedQuery, judged_queries
from releases.formats.papers import text_of, title_of
from releases.records import Study

EXCLUSIONS = "exclusions.tsv"


def beir_files(study: Study, choices: Choices) -> list[ExportFile]:
    queries = judged_queries(study, choices.level, rule=choices.rule)
    files = [
        ExportFile("corpus.jsonl", _corpus(study), has_gold=False),
        ExportFile("queries.jsonl", map(_query, queries), has_gold=False),
        ExportFile("qrels/test.tsv", _qrels(queries)),
    ]
    if any(query.paper for query in queries):
        files.append(ExportFile(EXCLUSIONS, _exclusions(queries)))
    return files


def beir_notes(study: Study, choices: Choices) -> list[str]:
    """Notes for users of the folder before they score, if queries are papers themselves."""
    queries = judged_queries(study, choices.level, rule=choices.rule)
    excluded = sum(1 for _ in _own_papers(queries))
    if not excluded:
        return []
    return [
        f"{EXCLUSIONS} lists {excluded:,} pairs of a query and the paper that it is. Remove them "
        "from a run before it is scored: else such queries find themselves first."
    ]


def _corpus(study: Study) -> Iterator[str]:
    for paper in study.papers():
        yield _line({"_id": paper.paper_id, "title": title_of(paper), "text": text_of(paper)})


def _query(query: JudgedQuery) -> str:
    record: dict[str, object] = {"_id": query.query_id, "text": query.text}
    return _line(record | ({"metadata": query.metadata} if query.metadata else {}))


def _qrels(queries: list[JudgedQuery]) -> Iterator[str]:
    yield "query-id\tcorpus-id\tscore\n"
    for query in queries:
        yield "".join(
            f"{query.query_id}\t{document}\t{grade}\n" for document, grade in query.whole_grades
        )


def _exclusions(queries: list[JudgedQuery]) -> Iterator[str]:
    yield "query-id\tcorpus-id\n"
    for query_id, paper in _own_papers(queries):
        yield f"{query_id}\t{paper}\n"


def _own_papers(queries: list[JudgedQuery]) -> Iterator[tuple[str, str]]:
    """(query, paper) of each query that is a paper, unless gold judges the paper for it."""
    for query in queries:
        if query.paper and query.paper not in query.graded:
            yield query.query_id, query.paper


def _line(record: Mapping[str, object]) -> str:
    return json.dumps(record, ensure_ascii=False) + "\n"
