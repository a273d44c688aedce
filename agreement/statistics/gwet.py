"""Gwet's AC1, and AC2 with ordinal weights.

Gwet, K. L. (2008). Computing inter-rater reliability and its variance in the presence of high
agreement. British Journal of Mathematical and Statistical Psychology 61(1), 29-48. With weights and
missing ratings: Gwet, K. L. (2014). Handbook of inter-rater reliability, 4th edition.
"""

import numpy as np
import numpy.typing as npt

from agreement.statistics.figures import Figure
from agreement.statistics.lists import Values
from agreement.statistics.tables import inner
from agreement.statistics.units import (
    features_of_ratings,
    figure_of,
    identity_weights,
    observed_and_shares,
    ordinal_weights,
)


def gwet_ac1(ratings: npt.ArrayLike, *, values: npt.ArrayLike | None = None) -> Figure:
    """AC1 of a matrix with one row per rater and one column per unit; NaN is a missing rating.

    (observed - expected) / (1 - expected), where chance is the mean over the k values of
    p (1 - p) k / (k - 1). 1 is full agreement, 0 what chance gives. Unlike kappa and alpha it is
    defined, and 1, when all raters gave the same one of several possible values; so it depends on
    how many values there are: pass the scale as ``values``, or those in use count. Undefined when
    no unit has two ratings, or when the scale has one value.

    >>> gwet_ac1([[0, 0, 0, 1], [0, 0, 1, 1]]).value
    0.5294117647058824
    """
    features, scale = features_of_ratings(ratings, values, ordinal=False)
    return figure_of(ac1_of_features(features, scale), features)


def gwet_ac2(ratings: npt.ArrayLike, *, values: npt.ArrayLike | None = None) -> Figure:
    """AC2: as AC1, with neighbouring values agreeing in part, by Gwet's ordinal weights.

    The weights depend on the values' positions in the scale, not on their distances: pass the scale
    as ``values``, or those in use count. Undefined as AC1.

    >>> gwet_ac2([[0, 1, 2], [0, 1, 2]]).value
    1.0
    """
    features, scale = features_of_ratings(ratings, values, ordinal=True)
    return figure_of(ac2_of_features(features, scale), features)


def ac1_of_features(features: Values, values: Values) -> Values:
    """AC1 of each (..., 3 + k) sum of ``agreement_features`` with identity weights."""
    return _of_features(features, values, identity_weights(values))


def ac2_of_features(features: Values, values: Values) -> Values:
    """AC2 of each (..., 3 + k) sum of ``agreement_features`` with ordinal weights."""
    return _of_features(features, values, ordinal_weights(values))


def _of_features(features: Values, values: Values, weights: Values) -> Values:
    observed, shares = observed_and_shares(features)
    if values.size < 2:
        return np.full_like(observed, np.nan)
    spread = inner(shares, 1.0 - shares)
    expected = weights.sum() * spread / (values.size * (values.size - 1))
    return np.asarray((observed - expected) / (1.0 - expected))
