"""TREC qrels: four columns, `topic 0 document grade`, sorted, LF.

Excluded pairs and pairs without gold are left out, which to trec_eval means unjudged. Text queries
have qrels at three levels, with S as the grade of queries and sub-queries, and their texts beside.
"""

from collections.abc import Iterable, Iterator

from evaluation.scores import Rule
from releases.formats import Choices, ExportFile, Level, whole
from releases.formats.levels import JudgedQuery, judged_queries, levels_of
from releases.records import JudgedTopic, Study


def trec_files(study: Study, choices: Choices) -> list[ExportFile]:
    """One file per facet, in the scheme's order; one per level of text queries, with their texts;
    and one of all topics. Judgments of whole queries have the file of their level alone."""
    facets = [
        facet
        for facet in study.scheme["facets"]
        if any(topic.facet == facet for topic in study.topics)
    ]
    files = [
        ExportFile(
            f"qrels-{facet}.txt",
            [qrels([topic for topic in study.topics if topic.facet == facet])],
        )
        for facet in facets
    ]
    for level in levels_of(study, choices.rule):
        queries = _text_queries(study, level, choices.rule)
        files += [
            ExportFile(f"qrels-{level}.txt", _qrels(queries)),
            ExportFile(f"topics-{level}.tsv", map(_text, queries), has_gold=False),
        ]
    if study.query_grades:
        return files
    return [*files, ExportFile("qrels-all.txt", [qrels(study.topics)])]


def qrels(topics: Iterable[JudgedTopic]) -> str:
    lines = sorted(
        (topic.topic_id, document, whole(value, topic.topic_id, document))
        for topic in topics
        for document, value in topic.grades.items()
    )
    return "".join(f"{topic} 0 {document} {grade}\n" for topic, document, grade in lines)


def _text_queries(study: Study, level: Level, rule: Rule) -> list[JudgedQuery]:
    """The queries of a level without papers under facets, which have files of their own."""
    facets = {topic.topic_id for topic in study.topics if topic.facet}
    return [
        query for query in judged_queries(study, level, rule=rule) if query.query_id not in facets
    ]


def _qrels(queries: Iterable[JudgedQuery]) -> Iterator[str]:
    for query in queries:
        yield "".join(
            f"{query.query_id} 0 {document} {grade}\n" for document, grade in query.whole_grades
        )


def _text(query: JudgedQuery) -> str:
    """`id<tab>text` on one line, whatever white space the text has."""
    return f"{query.query_id}\t{' '.join(query.text.split())}\n"
