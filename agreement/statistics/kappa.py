"""Cohen's kappa, plain and weighted.

Cohen, J. (1960). A coefficient of agreement for nominal scales. Educational and Psychological
Measurement 20(1), 37-46. Weighted: Cohen, J. (1968). Weighted kappa. Psychological Bulletin 70(4),
213-220.
"""

from typing import Literal

import numpy as np
import numpy.typing as npt

from agreement.statistics.figures import Figure, Reason
from agreement.statistics.lists import Values, as_two_lists
from agreement.statistics.tables import apart, inner, margins, ratio, size, weighted

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
