"""The majority of a pair's raters."""

import numpy as np
import numpy.typing as npt

from agreement.statistics.any_raters import positions_of, value_counts
from agreement.statistics.arrays import Values, as_ratings, scale_of


def majority(
    ratings: npt.ArrayLike,
    *,
    seats: npt.ArrayLike | None = None,
    values: npt.ArrayLike | None = None,
) -> Values:
    """The value that more than half of a pair's seats gave, NaN where there is none.

    ``ratings`` has one row per rater and one column per pair; NaN is a missing rating. It does not
    vote, and its seat counts all the same: of three, one who rated beside two who could not judge
    is no majority. ``seats`` is how many each pair has, every row by default; ``values`` is the
    scale, where it is at hand. A pair with a single seat has no majority: it would be that rating
    itself.

    >>> majority([[0, 1, 2], [0, 1, 1], [1, 1, 0]]).tolist()
    [0.0, 1.0, nan]
    """
    _, scale, counts, number = _votes(ratings, seats, values)
    return _winners(counts, number, scale)


def majority_of_others(
    ratings: npt.ArrayLike,
    *,
    seats: npt.ArrayLike | None = None,
    values: npt.ArrayLike | None = None,
) -> Values:
    """The majority of the pair's other seats for each rating: (raters, pairs), NaN for none.

    As ``majority``, without the rater's own vote; a pair with two seats has none, and neither has a
    row beyond the pair's seats.

    >>> majority_of_others([[0], [1], [1]])[:, 0].tolist()
    [1.0, nan, nan]
    """
    data, scale, counts, number = _votes(ratings, seats, values)
    majorities = [np.empty((0, data.shape[1]))]
    for row, votes in enumerate(positions_of(data, scale)):
        others = counts - value_counts(votes[:, np.newaxis], scale)
        majorities.append(np.where(row < number, _winners(others, number - 1, scale), np.nan))
    return np.vstack(majorities)


def _votes(
    ratings: npt.ArrayLike, seats: npt.ArrayLike | None, values: npt.ArrayLike | None
) -> tuple[Values, Values, Values, Values]:
    """The ratings, the scale, how often each pair has each value (pairs, k), and its seats."""
    data = as_ratings(ratings)
    scale = scale_of(data, values=values)
    counts = value_counts(positions_of(data, scale).T, scale)
    number = np.full(data.shape[1], len(data)) if seats is None else np.asarray(seats)
    return data, scale, counts, number.astype(np.float64)


def _winners(counts: Values, seats: Values, scale: Values) -> Values:
    """The value that more than half of a pair's seats gave; no pair has two such values."""
    half = np.where(seats >= 2, seats / 2, np.inf)
    winners = np.full(len(counts), np.nan)
    for place, value in enumerate(scale):
        winners[counts[:, place] > half] = value
    return winners
