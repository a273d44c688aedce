"""Does disagreement matter? The order of the runs by gold, or by another reference, compared with
their orders by other values."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from django.utils.text import capfirst

from datasets.models import Membership
from datasets.pseudonyms import pseudonym
from evaluation.measures import Measure, Values
from evaluation.orders.draws import DRAWS, SEED, Drawn, grades_by_pair, seats_by_topic
from evaluation.orders.stability import LEAST_SYSTEMS, Mask, Orders, Reference
from evaluation.results import Judged
from evaluation.runs.evaluation import Evaluation
from evaluation.runs.stored import known_tests
from evaluation.runs.units import Unit
from evaluation.sources.choices import sources_of
from evaluation.sources.mapping import Mapping
from evaluation.sources.source import GOLD, OF_SEATS, Kind, Source

ALONE = OF_SEATS - {Kind.MEMBER}
# Grades that are drawn at a time, 64 MB: all of a large study would take gigabytes.
AT_A_TIME = 8_000_000


@dataclass(frozen=True, eq=False)
class Compared:
    """The order by other values. `group` and `name` say whose; `note` is a line below."""

    group: str
    name: str
    orders: Orders
    note: str = ""
    source: Source | None = None


@dataclass(frozen=True, eq=False)
class Matter:
    """The orders of the runs by one measure: by the source that is asked for, which is the
    reference, and by others. It compares the topics on which all sources have values: the
    reference has, and all seats are handed in."""

    evaluation: Evaluation
    measure: Measure
    draws: int = DRAWS
    seed: int = SEED

    @property
    def why_none(self) -> str:
        """Why there is nothing to compare; empty where there is."""
        runs = len(self.evaluation.runs)
        if runs < LEAST_SYSTEMS:
            sentence = {0: "There is none", 1: "There is one"}.get(runs, "There are two")
            return f"This takes three runs. {sentence}."
        if not self.units:
            if self.evaluation.source.kind is Kind.GOLD:
                return "No topic is decided yet, so there is no order by gold to compare with."
            return f"No topic is rated yet, so there is no order by {self.by} to compare with."
        if not self._has_second:
            return "Only gold is here: nothing to compare it with."
        if run := self._without_value:
            return (
                f"{run} has no {self.measure.name} on these topics, so there is no order by "
                f"{self.by} to compare with."
            )
        return ""

    @property
    def _without_value(self) -> str:
        """A run without a value by the reference, where such runs stand last; else ""."""

        def name() -> str:
            reference = self.reference
            return reference.names[-1] if np.isnan(reference.means[-1]) else ""

        return self.evaluation.keep(("without value", self.measure), name)

    @property
    def mapping(self) -> Mapping | None:
        """The mapping under which gold and every other source are read."""
        return self.evaluation.source.mapping

    @cached_property
    def _has_second(self) -> bool:
        return bool((self.seats > 1).any())

    @property
    def by(self) -> str:
        """The reference inside a sentence: "gold", "the first seat"."""
        return self.evaluation.source.named

    @cached_property
    def units(self) -> list[Unit]:
        progress = self.evaluation.judging.progress
        return [
            unit
            for unit in self.evaluation.units
            if all(progress[topic].is_rated for topic in unit.topics)
        ]

    @cached_property
    def reference(self) -> Reference:
        evaluation, ids = self.evaluation, [unit.id for unit in self.units]
        topics = [topic for topic in evaluation.topics if topic.id in set(ids)]
        values = evaluation.measure(topics, [self.measure]).counted(evaluation.protocol)[0]
        return Reference.of(tuple(evaluation.runs), values, evaluation.together_of(ids))

    @cached_property
    def order(self) -> list[int]:
        """The positions of the runs as the reference has them."""
        names = list(self.evaluation.runs)
        return [names.index(name) for name in self.reference.names]

    @cached_property
    def seats(self) -> Values:
        """The number of seats of each topic; the largest, if its batches differ."""
        ratings = self.evaluation.judging.ratings
        return np.array([int(ratings.seats[unit.pairs].max(initial=0)) for unit in self.units])

    @cached_property
    def _answers(self) -> Values:
        return self.evaluation.judging.answers(self.evaluation.protocol.missing, self.mapping)

    def _orders(self, values: Values) -> Orders:
        """From the grades of all pairs, (..., pairs)."""
        topics = [unit.judged(values) for unit in self.units]
        counted = self._counted(topics)
        return self._orders_by(np.moveaxis(counted, -1, 0) if counted.ndim == 3 else counted)

    def _counted(self, topics: Sequence[Judged], *, keeps: bool = True) -> Values:
        """(systems, topics, ...), the systems as the reference has them."""
        measured = self.evaluation.measure(topics, [self.measure], keeps=keeps)
        return measured.counted(self.evaluation.protocol)[0][self.order]

    def _orders_by(self, values: Values) -> Orders:
        return Orders(self.reference, values, self._known_tests)

    def _known_tests(self, values: Values, test: Callable[[], Mask]) -> Mask:
        """Tests of draws take seconds, so they are kept; tests of one source do not."""
        keeps = self.evaluation.may_keep and values.ndim > 2
        return known_tests(self.evaluation.collection if keeps else None, values, test)

    @cached_property
    def by_topic(self) -> Compared:
        """One rater drawn for each topic."""
        by_seat = self._orders(self._answers).values  # (seats, systems, topics)
        drawn = seats_by_topic(self.seats.tolist(), draws=self.draws, seed=self.seed)
        topics = np.arange(by_seat.shape[-1])
        values = np.moveaxis(by_seat, 1, -1)[drawn, topics]  # (draws, topics, systems)
        return Compared(
            f"{self.draws:,} random draws",
            "One rater per topic",
            self._orders_by(np.moveaxis(values, -1, -2)),
            "mean of draws, and 95% of them",
        )

    @cached_property
    def by_pair(self) -> Compared:
        """One rater drawn for each pair."""
        random, parts = np.random.default_rng(self.seed), self._parts()
        counted = [
            self._counted([self._drawn(unit, random) for unit in part], keeps=len(parts) == 1)
            for part in parts
        ]
        return Compared(
            f"{self.draws:,} random draws",
            "One rater per pair",
            self._orders_by(np.moveaxis(np.concatenate(counted, axis=1), -1, 0)),
            "mean of draws, and 95% of them",
        )

    def _drawn(self, unit: Unit, random: np.random.Generator) -> Judged:
        """A unit with the grades of one rater for each of its pairs, in all draws."""
        seats = np.maximum(self.evaluation.judging.ratings.seats[unit.pairs], 1)
        answers = self._answers[:, unit.pairs]
        return unit.judged_by_own(grades_by_pair(answers, seats, random, draws=self.draws))

    def _parts(self) -> list[list[Unit]]:
        """The units in their order, as many at a time as may be drawn together."""
        parts: list[list[Unit]] = []
        size = 0
        for unit in self.units:
            grades = self.draws * len(unit.pairs)
            if not parts or size + grades > AT_A_TIME:
                parts.append([])
                size = 0
            parts[-1].append(unit)
            size += grades
        return parts

    def drawn(self, draws: Drawn) -> Compared:
        return self.by_topic if draws is Drawn.TOPIC else self.by_pair

    @cached_property
    def alone(self) -> list[Compared]:
        """Each source of the seats by itself; and gold, where another source is the reference and
        gold has spoken of every topic."""
        judging, missing = self.evaluation.judging, self.evaluation.protocol.missing
        return [
            Compared(
                "One source alone",
                capfirst(source.in_words),
                self._orders(judging.grades(source.read_as(self.evaluation.source), missing)),
                source=source,
            )
            for source in sources_of(self.evaluation.collection)
            if (source.kind in ALONE or (source == GOLD and self._is_decided))
            and source.address != self.evaluation.source.address
        ]

    @property
    def _is_decided(self) -> bool:
        progress = self.evaluation.judging.progress
        return all(progress[topic].is_decided for unit in self.units for topic in unit.topics)

    @cached_property
    def left_out(self) -> list[Compared]:
        """One person left out of gold, the rule applied again; beside another reference none."""
        if self.evaluation.source.kind is not Kind.GOLD:
            return []
        judging = self.evaluation.judging
        annotators = np.unique(judging.ratings.annotator)
        changes = []
        for member in Membership.objects.filter(
            pk__in=annotators[annotators > 0].tolist()
        ).order_by("pk"):
            rated = [
                bool((judging.ratings.annotator[:, unit.pairs] == member.pk).any())
                for unit in self.units
            ]
            if any(rated):
                values = judging.without(member.pk, self.evaluation.protocol.missing, self.mapping)
                changes.append(
                    Compared(
                        "One person left out",
                        f"Without {pseudonym(self.evaluation.collection, member)}",
                        self._orders(values),
                        f"rated in {sum(rated)} of {len(rated)} topics",
                    )
                )
        return changes

    @property
    def everything(self) -> list[Compared]:
        return [self.by_topic, self.by_pair, *self.alone, *self.left_out]
