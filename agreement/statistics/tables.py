"""Stacks of confusion tables, from which most measures of two lists follow.

A table is k by k: counts by the value of the first list (rows) and of the second (columns), values
ascending. A stack has any number of leading axes; a measure of a stack answers with those axes, and
NaN where it is undefined. So 1,000 resamples, or 1,500 topics, are one computation.
"""

import numpy as np
import numpy.typing as npt

from agreement.statistics.figures import Reason
from agreement.statistics.lists import Values

# Ratings as positions in the ascending values of the scale; MISSING where there is none.
Positions = npt.NDArray[np.int_]
MISSING = -1


def cells_of(patterns: Positions, values: Values) -> Values:
    """Which cell of the table each row of two positions falls into: (rows, k * k) of 0 and 1.

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


# Over axes as short as these, einsum is some ten times as fast as sum.


def weighted(tables: Values, weights: Values) -> Values:
    """The sum over the cells of each table (..., k, k), each times its weight."""
    return np.asarray(np.einsum("...ij,...ij->...", tables, weights))


def inner(first: Values, second: Values) -> Values:
    """The sum of the products of two vectors (..., k)."""
    return np.asarray(np.einsum("...i,...i->...", first, second))


def margins(tables: Values) -> tuple[Values, Values]:
    """How often each value occurs in the first list and in the second: twice (..., k)."""
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
    """Which sums of counts (..., f) hold any pair; a half, since fractions add up to about 0."""
    held: npt.NDArray[np.bool_] = sums.sum(axis=-1) > 0.5
    return held


def why_without_pairs(table: Values) -> Reason:
    """Of a measure that any pair defines."""
    return Reason.NO_PAIRS


def why_in_one_value(table: Values) -> Reason:
    """Of a measure that is 0/0 when a single value is in use."""
    return Reason.ONE_VALUE if table.any() else Reason.NO_PAIRS


def why_constant(table: Values) -> Reason:
    """Of a measure of order, which a constant list does not have."""
    match int(table.sum()):
        case 0:
            return Reason.NO_PAIRS
        case 1:
            return Reason.ONE_PAIR
    return Reason.CONSTANT_LIST
