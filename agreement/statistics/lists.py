"""The arrays that every statistic takes.

``ratings`` has one row per seat, by ordinal (first, second, ...), and one column per pair; a cell
is the value of the chosen option, or NaN for "cannot judge". The measures themselves take lists
without NaN: what a missing value counts as is decided before, once for all of them, by
``agreement.statistics.cannot_judge``.
"""

import numpy as np
import numpy.typing as npt

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
