"""How far apart two lists are, in the units of the scale's values.

The mean signed difference is Bland and Altman's bias: Bland, J. M., Altman, D. G. (1986).
Statistical methods for assessing agreement between two methods of clinical measurement. The Lancet
327(8476), 307-310.
"""

import numpy as np
import numpy.typing as npt

from agreement.statistics.figures import Figure, Reason
from agreement.statistics.lists import Values, as_two_lists
from agreement.statistics.tables import apart, ratio, size, weighted


def mean_absolute_difference(first: npt.ArrayLike, second: npt.ArrayLike) -> Figure:
    """The mean of |first - second|; from 0 to the width of the scale. Undefined without pairs.

    >>> mean_absolute_difference([0, 1, 3], [0, 2, 1]).value
    1.0
    """
    x, y = as_two_lists(first, second)
    if x.size == 0:
        return Figure.undefined(Reason.NO_PAIRS)
    return Figure(float(np.abs(x - y).mean()))


def mean_signed_difference(first: npt.ArrayLike, second: npt.ArrayLike) -> Figure:
    """The mean of first - second: above 0 when the first list has the higher values, its leniency.

    From minus to plus the width of the scale; changes its sign when the lists change places.
    Undefined without pairs.

    >>> mean_signed_difference([0, 1, 3], [0, 2, 0]).value
    0.6666666666666666
    """
    x, y = as_two_lists(first, second)
    if x.size == 0:
        return Figure.undefined(Reason.NO_PAIRS)
    return Figure(float((x - y).mean()))


def absolute_difference_of_tables(tables: Values, values: Values) -> Values:
    """The mean absolute difference of each table of a stack (..., k, k); NaN without pairs."""
    return ratio(weighted(tables, np.abs(apart(values))), size(tables))


def signed_difference_of_tables(tables: Values, values: Values) -> Values:
    """The mean signed difference of each table of a stack (..., k, k); NaN without pairs."""
    return ratio(weighted(tables, apart(values)), size(tables))
