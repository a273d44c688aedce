"""The distance between raters, and the share of adjudications to a value that no rater gave."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from agreement.statistics.arrays import Values, as_two_lists
from agreement.statistics.figures import Figure, Reason


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


def disagreement_by_topic(ratings: Values, starts: npt.ArrayLike) -> list[Disagreement]:
    """Count each topic's pairs (columns) by the difference between their highest and lowest rating.

    Its pairs are those from one of the ``starts`` to the next. NaN is a missing rating; a pair with
    fewer than two has nothing to differ and does not count.
    """
    ends = np.asarray(starts, dtype=np.int_)
    sizes = ends[1:] - ends[:-1]
    kept = np.count_nonzero(~np.isnan(ratings), axis=0) >= 2
    compared, topic = ratings[:, kept], np.repeat(np.arange(sizes.size), sizes)[kept]
    if 0 in compared.shape:
        return [Disagreement({}) for _ in range(sizes.size)]
    spread = np.nanmax(compared, axis=0) - np.nanmin(compared, axis=0)
    # Values are decimals: 1.2 - 1.1 and 1.1 - 1.0 differ in the last bit and are one distance.
    distances, number = np.unique(spread.round(9), return_inverse=True)
    cells = np.bincount(topic * distances.size + number, minlength=sizes.size * distances.size)
    words = distances.tolist()
    return [
        Disagreement({words[place]: count for place, count in enumerate(row) if count})
        for row in cells.reshape(sizes.size, distances.size).tolist()
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


def overruling_by_topic(
    ratings: Values, gold: npt.ArrayLike, starts: npt.ArrayLike
) -> list[Overruling]:
    """Count each topic's columns of ``ratings`` (seats by pairs) against one gold value each.

    Its pairs are those from one of the ``starts`` to the next. NaN is a missing rating; a gold
    value is never missing.
    """
    final, ends = np.asarray(gold, dtype=np.float64), np.asarray(starts, dtype=np.int_)
    sizes = ends[1:] - ends[:-1]
    if ratings.ndim != 2 or final.shape != ratings.shape[1:]:
        raise ValueError(f"Ratings {ratings.shape} and gold {final.shape} are not the same pairs.")
    if not np.isfinite(final).all():
        raise ValueError("A gold value is missing; leave out the pair.")
    raters = np.count_nonzero(~np.isnan(ratings), axis=0)
    topic = np.repeat(np.arange(sizes.size), sizes)[raters > 0]
    rated, final, raters = ratings[:, raters > 0], final[raters > 0], raters[raters > 0]
    if 0 in rated.shape:
        return [Overruling(0, 0, 0, 0) for _ in range(sizes.size)]
    lowest, highest = np.nanmin(rated, axis=0), np.nanmax(rated, axis=0)
    outside = (final < lowest) | (final > highest)
    agreed = (lowest == highest) & (raters > 1)
    masks = (np.ones(final.size, dtype=bool), (rated != final).all(axis=0), outside)
    counts = [np.bincount(topic[mask], minlength=sizes.size) for mask in (*masks, outside & agreed)]
    return [Overruling(*row) for row in np.stack(counts, axis=1).tolist()]


def overruling_in_all(parts: Iterable[Overruling]) -> Overruling:
    """The counts added up; its share is over pairs, where the table has the mean over topics."""
    counts = [(p.pairs, p.overruled, p.outside_range, p.against_agreement) for p in parts]
    if not counts:
        return Overruling(0, 0, 0, 0)
    return Overruling(*(sum(column) for column in zip(*counts, strict=True)))
