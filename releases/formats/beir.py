"""A BEIR folder: corpus.jsonl, queries.jsonl and qrels/test.tsv.

Grades are whole numbers: the values of topics, and S for queries and sub-queries. A paper under a
facet is the query `<paper>_<facet>`, whose text is its title and the sentences of the facet.
"""

import json
from collections.abc import Iterator

from releases.formats import Choices, ExportFile
from releases.formats.levels import JudgedQuery, judged_queries
from releases.formats.papers import text_of, title_of
from releases.records import Study


def beir_files(study: Study, choices: Choices) -> list[ExportFile]:
    queries = judged_queries(study, choices.level)
    return [
        ExportFile("corpus.jsonl", _corpus(study), has_gold=False),
        ExportFile("queries.jsonl", map(_query, queries), has_gold=False),
        ExportFile("qrels/test.tsv", _qrels(queries)),
    ]


def _corpus(study: Study) -> Iterator[str]:
    for paper in study.papers():
        yield _line({"_id": paper.paper_id, "title": title_of(paper), "text": text_of(paper)})


def _query(query: JudgedQuery) -> str:
    record = {"_id": query.query_id, "text": query.text}
    return _line(record | ({"metadata": query.metadata} if query.metadata else {}))


def _qrels(queries: list[JudgedQuery]) -> Iterator[str]:
    yield "query-id\tcorpus-id\tscore\n"
    for query in queries:
        yield "".join(
            f"{query.query_id}\t{document}\t{grade}\n" for document, grade in query.whole_grades
        )


def _line(record) -> str:
    return json.dumps(record, ensure_ascii=False) + "\n"
