"""The arrays that every statistic takes: lists and matrices of ratings, and stacks of tables.

``ratings`` has one row per seat, by ordinal (first, second, ...), and one column per pair; a cell
is the value of the chosen option, or NaN for "cannot judge". Measures of two lists take them
without NaN: what a missing value counts as is decided before, once for all of them, by a rule
(``CannotJudge``). Measures of any number of raters take gaps as they are.

Most measures of two lists follow from their confusion table. It is k by k: counts by the value of
the first list (rows) and of the second (columns), values ascending. A stack has any number of
leading axes; a measure of a stack answers with those axes, and NaN where it is undefined. So 1,000
resamples, or 1,500 topics, are one computation.
"""

from collections.abc import Callable
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


def mean_ranks(x: Values) -> Values:
    """The rank of each entry, counted from 1; equal values share the mean of their ranks.

    >>> mean_ranks(np.array([7.0, 5.0, 7.0])).tolist()
    [2.5, 1.0, 2.5]
    """
    values, counts = np.unique(x, return_counts=True)
    positions = np.searchsorted(values, x)
    ranks: Values = np.cumsum(counts) - (counts - 1) / 2
    return ranks[positions]


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


def as_ratings(ratings: npt.ArrayLike) -> Values:
    """A matrix with a row per rater and a column per pair as floats; NaN is a missing rating."""
    matrix = np.asarray(ratings, dtype=np.float64)
    if matrix.ndim != 2:
        raise ValueError(f"Expected raters by units, got shape {matrix.shape}.")
    if np.isinf(matrix).any():
        raise ValueError("A rating is infinite.")
    return matrix


def extremes(ratings: Values) -> tuple[Values, Values]:
    """The lowest and the highest rating of each pair (column); NaN is a missing rating.

    A pair without any has no highest above its lowest.
    """
    gap = np.isnan(ratings)
    lowest = np.where(gap, np.inf, ratings).min(axis=0, initial=np.inf)
    highest = np.where(gap, -np.inf, ratings).max(axis=0, initial=-np.inf)
    return lowest, highest


def scale_of(ratings: Values, *, values: npt.ArrayLike | None = None) -> Values:
    """The scale's distinct values, ascending: those given, or else those in use.

    ValueError if a rating lies outside the values given.
    """
    if values is None:
        used = np.unique(ratings)
        return used[~np.isnan(used)]
    scale = np.unique(np.asarray(values, dtype=np.float64))
    outside = ratings[~(np.isin(ratings, scale) | np.isnan(ratings))]
    if outside.size:
        raise ValueError(f"The rating {outside.min():g} lies outside the scale.")
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
    """The pairs that count under the rule; ``skipped`` (raters by pairs) is where one could not
    judge."""
    if rule is CannotJudge.DROP:
        without: npt.NDArray[np.bool_] = np.count_nonzero(skipped, axis=0) == 0
        return without
    return np.ones(skipped.shape[1], dtype=np.bool_)


def counted_values(
    ratings: Values, skipped: Skipped, rule: CannotJudge, *, lowest: float
) -> Values:
    """The counted ratings of all pairs: NaN, or the lowest value if the rule says so.

    ``lowest`` is the lowest value of the scheme's scale, whether anybody chose it or not.
    """
    if rule is CannotJudge.LOWEST:
        return np.where(skipped, lowest, ratings)
    return ratings


# Ratings as positions in the ascending values of the scale; MISSING where there is none.
Positions = npt.NDArray[np.int_]
MISSING = -1


def cells_of(patterns: Positions, values: Values) -> Values:
    """The cell of the table for each row of two positions: (rows, k * k) of 0 and 1.

    A row with a missing rating falls into none.
    """
    first, second = patterns.T
    cells = np.zeros((len(patterns), values.size**2))
    both = np.flatnonzero((first != MISSING) & (second != MISSING))
    cells[both, first[both] * values.size + second[both]] = 1.0
    return cells


def square(cells: Values, values: Values) -> Values:
    """(..., k * k) cells as (..., k, k) tables."""
    matrices: Values = cells.reshape(*cells.shape[:-1], values.size, values.size)
    return matrices


def of_cells(kernel: Callable[..., Values], **options: str) -> Callable[[Values, Values], Values]:
    """A kernel of k by k matrices, for their cells in one row."""

    def of_rows(cells: Values, values: Values) -> Values:
        return kernel(square(cells, values), values, **options)

    return of_rows


# Over axes as short as these, einsum is some ten times as fast as sum.


def weighted(tables: Values, weights: Values) -> Values:
    """The sum over the cells of each table (..., k, k), each times its weight."""
    return np.asarray(np.einsum("...ij,...ij->...", tables, weights))


def inner(first: Values, second: Values) -> Values:
    """The sum of the products of two vectors (..., k)."""
    return np.asarray(np.einsum("...i,...i->...", first, second))


def margins(tables: Values) -> tuple[Values, Values]:
    """The counts of each value in the first list and in the second: twice (..., k)."""
    return np.einsum("...ij->...i", tables), np.einsum("...ij->...j", tables)


def size(tables: Values) -> Values:
    """The number of pairs in each table."""
    return np.asarray(np.einsum("...ij->...", tables))


def ratio(numerator: Values, denominator: Values) -> Values:
    """The quotient, NaN where the denominator is 0."""
    top, bottom = np.broadcast_arrays(numerator, denominator)
    quotient = np.full(top.shape, np.nan)
    np.divide(top, bottom, out=quotient, where=bottom != 0)
    return quotient


def apart(values: Values) -> Values:
    """The difference of every two values, the one of the row less the one of the column."""
    differences: Values = np.subtract.outer(values, values)
    return differences


def any_pair(sums: Values) -> npt.NDArray[np.bool_]:
    """A mask of the sums of counts (..., f) with any pair; a half, since fractions add up to about
    0."""
    has_pair: npt.NDArray[np.bool_] = sums.sum(axis=-1) > 0.5
    return has_pair


def why_without_pairs(table: Values) -> Reason:
    """Why a measure that any pair defines is undefined."""
    return Reason.NO_PAIRS


def why_in_one_value(table: Values) -> Reason:
    """Why a measure that is 0/0 when a single value is in use is undefined."""
    return Reason.ONE_VALUE if table.any() else Reason.NO_PAIRS


def why_constant(table: Values) -> Reason:
    """Why a measure of order is undefined: a constant list has no order."""
    match int(table.sum()):
        case 0:
            return Reason.NO_PAIRS
        case 1:
            return Reason.ONE_PAIR
    return Reason.CONSTANT_LIST
