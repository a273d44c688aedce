"""Macro F1 between two raters, as in DORIS-MAE.

Wang, J., Wang, K., Wang, X., Naidu, P., Bergen, L., Paturi, R. (2023). DORIS-MAE: scientific
document retrieval using multi-level aspect-based queries. NeurIPS Datasets and Benchmarks, Table 1.
"""

import numpy as np
import numpy.typing as npt

from agreement.statistics.figures import Figure, Reason
from agreement.statistics.lists import Values, as_two_lists
from agreement.statistics.tables import margins, ratio


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
    given = np.bincount(positions, minlength=values.size)
    return Figure(float((2 * agreed / given).mean()))


def macro_f1_of_tables(tables: Values, values: Values) -> Values:
    """Macro F1 of each table of a stack (..., k, k); NaN without pairs."""
    first, second = margins(tables)
    given = first + second
    agreed = tables.diagonal(axis1=-2, axis2=-1)
    f1 = np.nan_to_num(ratio(2 * agreed, given), nan=0.0)
    return ratio(f1.sum(axis=-1), np.count_nonzero(given, axis=-1).astype(np.float64))
