"""The effect of other values on an order of systems: how alike the orders are, which pairs of
systems swap, and which significant differences are kept, lost or reversed."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from evaluation.measures import Values
from evaluation.orders.correlation import CLOSE, order_of, ranks, rbo, tau_ap, tau_b
from evaluation.orders.differences import (
    all_pairs,
    holm,
    least_p,
    randomisation,
    sign_flips,
    significant,
)
from evaluation.results import Together

Mask = npt.NDArray[np.bool_]
LEAST_SYSTEMS = 3
# The result of a test of values: the kept one, or a new one.
Known = Callable[[Values, Callable[[], Mask]], Mask]


@dataclass(frozen=True, eq=False)
class Reference:
    """Systems by the values that all others are compared with, in the order of these.

    `values` is (systems, topics), as counted; `names` in the same order. Pairs of systems are
    those of `all_pairs`: the first is the higher one.
    """

    names: tuple[str, ...]
    values: Values
    together: Together

    @classmethod
    def of(cls, names: tuple[str, ...], values: Values, together: Together) -> "Reference":
        """Sorted by their values, equal ones as they come."""
        order = order_of(together(values))
        return cls(tuple(names[place] for place in order), values[order], together)

    @cached_property
    def means(self) -> Values:
        return self.together(self.values)

    @cached_property
    def ranks(self) -> npt.NDArray[np.int64]:
        return ranks(self.means)

    @cached_property
    def pairs(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        return all_pairs(len(self.names))

    @cached_property
    def differences(self) -> Values:
        """(pairs,): by how much the first of each pair is above the second."""
        first, second = self.pairs
        return self.means[first] - self.means[second]

    @cached_property
    def flips(self) -> Values:
        return sign_flips(self.values.shape[-1])

    @cached_property
    def p(self) -> Values:
        first, second = self.pairs
        return randomisation(self.values[first] - self.values[second], self.flips)

    @cached_property
    def adjusted(self) -> Values:
        """(pairs,): p after Holm over all pairs."""
        return holm(self.p)

    @property
    def least_adjusted(self) -> float:
        """No p after Holm is below this: with many systems, or on few topics, it is above .05."""
        return min(1.0, least_p(self.flips) * len(self.differences))

    @cached_property
    def is_significant(self) -> Mask:
        first, second = self.pairs
        return significant(self.values[first] - self.values[second], self.flips)


@dataclass(frozen=True, eq=False)
class Orders:
    """The same systems by other values, or by many draws of them.

    `values` is (..., systems, topics) with the systems in the reference's order; what is computed
    has the axes before: none for one source, (draws,) for draws. `known` finds tests that were
    made before.
    """

    reference: Reference
    values: Values
    known: Known = lambda values, test: test()

    @cached_property
    def means(self) -> Values:
        """(..., systems)"""
        return self.reference.together(self.values)

    @cached_property
    def ranks(self) -> npt.NDArray[np.int64]:
        return ranks(self.means)

    @cached_property
    def tau_b(self) -> Values:
        return tau_b(self.reference.means, self.means)

    @cached_property
    def tau_ap(self) -> Values:
        return tau_ap(self.reference.means, self.means)

    @cached_property
    def rbo(self) -> Values:
        return rbo(self.reference.means, self.means)

    @cached_property
    def differences(self) -> Values:
        """(..., pairs)"""
        first, second = self.reference.pairs
        return self.means[..., first] - self.means[..., second]

    @cached_property
    def is_reversed(self) -> Mask:
        """(..., pairs): the order is the other way round; a tie is no reversal."""
        by_reference = self.reference.differences
        return ((self.differences < -CLOSE) & (by_reference > CLOSE)) | (
            (self.differences > CLOSE) & (by_reference < -CLOSE)
        )

    @cached_property
    def swaps(self) -> npt.NDArray[np.int64]:
        return np.asarray(np.count_nonzero(self.is_reversed, axis=-1))

    @cached_property
    def is_significant(self) -> Mask:
        """(..., pairs), by the same test with the same flips."""
        return self.known(self.values, self._tested)

    def _tested(self) -> Mask:
        first, second = self.reference.pairs
        parts = [
            significant(part[..., first, :] - part[..., second, :], self.reference.flips)
            for part in self._parts()
        ]
        joined = np.concatenate(parts) if parts else np.empty((0, len(first)), dtype=bool)
        return joined.reshape(*self.values.shape[:-2], len(first))

    def _parts(self) -> list[Values]:
        """Some draws at a time, so that their differences fit into memory."""
        flat = self.values.reshape(-1, *self.values.shape[-2:])
        first, _ = self.reference.pairs
        size = max(1, 2_000_000 // max(1, len(first) * flat.shape[-1]))
        return [flat[start : start + size] for start in range(0, len(flat), size)]

    @cached_property
    def is_kept(self) -> Mask:
        """Significant by the reference, and still so in the same direction."""
        return self.reference.is_significant & self.is_significant & ~self.is_reversed

    @cached_property
    def is_turned(self) -> Mask:
        """Significant by the reference, and significant in the other direction."""
        return self.reference.is_significant & self.is_significant & self.is_reversed

    @cached_property
    def is_lost(self) -> Mask:
        return self.reference.is_significant & ~self.is_significant

    @cached_property
    def is_new(self) -> Mask:
        return ~self.reference.is_significant & self.is_significant

    def count(self, mask: Mask) -> npt.NDArray[np.int64]:
        return np.asarray(np.count_nonzero(mask, axis=-1))

    @property
    def figures(self) -> dict[str, npt.NDArray[Any]]:
        """How alike the orders are, and how many differences swap, are kept, lost, reversed or
        new."""
        return {
            "tau_b": self.tau_b,
            "tau_ap": self.tau_ap,
            "rbo": self.rbo,
            "swaps": self.swaps,
            "kept": self.count(self.is_kept),
            "lost": self.count(self.is_lost),
            "reversed": self.count(self.is_turned),
            "new": self.count(self.is_new),
        }

    @cached_property
    def reversed_shares(self) -> Values:
        """(pairs,): in what share of draws each pair is reversed."""
        return np.asarray(self.is_reversed.reshape(-1, self.is_reversed.shape[-1]).mean(axis=0))

    @cached_property
    def kept_shares(self) -> Values:
        """(pairs,): in what share of draws each difference is kept."""
        return np.asarray(self.is_kept.reshape(-1, self.is_kept.shape[-1]).mean(axis=0))

    @cached_property
    def rank_shares(self) -> Values:
        """(systems, ranks): in what share of draws each system has each rank."""
        systems = len(self.reference.names)
        places = self.ranks.reshape(-1, systems)
        return np.stack([(places == rank).mean(axis=0) for rank in range(1, systems + 1)], axis=1)
