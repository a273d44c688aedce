"""A topic with the rankings of two runs side by side."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evaluation.measures import Measure
from evaluation.results.measured import left_out, without
from evaluation.runs.evaluation import Evaluation
from evaluation.runs.papers import Papers
from evaluation.runs.scores import number
from evaluation.runs.units import Unit

LISTED = 12
SHADES = ("h1", "h2", "h4", "h6")


@dataclass(frozen=True)
class TopicLine:
    """One topic with both values; `relevant` counts documents of the least relevant grade. A run
    that lacks the topic has no ranking of it, and counts as 0."""

    unit: Unit
    first: float
    second: float
    relevant: int
    documents: int
    first_lacks: bool
    second_lacks: bool

    @property
    def difference(self) -> float:
        return self.first - self.second


@dataclass(frozen=True)
class RankedDocument:
    """A document at a rank, with its grade to two decimals. `other_rank` is the other run's, or
    None. `pair` leads to its texts and ratings; it is empty if nobody was asked to judge it."""

    rank: int
    document: str
    title: str
    grade: float | None
    shade: str
    other_rank: int | None
    pair: str


@dataclass(frozen=True)
class RankedTopic:
    """A topic with both rankings: the first documents of each, and the grades to the depth."""

    line: TopicLine
    first: tuple[RankedDocument, ...]
    second: tuple[RankedDocument, ...]
    depth: int
    strips: tuple[tuple[tuple[float | None, str], ...], ...]


def ranked_topic(
    evaluation: Evaluation, measure: Measure, runs: tuple[str, str], line: TopicLine
) -> RankedTopic:
    """The topic of a line with the rankings of both runs."""
    topic = next(topic for topic in evaluation.topics if topic.id == line.unit.id)
    away = left_out(evaluation.protocol, topic)
    pool = topic.grades.without(away)
    rankings = [without(evaluation.rankings[name].get(topic.id, ()), away) for name in runs]
    depths = [measure.depth(pool.rank(ranking)) for ranking in rankings]
    depth = max(
        len(ranking) if counted is None else counted
        for ranking, counted in zip(rankings, depths, strict=True)
    )
    grades = {
        document: number(grade)
        for document, grade in zip(pool.documents, pool.values.tolist(), strict=True)
    }
    documents = {document for ranking in rankings for document in ranking[:LISTED]}
    papers = Papers.of(evaluation, {(topic.id, document) for document in documents})
    pairs = {document: pair for (_, document), pair in papers.pairs.items()}
    highest = max([*_scale(evaluation), 1.0])
    lists = [
        _ranked_documents(ranking, other, grades, papers.titles, pairs, highest)
        for ranking, other in (rankings, rankings[::-1])
    ]
    strips = tuple(
        tuple(
            (grades.get(document), shade(grades.get(document), highest))
            for document in ranking[:depth]
        )
        for ranking in rankings
    )
    return RankedTopic(line, lists[0], lists[1], depth, strips)


def _ranked_documents(
    ranking: Sequence[str],
    other: Sequence[str],
    grades: dict[str, float | None],
    titles: Mapping[str, str],
    pairs: Mapping[str, str],
    highest: float,
) -> tuple[RankedDocument, ...]:
    ranks = {document: rank for rank, document in enumerate(other, start=1)}
    short = {document: grade and round(grade, 2) for document, grade in grades.items()}
    return tuple(
        RankedDocument(
            rank,
            document,
            titles.get(document, document),
            short.get(document),
            shade(grades.get(document), highest),
            ranks.get(document),
            pairs.get(document, ""),
        )
        for rank, document in enumerate(ranking[:LISTED], start=1)
    )


def shade(grade: float | None, highest: float) -> str:
    """Of SHADES, the darker the higher."""
    if grade is None or grade <= 0:
        return SHADES[0]
    return SHADES[max(1, min(3, round(3 * grade / highest)))]


def _scale(evaluation: Evaluation) -> list[float]:
    """The grades that there are, by which shades are chosen."""
    mapping = evaluation.source.mapping
    if mapping is not None:
        return [float(grade) for *_, grade in mapping.grades]
    return list(evaluation.judging.ratings.scale.values)
