"""Every measure of every run on every topic."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from evaluation.measures import Grades, Measure, Ranked, Values
from evaluation.protocols import Protocol, Undefined

# {run: {topic: its documents, best first}}
Rankings = Mapping[str, Mapping[str, Sequence[str]]]


@dataclass(frozen=True, eq=False)
class Judged:
    """A topic with its grades under one source, or under many, and the groups it belongs to.

    `tags` are of its query, such as LitSearch's specificity; `title` is what people call it.
    """

    id: str
    grades: Grades
    facet: str = ""
    title: str = ""
    tags: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Measured:
    """`values` is (measures, runs, topics, ...): NaN where a measure has no value; axes after the
    topics are draws. `judged` is Judged at the depth of each measure, (measures, runs, topics).
    `lacks` says which runs have no ranking of a topic, (runs, topics): they count as 0 there.
    """

    measures: tuple[Measure, ...]
    runs: tuple[str, ...]
    topics: tuple[Judged, ...]
    values: Values
    judged: Values
    lacks: npt.NDArray[np.bool_]

    def counted(self, protocol: Protocol) -> Values:
        """The values as the protocol counts them: a topic without one as 0, or left out (NaN).

        A topic that a measure is not meant for is left out under every protocol.
        """
        values = self.values
        if protocol.undefined is Undefined.ZERO:
            meant = self.is_meant.reshape(len(self.measures), 1, -1, *[1] * (values.ndim - 3))
            values = np.where(np.isnan(values) & meant, 0.0, values)
        return values

    @property
    def is_meant(self) -> npt.NDArray[np.bool_]:
        """(measures, topics): whether the measure is meant for the query of the topic."""
        meant = [
            [measure.is_meant_for(topic.tags) for topic in self.topics] for measure in self.measures
        ]
        return np.array(meant, dtype=bool).reshape(len(self.measures), len(self.topics))

    @property
    def undefined(self) -> list[int]:
        """Per measure how many topics it is meant for have no value in some run."""
        missing = np.isnan(self.values).any(axis=(1, *range(3, self.values.ndim)))
        return [int(count) for count in np.count_nonzero(missing & self.is_meant, axis=1)]

    def number(self, run: str) -> int:
        return self.runs.index(run)


def measure_runs(
    topics: Sequence[Judged],
    rankings: Rankings,
    protocol: Protocol,
    measures: Sequence[Measure] | None = None,
) -> Measured:
    """All measures of the protocol, or those given. Draws are a leading axis of the grades."""
    parsed = tuple(measures if measures is not None else protocol.parsed)
    runs = tuple(rankings)
    draws = topics[0].grades.values.shape[:-1] if topics else ()
    shape = (len(parsed), len(runs), len(topics))
    values = np.full((*shape, *draws), np.nan)
    at_depth = np.full(shape, np.nan)
    lacks = np.zeros(shape[1:], dtype=bool)
    for column, topic in enumerate(topics):
        away = left_out(protocol, topic)
        grades = topic.grades.without(away)
        meant = [
            number for number, measure in enumerate(parsed) if measure.is_meant_for(topic.tags)
        ]
        for row, run in enumerate(runs):
            documents = rankings[run].get(topic.id)
            if documents is None:
                lacks[row, column] = True
                for number in meant:
                    values[number, row, column] = nothing_of(grades, parsed[number])
                continue
            ranked = grades.rank(without(documents, away))
            for number in meant:
                measure = parsed[number]
                values[number, row, column] = measure.of(ranked)
                at_depth[number, row, column] = judged_at(ranked, measure)
    return Measured(parsed, runs, tuple(topics), values, at_depth, lacks)


def nothing_of(grades: Grades, measure: Measure) -> Values:
    """The value of a run without a ranking of a topic: 0, and none where no ranking has one, as
    without a relevant document. So all runs count on the same topics."""
    best = measure.of(grades.rank(grades.documents))
    return np.where(np.isnan(best), np.nan, 0.0)


def left_out(protocol: Protocol, topic: Judged) -> set[str]:
    """The documents that the protocol does not count on this topic."""
    paper = "" if protocol.query_paper_counts else topic.grades.query_paper
    return {*protocol.left_out, *([paper] if paper else [])}


def without(documents: Sequence[str], away: Collection[str]) -> Sequence[str]:
    """A ranking without some documents."""
    return [document for document in documents if document not in away] if away else documents


def judged_at(ranked: Ranked, measure: Measure) -> float:
    """The share of judged documents to the depth of the measure; of the first source for draws."""
    counted = ranked.is_judged[: measure.depth(ranked)]
    return float(np.count_nonzero(counted) / len(counted)) if len(counted) else np.nan
