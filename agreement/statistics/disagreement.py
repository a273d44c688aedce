"""Where raters part: counts beside the coefficients, which hide them."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from agreement.statistics.lists import Values, as_two_lists


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


def disagreement(ratings: Values) -> Disagreement:
    """Count the pairs (columns) by the difference between their highest and lowest rating.

    NaN is a missing rating; a pair with fewer than two has nothing to differ and does not count.
    """
    [whole] = disagreement_by_topic(ratings, [0, ratings.shape[1]])
    return whole


def disagreement_by_topic(ratings: Values, starts: npt.ArrayLike) -> list[Disagreement]:
    """The same for each topic, whose pairs are those from one of the ``starts`` to the next."""
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
