"""The measures of two lists: each plainly, and of a stack of confusion tables.

Kappa: Cohen, J. (1960). A coefficient of agreement for nominal scales. Educational and
Psychological Measurement 20(1), 37-46. Weighted: Cohen, J. (1968). Weighted kappa. Psychological
Bulletin 70(4), 213-220.

Rho: Spearman, C. (1904). The proof and measurement of association between two things. American
Journal of Psychology 15(1), 72-101. Tau-b, computed by scipy: Kendall, M. G. (1945). The treatment
of ties in ranking problems. Biometrika 33(3), 239-251.

Macro F1, as in DORIS-MAE: Wang, J., Wang, K., Wang, X., Naidu, P., Bergen, L., Paturi, R. (2023).
DORIS-MAE: scientific document retrieval using multi-level aspect-based queries. NeurIPS Datasets
and Benchmarks, Table 1.

The mean signed difference is Bland and Altman's bias: Bland, J. M., Altman, D. G. (1986).
Statistical methods for assessing agreement between two methods of clinical measurement. The Lancet
327(8476), 307-310.
"""

import math
from typing import Literal

import numpy as np
import numpy.typing as npt

from agreement.statistics.arrays import (
    Values,
    apart,
    as_two_lists,
    inner,
    margins,
    mean_ranks,
    ratio,
    size,
    weighted,
    why_no_order,
)
from agreement.statistics.figures import Figure, Reason


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


Weights = Literal["unweighted", "linear", "quadratic"]


def cohen_kappa(
    first: npt.ArrayLike, second: npt.ArrayLike, *, weights: Weights = "unweighted"
) -> Figure:
    """One minus observed over expected disagreement; 1 is full agreement, 0 what chance gives.

    Weights come from the values themselves, not from their positions in the scale, so a value that
    nobody chose still widens the distance across it. Undefined (0/0) when both lists consist of
    one and the same value; with only one list constant, or two different constants, it is 0.

    >>> cohen_kappa([0, 0, 1, 1], [0, 1, 1, 1]).value
    0.5
    """
    x, y = as_two_lists(first, second)
    if x.size == 0:
        return Figure.undefined(Reason.NO_PAIRS)
    values, positions = np.unique(np.concatenate([x, y]), return_inverse=True)
    if values.size == 1:
        return Figure.undefined(Reason.ONE_VALUE)
    cells = positions[: x.size] * values.size + positions[x.size :]
    counts = np.bincount(cells, minlength=values.size**2).reshape(values.size, values.size)
    return Figure(float(kappa_of_tables(counts.astype(np.float64), values, weights=weights)))


def kappa_of_tables(tables: Values, values: Values, *, weights: Weights = "unweighted") -> Values:
    """Kappa of each table of a stack (..., k, k); NaN where one value is in use, or no pair."""
    distance = _distances(values, weights)
    first, second = margins(tables)
    # Counts instead of shares, and one division at the end: observed / n over expected / n^2.
    observed = weighted(tables, distance) * size(tables)
    expected = inner(first @ distance, second)
    return np.asarray(1.0 - ratio(observed, expected))


def _distances(values: Values, weights: Weights) -> Values:
    distance = np.abs(apart(values))
    match weights:
        case "unweighted":
            return (distance > 0).astype(np.float64)
        case "linear":
            return distance
        case "quadratic":
            return distance**2
    raise ValueError(f"Unknown weights {weights!r}.")


def macro_f1(first: npt.ArrayLike, second: npt.ArrayLike) -> Figure:
    """The plain mean, over the values in either list, of 2 TP / (2 TP + FP + FN); from 0 to 1.

    Symmetric in the lists: one's false positives are the other's false negatives. A value on which
    they never agree has 0; a value that neither gave does not count. Undefined without pairs.

    >>> macro_f1([0, 0, 1, 1], [0, 0, 1, 2]).value
    0.5555555555555555
    """
    x, y = as_two_lists(first, second)
    if x.size == 0:
        return Figure.undefined(Reason.NO_PAIRS)
    values, positions = np.unique(np.concatenate([x, y]), return_inverse=True)
    agreed = np.bincount(positions[: x.size][x == y], minlength=values.size)
    value_counts = np.bincount(positions, minlength=values.size)
    return Figure(float((2 * agreed / value_counts).mean()))


def macro_f1_of_tables(tables: Values, values: Values) -> Values:
    """Macro F1 of each table of a stack (..., k, k); NaN without pairs."""
    first, second = margins(tables)
    value_counts = first + second
    agreed = tables.diagonal(axis1=-2, axis2=-1)
    f1 = np.nan_to_num(ratio(2 * agreed, value_counts), nan=0.0)
    return ratio(f1.sum(axis=-1), np.count_nonzero(value_counts, axis=-1).astype(np.float64))


def spearman_rho(first: npt.ArrayLike, second: npt.ArrayLike) -> Figure:
    """Pearson's correlation of the ranks, from -1 to 1; tied values share the mean of their ranks.

    The shortcut over squared differences of ranks is wrong under ties, and grades are mostly ties.
    Undefined for fewer than two pairs, and when a list is constant, even if both are and agree.

    >>> spearman_rho([0, 1, 2, 3], [3, 2, 1, 0]).value
    -1.0
    """
    x, y = as_two_lists(first, second)
    reason = why_no_order(x, y)
    if reason:
        return Figure.undefined(reason)
    # Mean ranks are multiples of one half and their mean is (n + 1) / 2, so the sums of products
    # below are exact, and lists of the same order give exactly 1.
    ranks_x = mean_ranks(x) - (x.size + 1) / 2
    ranks_y = mean_ranks(y) - (y.size + 1) / 2
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


def kendall_tau_b(first: npt.ArrayLike, second: npt.ArrayLike) -> Figure:
    """How far two lists put pairs in the same order.

    It counts every two pairs that both lists order alike, less those that they order against each
    other, and divides by the geometric mean of the numbers that each list orders at all; from -1 to
    1. Undefined for fewer than two pairs, and when a list is constant.

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


def signed_difference_of_tables(tables: Values, values: Values) -> Values:
    """The mean signed difference of each table of a stack (..., k, k); NaN without pairs."""
    return ratio(weighted(tables, apart(values)), size(tables))
