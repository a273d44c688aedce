"""The arrays that every statistic takes, and what "cannot judge" counts as in them.

``ratings`` has one row per seat, by ordinal (first, second, ...), and one column per pair; a cell
is the value of the chosen option, or NaN for "cannot judge". Measures of two lists take them
without NaN: what a missing value counts as is decided before, once for all of them, by a rule
(``CannotJudge``). Measures of any number of raters take gaps as they are.
"""

from enum import StrEnum

import numpy as np
import numpy.typing as npt

from agreement.statistics.figures import Reason

Values = npt.NDArray[np.float64]


def as_two_lists(first: npt.ArrayLike, second: npt.ArrayLike) -> tuple[Values, Values]:
    """Two lists of equal length as floats, or ValueError for anything that is not that."""
    x = np.asarray(first, dtype=np.float64)
    y = np.asarray(second, dtype=np.float64)
    if x.ndim != 1 or x.shape != y.shape:
        raise ValueError(f"Expected two lists of equal length, got shapes {x.shape} and {y.shape}.")
    if not (np.isfinite(x).all() and np.isfinite(y).all()):
        raise ValueError("The lists hold missing values; decide first what they count as.")
    return x, y


def why_no_order(x: Values, y: Values) -> Reason | None:
    """Why the orders of two lists cannot be compared; None where they can."""
    if x.size < 2:
        return Reason.ONE_PAIR if x.size else Reason.NO_PAIRS
    if (x == x[0]).all() or (y == y[0]).all():
        return Reason.CONSTANT_LIST
    return None


def as_ratings(ratings: npt.ArrayLike) -> Values:
    """A matrix with a row per rater and a column per pair as floats; NaN is a missing rating."""
    data = np.asarray(ratings, dtype=np.float64)
    if data.ndim != 2:
        raise ValueError(f"Expected raters by units, got shape {data.shape}.")
    if np.isinf(data).any():
        raise ValueError("A rating is infinite.")
    return data


def scale_of(*ratings: Values, values: npt.ArrayLike | None = None) -> Values:
    """The scale's distinct values, ascending: those given, or else those in use.

    ValueError if a rating lies outside the values given.
    """
    used: Values = np.unique(np.concatenate([np.empty(0), *(matrix.ravel() for matrix in ratings)]))
    used = used[~np.isnan(used)]
    if values is None:
        return used
    scale = np.unique(np.asarray(values, dtype=np.float64))
    outside = used[~np.isin(used, scale)]
    if outside.size:
        raise ValueError(f"The rating {outside[0]:g} lies outside the scale.")
    return scale


Skipped = npt.NDArray[np.bool_]


class CannotJudge(StrEnum):
    """The rule a table names. It decides what a rating counts as; a vote it never is, so that no
    majority ever comes of an absence (``agreement.statistics.majority``).

    LOWEST counts it as the lowest value of the scale; the published CSFCube table came about so.
    DROP leaves a pair with one out of every figure, before and after adjudication and overruling
    alike, so that all of them speak of the same pairs.
    GAPS keeps the pair without that rating: two lists are compared over the pairs that both rated,
    and coefficients of any number of raters take the ratings there are.
    """

    LOWEST = "lowest"
    DROP = "drop"
    GAPS = "gaps"


def counted_pairs(skipped: Skipped, rule: CannotJudge) -> npt.NDArray[np.bool_]:
    """Which pairs count under the rule; ``skipped`` (raters by pairs) is where one could not
    judge."""
    if rule is CannotJudge.DROP:
        without: npt.NDArray[np.bool_] = np.count_nonzero(skipped, axis=0) == 0
        return without
    return np.ones(skipped.shape[1], dtype=np.bool_)


def counted_values(
    ratings: Values, skipped: Skipped, rule: CannotJudge, *, lowest: float
) -> Values:
    """What the ratings of all pairs count as: NaN, or the lowest value where the rule says so.

    ``lowest`` is the lowest value of the scheme's scale, whether anybody chose it or not.
    """
    if rule is CannotJudge.LOWEST:
        return np.where(skipped, lowest, ratings)
    return ratings
