"""What most raters of a pair said."""

import numpy as np
import numpy.typing as npt

from agreement.statistics.lists import Values, as_ratings, scale_of
from agreement.statistics.tables import MISSING, Positions
from agreement.statistics.units import positions_of, value_counts


def majority(ratings: npt.ArrayLike) -> Values:
    """The value that more than half of a pair's raters gave, NaN where there is none.

    ``ratings`` has one row per rater and one column per pair; NaN is a missing rating and does not
    vote. A pair with a single rating has no majority: it would be that rating itself.

    >>> majority([[0, 1, 2], [0, 1, 1], [1, 1, 0]]).tolist()
    [0.0, 1.0, nan]
    """
    data = as_ratings(ratings)
    scale = scale_of(data)
    winners = majority_of_patterns(positions_of(data, scale).T, scale)
    return np.append(scale, np.nan)[winners]


def majority_of_patterns(patterns: Positions, values: Values) -> Positions:
    """The same of rows of positions, as one position each; MISSING where there is none."""
    if values.size == 0:
        return np.full(len(patterns), MISSING)
    counts = value_counts(patterns, values)
    raters = counts.sum(axis=1)
    won = (raters >= 2) & (2 * counts.max(axis=1) > raters)
    return np.where(won, counts.argmax(axis=1), MISSING)
