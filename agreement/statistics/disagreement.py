"""The distance between raters, and the share of adjudications to a value that no rater gave."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from agreement.statistics.arrays import Values, as_two_lists
from agreement.statistics.figures import Figure, Reason
from agreement.statistics.topics import RatedTopics


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Counts of pairs, by the largest difference between two of their ratings.

    ``by_distance`` maps a difference of values (0 is agreement) to a number of pairs.
    """

    by_distance: dict[float, int]

    @property
    def pairs(self) -> int:
        return sum(self.by_distance.values())

    @property
    def differing(self) -> int:
        return self.pairs - self.by_distance.get(0.0, 0)


def extremes(ratings: Values) -> tuple[Values, Values]:
    """The lowest and the highest rating of each pair (column); NaN is a missing rating.

    A pair without any has no highest above its lowest.
    """
    gap = np.isnan(ratings)
    lowest = np.where(gap, np.inf, ratings).min(axis=0, initial=np.inf)
    highest = np.where(gap, -np.inf, ratings).max(axis=0, initial=-np.inf)
    return lowest, highest


def disagreement_by_topic(topics: RatedTopics) -> list[Disagreement]:
    """Count each topic's pairs by the difference between their highest and lowest rating.

    A pair with fewer than two ratings has nothing to differ and does not count.
    """
    ratings = topics.ratings
    lowest, highest = extremes(ratings)
    compared = np.count_nonzero(~np.isnan(ratings), axis=0) >= 2
    spread = np.full(len(compared), np.nan)
    # Values are decimals: 1.2 - 1.1 and 1.1 - 1.0 differ in the last bit and are one distance.
    spread[compared] = (highest[compared] - lowest[compared]).round(9)
    distances = np.unique(spread[compared])
    counts = topics.sums(np.equal.outer(spread, distances).astype(np.float64))
    words = distances.tolist()
    return [
        Disagreement({words[place]: int(pairs) for place, pairs in enumerate(row) if pairs})
        for row in counts.tolist()
    ]


def disagreement_in_all(parts: Iterable[Disagreement]) -> Disagreement:
    """The counts of several queries added up."""
    total: Counter[float] = Counter()
    for part in parts:
        total.update(part.by_distance)
    return Disagreement(dict(sorted(total.items())))


def confusion(
    first: npt.ArrayLike, second: npt.ArrayLike, *, values: npt.ArrayLike
) -> npt.NDArray[np.int_]:
    """Counts by value of the first list (rows) and of the second (columns), in order of values.

    ``values`` are the scale's distinct values in ascending order; a rating outside it is refused.
    """
    x, y = as_two_lists(first, second)
    scale = np.asarray(values, dtype=np.float64)
    if not np.isin(np.concatenate([x, y]), scale).all():
        raise ValueError("A rating lies outside the scale.")
    cells = np.searchsorted(scale, x) * scale.size + np.searchsorted(scale, y)
    counts: npt.NDArray[np.int_] = np.bincount(cells, minlength=scale.size**2)
    return counts.reshape(scale.size, scale.size)


@dataclass(frozen=True, slots=True)
class Overruling:
    """Counts over the pairs of one query.

    A pair counts once it has a rating. ``overruled``: gold equals no rating. ``outside_range``:
    gold below the lowest or above the highest rating. ``against_agreement``: gold differs from a
    value that all raters gave, two at least; this never happens in CSFCube and deserves a look
    wherever it does.
    """

    pairs: int
    overruled: int
    outside_range: int
    against_agreement: int

    @property
    def share(self) -> Figure:
        """Overruled pairs as a share of all the query's pairs, from 0 to 1."""
        if self.pairs == 0:
            return Figure.undefined(Reason.NO_PAIRS)
        return Figure(self.overruled / self.pairs)


def overruling_by_topic(topics: RatedTopics) -> list[Overruling]:
    """Count each topic's pairs by how their gold, the last column, stands to their ratings.

    A gold value is never missing.
    """
    ratings, gold = topics.ratings[:-1], topics.ratings[-1]
    if np.isnan(gold).any():
        raise ValueError("A gold value is missing; leave out the pair.")
    raters = np.count_nonzero(~np.isnan(ratings), axis=0)
    lowest, highest = extremes(ratings)
    rated, agreed = raters > 0, (lowest == highest) & (raters > 1)
    outside = rated & ((gold < lowest) | (gold > highest))
    overruled = rated & (ratings != gold).all(axis=0)
    counts = topics.sums(np.stack([rated, overruled, outside, outside & agreed], axis=1) * 1.0)
    return [Overruling(*row) for row in counts.astype(np.int_).tolist()]


def overruling_in_all(parts: Iterable[Overruling]) -> Overruling:
    """The counts added up; its share is over pairs, where the table has the mean over topics."""
    counts = [(p.pairs, p.overruled, p.outside_range, p.against_agreement) for p in parts]
    if not counts:
        return Overruling(0, 0, 0, 0)
    return Overruling(*(sum(column) for column in zip(*counts, strict=True)))
