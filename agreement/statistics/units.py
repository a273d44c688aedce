"""What chance-corrected agreement of any number of raters, with gaps, is made of.

Gwet, K. L. (2014). Handbook of inter-rater reliability, 4th edition, chapters 2 and 4. Observed
agreement is the mean, over the units with two ratings or more, of the share of ordered pairs of
ratings that agree, each counted by its weight. How common a value is is the mean, over all units
with a rating, of its share in the unit's ratings; so a unit that only one rater saw says nothing
about agreement, but something about what chance would give.
"""

import numpy as np
import numpy.typing as npt

from agreement.statistics.figures import Figure, Reason
from agreement.statistics.lists import Values, as_ratings, scale_of
from agreement.statistics.tables import MISSING, Positions, ratio

# The columns of a unit's features, before a column for each value's share in its ratings.
PAIRED, AGREED, RATED, SHARES = range(4)


def positions_of(ratings: Values, values: Values) -> Positions:
    """Ratings of any shape as positions in the scale, MISSING for NaN."""
    positions: Positions = np.where(
        np.isnan(ratings), MISSING, np.searchsorted(values, ratings)
    ).astype(np.int_)
    return positions


def value_counts(patterns: Positions, values: Values) -> Values:
    """How many ratings of each value every row of positions holds: (rows, k)."""
    counts = np.zeros((len(patterns), values.size))
    for rater in patterns.T:
        rated = np.flatnonzero(rater != MISSING)
        counts[rated, rater[rated]] += 1.0
    return counts


def identity_weights(values: Values) -> Values:
    """Only equal values agree."""
    return np.eye(values.size)


def ordinal_weights(values: Values) -> Values:
    """Gwet's ordinal weights: 1 - C(m, 2) / C(k, 2), m the number of values from one to the other.

    They depend on positions in the scale alone, and on the scale's width k, used or not.
    """
    positions = np.arange(values.size)
    between = np.abs(np.subtract.outer(positions, positions)) + 1.0
    two_of_them = between * (between - 1.0) / 2.0
    weights: Values = 1.0 - two_of_them / max(1.0, two_of_them.max(initial=0.0))
    return weights


def agreement_features(patterns: Positions, values: Values, *, weights: Values) -> Values:
    """What each unit adds up: (rows, 3 + k), in the columns PAIRED, AGREED, RATED, SHARES..."""
    counts = value_counts(patterns, values)
    raters = counts.sum(axis=1)
    in_agreement = (counts * (counts @ weights - 1.0)).sum(axis=1)
    features = np.empty((len(patterns), SHARES + values.size))
    features[:, PAIRED] = raters >= 2
    features[:, AGREED] = in_agreement / np.where(raters >= 2, raters * (raters - 1.0), np.inf)
    features[:, RATED] = raters >= 1
    features[:, SHARES:] = counts / np.maximum(raters, 1.0)[:, np.newaxis]
    return features


def observed_and_shares(features: Values) -> tuple[Values, Values]:
    """Observed agreement (...) and how common each value is (..., k); NaN without such units."""
    observed = ratio(features[..., AGREED], features[..., PAIRED])
    return observed, ratio(features[..., SHARES:], features[..., RATED, np.newaxis])


def any_pair(features: Values) -> npt.NDArray[np.bool_]:
    """Which sums of features (..., 3 + k) hold a unit with two ratings."""
    held: npt.NDArray[np.bool_] = features[..., PAIRED] > 0.5
    return held


def features_of_ratings(
    ratings: npt.ArrayLike, values: npt.ArrayLike | None, *, ordinal: bool
) -> tuple[Values, Values]:
    """The features of a matrix (raters by units) added up, and the scale."""
    data = as_ratings(ratings)
    scale = scale_of(data, values=values)
    weights = ordinal_weights(scale) if ordinal else identity_weights(scale)
    features = agreement_features(positions_of(data, scale).T, scale, weights=weights)
    return features.sum(axis=0), scale


def why_undefined(features: Values) -> Reason:
    return Reason.ONE_VALUE if features[PAIRED] else Reason.NO_PAIRS


def figure_of(value: Values, features: Values) -> Figure:
    if np.isnan(value):
        return Figure.undefined(why_undefined(features))
    return Figure(float(value))
