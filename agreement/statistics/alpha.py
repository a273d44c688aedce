"""Krippendorff's alpha, computed by the krippendorff package (Castro 2017).

Krippendorff, K. (2011). Computing Krippendorff's alpha-reliability.
"""

from typing import Literal

import krippendorff
import numpy as np
import numpy.typing as npt

from agreement.statistics.figures import Figure, Reason

Level = Literal["nominal", "ordinal", "interval"]


def krippendorff_alpha(ratings: npt.ArrayLike, *, level: Level) -> Figure:
    """Alpha of a matrix with one row per rater and one column per unit; NaN is a missing rating.

    Units with fewer than two ratings are left out. 1 is full agreement, 0 what chance gives, and
    below 0 is systematic disagreement. Ordinal distances depend on how often each value occurs in
    the data at hand, so the figure of a part cannot be derived from the figure of the whole.
    Undefined when no unit has two ratings, or when those that have use a single value (0/0).

    >>> krippendorff_alpha([[2], [0]], level="ordinal").value
    0.0
    """
    data = np.asarray(ratings, dtype=np.float64)
    if data.ndim != 2:
        raise ValueError(f"Expected raters by units, got shape {data.shape}.")
    # The package takes its value domain from all ratings, also of units it then leaves out, and
    # would answer 0/0 with NaN and a warning; so the units that cannot count go first.
    pairable = data[:, np.count_nonzero(~np.isnan(data), axis=0) >= 2]
    if pairable.shape[1] == 0:
        return Figure.undefined(Reason.NO_PAIRS)
    values, positions = np.unique(pairable, return_inverse=True)
    missing = np.isnan(values)
    if np.count_nonzero(~missing) == 1:
        return Figure.undefined(Reason.ONE_VALUE)
    # np.unique sorts NaN last and folds it into one, so dropping its column leaves the real values.
    units = pairable.shape[1]
    cells = np.arange(units) * values.size + positions.reshape(pairable.shape)
    counts = np.bincount(cells.ravel(), minlength=units * values.size).reshape(units, values.size)
    alpha = krippendorff.alpha(
        value_counts=counts[:, ~missing],
        value_domain=values[~missing],
        level_of_measurement=level,
    )
    return Figure(float(alpha))


def ordinal_alpha(first: npt.ArrayLike, second: npt.ArrayLike) -> Figure:
    """Alpha of two lists on the ordinal level, the form in CSFCube's table."""
    x = np.asarray(first, dtype=np.float64)
    y = np.asarray(second, dtype=np.float64)
    if x.ndim != 1 or x.shape != y.shape:
        raise ValueError(f"Expected two lists of equal length, got shapes {x.shape} and {y.shape}.")
    return krippendorff_alpha(np.vstack([x, y]), level="ordinal")
