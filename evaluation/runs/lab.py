"""The pool lab: what each run found, what only it found, and its score had it not been pooled."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from evaluation.measures import Measure, Values
from evaluation.orders.correlation import order_of
from evaluation.results.contributions import Contributions, contributions, without_each
from evaluation.runs.evaluation import Evaluation
from evaluation.runs.papers import Papers
from evaluation.runs.scores import number, rank_words

DEPTHS = (5, 10, 20, 50, 100)
USUAL_DEPTH = 20
MOST_FINDS = 50


@dataclass(frozen=True)
class Find:
    """A relevant document that no other run has so high; `pair` leads to its texts and ratings."""

    topic: str
    document: str
    title: str
    pair: str


@dataclass(frozen=True)
class LabRow:
    """A run with what is among its first documents; `without` is its score, and `rank_without` its
    rank, had what it alone has there never been judged."""

    name: str
    ranked: int
    unjudged: int
    relevant: int
    alone: int
    relevant_alone: int
    value: float | None
    rank: str
    without: float | None
    rank_without: str
    finds: tuple[Find, ...]
    more_finds: int

    @property
    def change(self) -> float | None:
        if self.value is None or self.without is None:
            return None
        return self.without - self.value

    @property
    def loses_its_rank(self) -> bool:
        return self.rank.rstrip("=") != self.rank_without.rstrip("=")


@dataclass(frozen=True, eq=False)
class Lab:
    """The pool lab of one measure and depth, on the topics that count."""

    evaluation: Evaluation
    measure: Measure
    depth: int = USUAL_DEPTH

    @cached_property
    def _contributions(self) -> Contributions:
        evaluation = self.evaluation
        return contributions(
            evaluation.topics, evaluation.rankings, evaluation.protocol, self.depth
        )

    @cached_property
    def _without(self) -> Values:
        """(runs left out, runs)"""
        evaluation = self.evaluation
        values = without_each(
            evaluation.topics, evaluation.rankings, evaluation.protocol, self.measure, self.depth
        )
        return np.asarray(evaluation.together(values))

    @cached_property
    def rows(self) -> list[LabRow]:
        """Sorted by score, best first."""
        return self.evaluation.keep(("rows", self.measure, self.depth), self._rows)

    def _rows(self) -> list[LabRow]:
        evaluation, counts = self.evaluation, self._contributions
        means = evaluation.together(evaluation.counted(self.measure))
        words = rank_words(means)
        rows = [
            LabRow(
                name,
                int(counts.ranked[row]),
                int(counts.unjudged[row]),
                int(counts.relevant[row]),
                int(counts.alone[row]),
                int(counts.relevant_alone[row]),
                number(means[row]),
                words[row],
                number(self._without[row, row]),
                rank_words(self._without[row])[row],
                tuple(self._finds(row)),
                max(0, len(counts.finds[row]) - MOST_FINDS),
            )
            for row, name in enumerate(evaluation.runs)
        ]
        return [rows[row] for row in order_of(means).tolist()]

    @cached_property
    def _papers(self) -> Papers:
        finds = {find for of_run in self._contributions.finds for find in of_run[:MOST_FINDS]}
        return Papers.of(self.evaluation, finds)

    def _finds(self, row: int) -> Iterator[Find]:
        titles = {unit.id: unit.title for unit in self.evaluation.units}
        for topic, document in self._contributions.finds[row][:MOST_FINDS]:
            title = self._papers.titles.get(document, document)
            pair = self._papers.pairs.get((topic, document), "")
            yield Find(titles[topic], document, title, pair)

    @cached_property
    def overlap(self) -> list[tuple[str, list[float | None]]]:
        """Per run the share of its first documents that each other run has there, too."""
        return self.evaluation.keep(("overlap", self.measure, self.depth), self._overlap)

    def _overlap(self) -> list[tuple[str, list[float | None]]]:
        names = list(self.evaluation.runs)
        order = [names.index(row.name) for row in self.rows]
        return [
            (
                names[row],
                [
                    None
                    if row == column or not self._contributions.ranked[row]
                    else float(
                        self._contributions.shared[row, column] / self._contributions.ranked[row]
                    )
                    for column in order
                ],
            )
            for row in order
        ]

    @property
    def relevant_alone(self) -> int:
        return sum(row.relevant_alone for row in self.rows)
