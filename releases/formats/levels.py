"""The queries of an export at each level, with their texts and grades.

    aspects       each topic that is an aspect or sub-aspect; the grade is its value
    queries       each text query, with S over all its ids; and each topic that is a paper under
                  a facet, with its value
    sub-queries   two and three aspects of a text query by the rule, with S over their ids
    two-aspects, three-aspects    the same of one size

A document has a grade only where every id has a value; the others are left out and counted.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from decimal import Decimal
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from evaluation.scores import SCALE, Rule, Scores, ValueTable, as_float, score, sub_queries
from formats.papers import Paper
from releases.formats import SIZES, Level, UnfitError, whole
from releases.formats.papers import text_of, title_of
from releases.records import JudgedTopic, QueryGrades, Study, TextQuery

NUMBERS = {2: "two", 3: "three"}


@dataclass(frozen=True)
class JudgedQuery:
    """One query of a level. `totals` are S in thousandths and `is_complete` whether it is known,
    both parallel to `documents`; `size` is |Q|. `paper` is the document that the query is, "" for
    a text."""

    query_id: str
    text: str
    size: int
    documents: tuple[str, ...]
    totals: npt.NDArray[np.int64]
    is_complete: npt.NDArray[np.bool_]
    metadata: Mapping[str, object] = field(default_factory=dict)
    paper: str = ""

    @property
    def graded(self) -> list[str]:
        """The documents with a grade, by id as text."""
        return [document for document, _ in self._sums]

    @property
    def _sums(self) -> Iterator[tuple[str, int]]:
        """(document, S in thousandths) where S is known."""
        rows = zip(self.documents, self.totals.tolist(), self.is_complete.tolist(), strict=True)
        return ((document, total) for document, total, is_complete in rows if is_complete)

    @property
    def whole_grades(self) -> Iterator[tuple[str, int]]:
        """(document, S) as whole numbers; UnfitError where one is none."""
        for document, total in self._sums:
            yield document, whole(Decimal(total) / SCALE, self.query_id, document)

    @property
    def normalised_grades(self) -> Iterator[tuple[str, float]]:
        """(document, S / |Q|)."""
        return ((document, as_float(total, self.size)) for document, total in self._sums)


@dataclass(frozen=True)
class JudgedElsewhere(JudgedQuery):
    """A query whose documents were graded as wholes; `totals` say nothing then."""

    grades: Mapping[str, Decimal] = field(default_factory=dict)
    are_sums: bool = False

    @classmethod
    def of(cls, query: JudgedQuery, source: QueryGrades) -> "JudgedElsewhere":
        grades = source.of.get(query.query_id, {})
        is_graded = np.array([document in grades for document in query.documents], dtype=bool)
        of_query = {
            attribute.name: getattr(query, attribute.name) for attribute in fields(JudgedQuery)
        }
        return cls(**of_query | {"is_complete": is_graded}, grades=grades, are_sums=source.are_sums)

    @property
    def whole_grades(self) -> Iterator[tuple[str, int]]:
        for document in self.graded:
            yield document, whole(self.grades[document], self.query_id, document)

    @property
    def normalised_grades(self) -> Iterator[tuple[str, float]]:
        size = self.size if self.are_sums else 1
        return ((document, float(self.grades[document] / size)) for document in self.graded)


def judged_queries(study: Study, level: Level, *, rule: Rule) -> list[JudgedQuery]:
    """The queries of a level by their ids as text. UnfitError if the collection has none.

    Queries of which no document has a grade are among them.
    """
    queries = sorted(_queries(study, level, rule), key=lambda query: query.query_id)
    if study.query_grades:
        _check_level(study.query_grades, level)
        queries = [JudgedElsewhere.of(query, study.query_grades) for query in queries]
    if not queries:
        raise UnfitError(_why_none(study, level))
    for query, following in pairwise(queries):
        if query.query_id == following.query_id:
            raise UnfitError(
                f"Two queries are called {query.query_id} at the level of {level}, so their grades "
                "could not be told apart. Choose another level, or CSV."
            )
    return queries


def levels_of(study: Study, rule: Rule = Rule.PAPER) -> list[Level]:
    """The levels at which the collection has text queries, or aspects of them."""
    if not study.text_queries:
        return []
    if study.query_grades:
        return [Level(study.query_grades.level)]
    return [
        Level.ASPECTS,
        Level.QUERIES,
        *(level for level, sizes in SIZES.items() if _has_sub_queries(study, sizes, rule)),
    ]


def _check_level(grades: QueryGrades, level: Level) -> None:
    if level != grades.level and not SIZES.keys() >= {level, grades.level}:
        raise UnfitError(
            f"The {grades.name} grade {grades.level}, not {level}. Choose the level of "
            f"{grades.level}."
        )


def _has_sub_queries(study: Study, sizes: Sequence[int], rule: Rule) -> bool:
    return any(
        next(sub_queries(query.tree, sizes, rule=rule), None) for query in study.text_queries
    )


def level_counts(queries_of: Mapping[Level, Iterable[JudgedQuery]]) -> dict[str, dict[str, int]]:
    """Per level how much has grades and how much was left out for want of a value."""
    return {str(level): _counts(queries) for level, queries in queries_of.items()}


def level_notes(counts: Mapping[str, Mapping[str, int]]) -> list[str]:
    """The same as sentences, where anything was left out."""
    return [
        f"At the level of {level}, {of_level['documents_left_out']:,} documents of pools were left "
        f"out because not every aspect has a value for them; {of_level['queries_left_out']:,} of "
        f"{of_level['queries'] + of_level['queries_left_out']:,} have no document with a grade."
        for level, of_level in counts.items()
        if of_level["documents_left_out"]
    ]


def _counts(queries: Iterable[JudgedQuery]) -> dict[str, int]:
    graded = [int(query.is_complete.sum()) for query in queries]
    return {
        "queries": sum(count > 0 for count in graded),
        "documents": sum(graded),
        "queries_left_out": sum(count == 0 for count in graded),
        "documents_left_out": sum(len(query.documents) for query in queries) - sum(graded),
    }


def _queries(study: Study, level: Level, rule: Rule) -> Iterator[JudgedQuery]:
    if level is Level.ASPECTS:
        yield from (_of_topic(study, topic) for topic in study.topics if not topic.facet)
    if level is Level.QUERIES:
        texts = _facet_texts(study)
        for topic in study.topics:
            if topic.facet:
                metadata: dict[str, object] = {
                    "query": topic.query,
                    "facet": topic.facet,
                    "document": topic.paper or None,
                }
                judged = _of_topic(study, topic, text=texts[topic.topic_id], metadata=metadata)
                yield replace(judged, paper=topic.paper)
        for query in study.text_queries:
            scores = score(_table(study, query), [query.tree.ids])
            yield _of_row(scores, 0, query.query_id, query.text)
    if level in SIZES:
        for query in study.text_queries:
            if parts := list(sub_queries(query.tree, SIZES[level], rule=rule)):
                scores = score(_table(study, query), [part.ids for part in parts])
                for row, part in enumerate(parts):
                    aspects = [aspect.id for aspect in part.aspects]
                    metadata = {"query": query.query_id, "aspects": aspects}
                    yield _of_row(scores, row, part.id, part.text, metadata)


def _of_row(
    scores: Scores, row: int, query_id: str, text: str, metadata: Mapping[str, object] = {}
) -> JudgedQuery:
    return JudgedQuery(
        query_id=query_id,
        text=text,
        size=int(scores.sizes[row]),
        documents=scores.documents,
        totals=scores.sums[row],
        is_complete=scores.is_complete[row],
        metadata=metadata,
    )


def _of_topic(
    study: Study, topic: JudgedTopic, *, text: str = "", metadata: Mapping[str, object] = {}
) -> JudgedQuery:
    documents = sorted(pair.document for pair in topic.pairs)
    table = ValueTable.of([topic.topic_id], documents, study.values)
    scores = score(table, [[topic.topic_id]])
    return _of_row(scores, 0, topic.topic_id, text or topic.text, metadata)


def _table(study: Study, query: TextQuery) -> ValueTable:
    return ValueTable.of(query.tree.ids, sorted(query.documents), study.values)


def _facet_texts(study: Study) -> dict[str, str]:
    """{topic: the title of its paper and the sentences of its facet, or its query's text}."""
    topics = [topic for topic in study.topics if topic.facet]
    paper_ids = {topic.paper for topic in topics}
    papers = {paper.paper_id: paper for paper in study.papers() if paper.paper_id in paper_ids}
    return {
        topic.topic_id: _facet_text(study, topic, papers[topic.paper])
        if topic.paper
        else topic.query_text
        for topic in topics
    }


def _facet_text(study: Study, topic: JudgedTopic, paper: Paper) -> str:
    sentences = text_of(paper, study.facet_labels.get(topic.facet, []))
    return f"{title_of(paper)} {sentences}".strip()


def _why_none(study: Study, level: Level) -> str:
    if level in SIZES and study.text_queries:
        return (
            f"There are no {level}: no {NUMBERS[min(SIZES[level])]} aspects of a query have "
            "sentences that ask for them alone. Link the sentences of the queries to their "
            "aspects, or choose another level."
        )
    if level is Level.QUERIES:
        return "The collection has no queries yet. Import some, or write them."
    return (
        f"The collection has no text queries with aspects, so there is nothing at the level of "
        f"{level}. Choose the level of queries."
    )
