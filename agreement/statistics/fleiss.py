"""Fleiss' kappa, with Gwet's extension to missing ratings.

Fleiss, J. L. (1971). Measuring nominal scale agreement among many raters. Psychological Bulletin
76(5), 378-382. Units with unequal numbers of ratings: Gwet, K. L. (2014). Handbook of inter-rater
reliability, 4th edition, chapter 2.
"""

import numpy as np
import numpy.typing as npt

from agreement.statistics.figures import Figure
from agreement.statistics.lists import Values
from agreement.statistics.tables import inner
from agreement.statistics.units import features_of_ratings, figure_of, observed_and_shares


def fleiss_kappa(ratings: npt.ArrayLike) -> Figure:
    """Kappa of a matrix with one row per rater and one column per unit; NaN is a missing rating.

    (observed - expected) / (1 - expected), where chance is the sum of the squared shares of the
    values. 1 is full agreement, 0 what chance gives, below 0 systematic disagreement. With the same
    number of ratings in each unit it is Fleiss' own. Values that nobody gave change nothing.
    Undefined when no unit has two ratings, or when one value is in use (0/0).

    >>> fleiss_kappa([[0, 0, 1, 1], [0, 1, 1, 1]]).value
    0.4666666666666667
    """
    features, scale = features_of_ratings(ratings, None, ordinal=False)
    return figure_of(fleiss_kappa_of_features(features, scale), features)


def fleiss_kappa_of_features(features: Values, values: Values) -> Values:
    """Kappa of each (..., 3 + k) sum of ``agreement_features`` with identity weights."""
    observed, shares = observed_and_shares(features)
    one_value = np.count_nonzero(shares, axis=-1) < 2
    expected = np.where(one_value, np.nan, inner(shares, shares))
    return np.asarray((observed - expected) / (1.0 - expected))
