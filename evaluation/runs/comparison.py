"""Two runs compared: their difference, how sure it is, and the topics on which it rests."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from evaluation.measures import Measure, Values
from evaluation.orders.differences import PairedT, paired_t, randomisation, sign_flips
from evaluation.orders.stability import Reference
from evaluation.results import bootstrap
from evaluation.results.measured import left_out
from evaluation.runs.evaluation import Evaluation
from evaluation.runs.ranked import RankedTopic, TopicLine, ranked_topic
from evaluation.runs.scores import number
from evaluation.sources.choices import sources_of
from evaluation.sources.source import Kind, Source

CLOSE = 1e-12
OTHERS = {Kind.GOLD, Kind.SEAT}


@dataclass(frozen=True)
class Difference:
    """The first run less the second, from -1 to 1, by one source. Wins are topics on which the
    first is above."""

    source: Source
    mean: float
    low: float
    high: float
    p: float
    wins: int
    ties: int
    losses: int

    @property
    def holds_zero(self) -> bool:
        return self.low <= 0 <= self.high


@dataclass(frozen=True, eq=False)
class Comparison:
    """Two of the runs beside each other, by one measure."""

    evaluation: Evaluation
    measure: Measure
    first: str
    second: str

    def _both(self, evaluation: Evaluation) -> Values:
        """(2, topics): the values of the two runs."""
        return evaluation.counted(self.measure)[self._rows(evaluation)]

    def _rows(self, evaluation: Evaluation) -> list[int]:
        names = list(evaluation.runs)
        return [names.index(self.first), names.index(self.second)]

    def _of(self, evaluation: Evaluation) -> Values:
        """(topics,): the differences by topic; NaN where one of the two has no value."""
        first, second = self._both(evaluation)
        return np.asarray(first - second)

    def difference_by(self, source: Source) -> Difference | None:
        """None where the source has no topic that counts, or one of the two no value."""
        evaluation = (
            self.evaluation if source == self.evaluation.source else self.evaluation.by(source)
        )
        name = ("difference", self._two)
        return evaluation.keep(name, lambda: self._difference(evaluation))

    @property
    def _two(self) -> tuple[Measure, str, str]:
        return self.measure, self.first, self.second

    def _difference(self, evaluation: Evaluation) -> Difference | None:
        if not evaluation.units:
            return None
        differences, together = self._of(evaluation), evaluation.together
        defined = differences[~np.isnan(differences)]
        first, second = together(self._both(evaluation))
        if np.isnan(first - second) or not len(defined):
            return None
        interval = bootstrap(differences[np.newaxis], together)
        flips = sign_flips(len(differences))
        return Difference(
            evaluation.source,
            # Sums of the same numbers in another order differ in the last bits.
            0.0 if abs(first - second) <= CLOSE else float(first - second),
            float(interval.low[0]),
            float(interval.high[0]),
            float(randomisation(differences, flips)),
            wins=int(np.count_nonzero(defined > CLOSE)),
            ties=int(np.count_nonzero(np.abs(defined) <= CLOSE)),
            losses=int(np.count_nonzero(defined < -CLOSE)),
        )

    @cached_property
    def difference(self) -> Difference | None:
        return self.difference_by(self.evaluation.source)

    @cached_property
    def by_sources(self) -> list[Difference]:
        """The differences by gold, by every seat, and by the source that is asked for."""
        sources = [
            source.read_as(self.evaluation.source)
            for source in sources_of(self.evaluation.collection)
            if source.kind in OTHERS
        ]
        if self.evaluation.source not in sources:
            sources.insert(0, self.evaluation.source)
        differences = [
            self.difference if source == self.evaluation.source else self.difference_by(source)
            for source in sources
        ]
        return [difference for difference in differences if difference is not None]

    @property
    def turned_by(self) -> list[Difference]:
        """The sources whose difference has the other sign."""
        if self.difference is None:
            return []
        return [
            difference
            for difference in self.by_sources
            if difference.mean * self.difference.mean < 0
        ]

    @cached_property
    def adjusted(self) -> tuple[float, int]:
        """(p after Holm over all pairs of runs, how many pairs these are)."""
        return self.evaluation.keep(("adjusted", self._two), self._adjusted)

    def _adjusted(self) -> tuple[float, int]:
        values = self.evaluation.counted(self.measure)
        reference = Reference.of(tuple(self.evaluation.runs), values, self.evaluation.together)
        names = {reference.names.index(self.first), reference.names.index(self.second)}
        first, second = reference.pairs
        place = next(
            number
            for number, pair in enumerate(zip(first.tolist(), second.tolist(), strict=True))
            if set(pair) == names
        )
        return float(reference.adjusted[place]), len(first)

    @cached_property
    def paired_t(self) -> PairedT:
        return paired_t(self._of(self.evaluation))

    def without_extreme(self, sign: int) -> float | None:
        """The difference, put together as the protocol does, without the topic of the most extreme
        win (1) or loss (-1); None where there is no such topic, or no other one."""
        gains = sign * self._of(self.evaluation)
        gains[np.isnan(gains)] = 0
        place = int(np.argmax(gains))
        if gains[place] <= CLOSE or len(gains) < 2:
            return None
        ids = [unit.id for unit in self.evaluation.units]
        together = self.evaluation.together_of(ids[:place] + ids[place + 1 :])
        first, second = together(np.delete(self._both(self.evaluation), place, axis=1))
        return number(first - second)

    @cached_property
    def lines(self) -> list[TopicLine]:
        """Every topic with both values, the most for the first run first."""
        return self.evaluation.keep(("lines", self._two), self._lines)

    def _lines(self) -> list[TopicLine]:
        first, second = self._both(self.evaluation)
        first_lacks, second_lacks = self.evaluation.measured.lacks[self._rows(self.evaluation)]
        protocol = self.evaluation.protocol
        lines = [
            TopicLine(
                unit,
                float(first[place]),
                float(second[place]),
                int(grades.relevant(protocol.least)),
                len(grades.documents),
                bool(first_lacks[place]),
                bool(second_lacks[place]),
            )
            for place, (unit, topic) in enumerate(
                zip(self.evaluation.units, self.evaluation.topics, strict=True)
            )
            if not np.isnan(first[place] + second[place])
            for grades in [topic.grades.without(left_out(protocol, topic))]
        ]
        return sorted(lines, key=lambda line: -line.difference)

    def deciding(self, topic: str = "") -> list[RankedTopic]:
        """The topic chosen, or those of the largest difference each way, with both rankings."""
        lines = self.lines
        if topic:
            shown_lines = [line for line in lines if line.unit.id == topic]
        else:
            ends = [*lines[:1], *lines[-1:]]
            shown_lines = [
                line
                for place, line in enumerate(ends)
                if abs(line.difference) > CLOSE and line not in ends[:place]
            ]
        name = ("deciding", self._two, *(line.unit.id for line in shown_lines))
        two = (self.first, self.second)
        return self.evaluation.keep(
            name,
            lambda: [
                ranked_topic(self.evaluation, self.measure, two, line) for line in shown_lines
            ],
        )
