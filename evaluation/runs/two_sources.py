"""The same runs by two sources of values, on the topics with values from both."""

from dataclasses import dataclass
from functools import cached_property
from math import comb

import numpy as np

from agreement.tables.cells import printed
from agreement.tables.table import Kind
from evaluation.measures import Measure, Values
from evaluation.orders.correlation import signs, tau_b
from evaluation.results import Measured
from evaluation.runs.evaluation import Evaluation
from evaluation.runs.scores import number
from formats.words import counted

TAU = "Kendall's tau-b"


@dataclass(frozen=True, eq=False)
class Beside:
    """`first` is the reference; both ask for the same runs, and measure for measure alike."""

    first: Evaluation
    second: Evaluation

    @cached_property
    def topics(self) -> list[str]:
        """The ids of the topics that both tell of, in the collection's order."""
        second_ids = {unit.id for unit in self.second.units}
        return [unit.id for unit in self.first.units if unit.id in second_ids]

    def _measured(self, evaluation: Evaluation) -> Measured:
        counted = set(self.topics)
        topics = [topic for topic in evaluation.topics if topic.id in counted]
        return evaluation.measure(topics, evaluation.protocol.parsed)

    @cached_property
    def by_first(self) -> Values:
        """(measures, runs, topics), as the protocol counts them."""
        return self._measured(self.first).counted(self.first.protocol)

    @cached_property
    def by_second(self) -> Values:
        return self._measured(self.second).counted(self.second.protocol)

    def means(self, values: Values) -> Values:
        """(measures, runs): the topics put together."""
        return np.asarray(self.first.together_of(self.topics)(values))

    def order(self, measure: Measure) -> "Alike":
        """The correlation between the two orders of the runs by one of the measures."""
        place = self.first.protocol.parsed.index(measure)
        return Alike.of(self.means(self.by_first)[place], self.means(self.by_second)[place])


@dataclass(frozen=True)
class Alike:
    """tau-b of two orders, and how many of the pairs of runs are reversed."""

    tau_b: float | None
    pairs: int
    reversed: int

    @classmethod
    def of(cls, first: Values, second: Values) -> "Alike":
        """How alike two scores of the same runs order them, (runs,) each."""
        reversals = np.count_nonzero(signs(first) * signs(second) < 0)
        return cls(number(float(tau_b(first, second))), comb(len(first), 2), int(reversals) // 2)

    @property
    def in_words(self) -> str:
        """ "3 of 55 pairs of runs are the other way round; Kendall's tau-b 0.89"."""
        count = f"{self.reversed:,}" if self.reversed else "none"
        pairs = f"{counted(self.pairs, 'pair')} of runs"
        verb = "are" if self.reversed > 1 else "is"
        tau = "" if self.tau_b is None else f"; {TAU} {printed(self.tau_b, Kind.COEFFICIENT)}"
        return f"{count} of {pairs} {verb} the other way round{tau}"

    def data(self, measure: Measure) -> dict[str, object]:
        """As files have it, of the orders by this measure."""
        return {
            "measure": measure.name,
            "tau_b": self.tau_b,
            "pairs_of_runs": self.pairs,
            "reversed": self.reversed,
        }
