"""A measure: gains at the ranks, and their total."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from evaluation.measures.grades import Ranked, Values

# What stands at each rank, (..., ranks); and the measure of that, (...), NaN for no value.
Gains = Callable[[Ranked], Values]
Total = Callable[[Values, Ranked], Values]

SHUFFLES = 50


@dataclass(frozen=True)
class Measure:
    """A figure of a ranking on a topic.

    `name` says it fully, with its parameters. `is_linear`: the total is a sum over ranks with
    weights that do not depend on the gains of the ranking, so that its mean over all orders of ties
    is the total of mean gains. `depth` is how many ranks of a ranking count, None for all.
    `only`: it has a value for queries with this tag alone, (name, value). `words` define it.
    """

    name: str
    words: str
    gains: Gains = field(compare=False)
    total: Total = field(compare=False)
    is_linear: bool = True
    depth: Callable[[Ranked], int | None] = field(default=lambda ranked: None, compare=False)
    only: tuple[str, str] | None = None

    def is_meant_for(self, tags: Mapping[str, str]) -> bool:
        """Whether it may have a value for a query with these tags."""
        return not self.only or tags.get(self.only[0]) == self.only[1]

    def of(self, ranked: Ranked) -> Values:
        """Its value, or one for each draw that the topic's grades hold; NaN for no value."""
        return self.total(self.gains(ranked), ranked)

    def over_ties(self, ranked: Ranked, *, seed: int) -> Values:
        """Its mean over all orders of the ties in closed form, else over 50 seeded ones."""
        if self.is_linear:
            return self.total(ranked.averaged(self.gains(ranked)), ranked)
        return np.asarray(self.of(ranked.shuffled(SHUFFLES, seed=seed)).mean(axis=-1))


def ratio(top: npt.ArrayLike, bottom: npt.ArrayLike) -> Values:
    """The quotient; NaN, which is no value, where the divisor is 0."""
    upper, lower = np.broadcast_arrays(np.asarray(top, float), np.asarray(bottom, float))
    result = np.full(upper.shape, np.nan)
    np.divide(upper, lower, out=result, where=lower != 0)
    return result


def fixed(depth: int | None) -> Callable[[Ranked], int | None]:
    return lambda ranked: depth
