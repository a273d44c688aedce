"""Krippendorff's alpha: of one matrix by the krippendorff package (Castro 2017), of stacks by us.

Krippendorff, K. (2011). Computing Krippendorff's alpha-reliability.
"""

from typing import Literal

import numpy as np
import numpy.typing as npt

from agreement.statistics.figures import Figure, Reason
from agreement.statistics.lists import Values, as_ratings
from agreement.statistics.tables import Positions, apart, margins, ratio, size, weighted
from agreement.statistics.units import value_counts

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
    import krippendorff

    data = as_ratings(ratings)
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


def coincidences_of(patterns: Positions, values: Values) -> Values:
    """What each row of positions, a unit's ratings, adds to the coincidences: (rows, k * k).

    In a unit with m ratings every ordered pair of ratings adds 1 / (m - 1) to its cell; a unit with
    fewer than two adds nothing.
    """
    counts = value_counts(patterns, values)
    raters = counts.sum(axis=1)
    ordered = counts[:, :, np.newaxis] * counts[:, np.newaxis, :]
    ordered -= counts[:, :, np.newaxis] * np.eye(values.size)
    weight = np.where(raters >= 2, 1.0 / np.maximum(raters - 1.0, 1.0), 0.0)
    return (ordered * weight[:, np.newaxis, np.newaxis]).reshape(len(patterns), values.size**2)


def alpha_of_coincidences(coincidences: Values, values: Values, *, level: Level) -> Values:
    """Alpha of each matrix of a stack (..., k, k) of coincidences.

    NaN where there is none, or where one value is in use.
    """
    given, _ = margins(coincidences)
    distance = _squared_distances(given, values, level)
    observed = weighted(coincidences, distance) * (size(coincidences) - 1.0)
    expected = weighted(given[..., :, np.newaxis] * given[..., np.newaxis, :], distance)
    return 1.0 - ratio(observed, expected)


def alpha_of_tables(tables: Values, values: Values, *, level: Level) -> Values:
    """Alpha of each confusion table of a stack (..., k, k): each pair coincides in both orders."""
    return alpha_of_coincidences(tables + np.swapaxes(tables, -2, -1), values, level=level)


def _squared_distances(given: Values, values: Values, level: Level) -> Values:
    match level:
        case "nominal":
            return np.asarray(apart(values) != 0, dtype=np.float64)
        case "interval":
            return apart(values) ** 2
        case "ordinal":
            # The sum from n_c to n_k less half of both ends is the way between the values' middles.
            middles = np.cumsum(given, axis=-1) - given / 2
            between: Values = middles[..., :, np.newaxis] - middles[..., np.newaxis, :]
            return between * between
    raise ValueError(f"Unknown level {level!r}.")
