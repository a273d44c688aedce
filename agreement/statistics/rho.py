"""Spearman's rank correlation.

Spearman, C. (1904). The proof and measurement of association between two things. American
Journal of Psychology 15(1), 72-101.
"""

import math

import numpy as np
import numpy.typing as npt

from agreement.statistics.figures import Figure
from agreement.statistics.lists import Values, as_two_lists, why_no_order
from agreement.statistics.tables import inner, margins, ratio, weighted


def spearman_rho(first: npt.ArrayLike, second: npt.ArrayLike) -> Figure:
    """Pearson's correlation of the ranks, from -1 to 1; tied values share the mean of their ranks.

    The shortcut over squared differences of ranks is wrong under ties, and grades are mostly ties.
    Undefined for fewer than two pairs, and when a list is constant, even if both are and agree.

    >>> spearman_rho([0, 1, 2, 3], [3, 2, 1, 0]).value
    -1.0
    """
    from scipy.stats import rankdata

    x, y = as_two_lists(first, second)
    reason = why_no_order(x, y)
    if reason:
        return Figure.undefined(reason)
    # Mean ranks are multiples of one half and their mean is (n + 1) / 2, so the sums of products
    # below are exact, and lists of the same order give exactly 1.
    ranks_x = rankdata(x) - (x.size + 1) / 2
    ranks_y = rankdata(y) - (y.size + 1) / 2
    covariance = float(ranks_x @ ranks_y)
    spread = math.sqrt(float(ranks_x @ ranks_x) * float(ranks_y @ ranks_y))
    return Figure(max(-1.0, min(1.0, covariance / spread)))


def rho_of_tables(tables: Values, values: Values) -> Values:
    """Rho of each table of a stack (..., k, k).

    NaN below two pairs and where a list is constant.
    """
    first, second = margins(tables)
    ranks_x, ranks_y = _centred_ranks(first), _centred_ranks(second)
    covariance = weighted(tables, ranks_x[..., :, np.newaxis] * ranks_y[..., np.newaxis, :])
    spread = inner(first, ranks_x**2) * inner(second, ranks_y**2)
    return np.clip(ratio(covariance, np.sqrt(spread)), -1.0, 1.0)


def _centred_ranks(counts: Values) -> Values:
    """The mean rank of each value less that of all: (c_1 + ... + c_i - c_i / 2) - n / 2."""
    ranks = np.cumsum(counts, axis=-1) - counts / 2
    centred: Values = ranks - counts.sum(axis=-1, keepdims=True) / 2
    return centred
