"""Kendall's rank correlation with ties, tau-b, computed by scipy.

Kendall, M. G. (1945). The treatment of ties in ranking problems. Biometrika 33(3), 239-251.
"""

import numpy as np
import numpy.typing as npt

from agreement.statistics.figures import Figure
from agreement.statistics.lists import Values, as_two_lists, why_no_order
from agreement.statistics.tables import apart, inner, margins, ratio, size, weighted


def kendall_tau_b(first: npt.ArrayLike, second: npt.ArrayLike) -> Figure:
    """Of every two pairs those that both lists order alike, less those ordered against each other.

    Divided by the geometric mean of the numbers that each list orders at all; from -1 to 1.
    Undefined for fewer than two pairs, and when a list is constant.

    >>> kendall_tau_b([0, 1, 2, 3], [3, 2, 1, 0]).value
    -1.0
    """
    from scipy.stats import kendalltau

    x, y = as_two_lists(first, second)
    reason = why_no_order(x, y)
    if reason:
        return Figure.undefined(reason)
    return Figure(float(kendalltau(x, y, variant="b").statistic))


def tau_b_of_tables(tables: Values, values: Values) -> Values:
    """Tau-b of each table of a stack (..., k, k).

    NaN below two pairs and where a list is constant.
    """
    after = np.sign(apart(values))
    # Every two pairs come twice in the sum, and in the numbers that it is divided by.
    alike = weighted(tables, after @ tables @ after.T)
    of_two = size(tables) ** 2
    first, second = (of_two - inner(margin, margin) for margin in margins(tables))
    return np.clip(ratio(alike, np.sqrt(first * second)), -1.0, 1.0)
