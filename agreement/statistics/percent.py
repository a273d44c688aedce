"""Percent agreement: the share of pairs on which two lists give the same value."""

import numpy as np
import numpy.typing as npt

from agreement.statistics.figures import Figure, Reason
from agreement.statistics.lists import Values, as_two_lists
from agreement.statistics.tables import ratio, size


def percent_agreement(first: npt.ArrayLike, second: npt.ArrayLike) -> Figure:
    """100 times the pairs with equal values, divided by all pairs; from 0 to 100.

    Undefined without pairs.

    >>> percent_agreement([0, 0, 1, 2], [0, 1, 1, 2]).value
    75.0
    """
    x, y = as_two_lists(first, second)
    if x.size == 0:
        return Figure.undefined(Reason.NO_PAIRS)
    return Figure(100.0 * int(np.count_nonzero(x == y)) / x.size)


def percent_of_tables(tables: Values, values: Values) -> Values:
    """Percent agreement of each table of a stack (..., k, k); NaN without pairs."""
    return ratio(100.0 * tables.trace(axis1=-2, axis2=-1), size(tables))
