"""The measures of any number of raters, with gaps: Gwet's AC1 and AC2, Fleiss' kappa, and alpha.

Gwet's, and all that a unit adds up to: Gwet, K. L. (2008). Computing inter-rater reliability and
its variance in the presence of high agreement. British Journal of Mathematical and Statistical
Psychology 61(1), 29-48. With weights and missing ratings: Gwet, K. L. (2014). Handbook of
inter-rater reliability, 4th edition, chapters 2 and 4. Observed agreement is the mean, over the
units with two ratings or more, of the share of ordered pairs of ratings that agree, each counted by
its weight. How common a value is is the mean, over all units with a rating, of its share in the
unit's ratings; so a unit that only one rater saw says nothing about agreement, but something about
what chance would give.

Fleiss, J. L. (1971). Measuring nominal scale agreement among many raters. Psychological Bulletin
76(5), 378-382; with Gwet's extension to units with unequal numbers of ratings.

Alpha, of one matrix by the krippendorff package (Castro 2017), of stacks by us: Krippendorff, K.
(2011). Computing Krippendorff's alpha-reliability.
"""

from typing import Literal

import numpy as np
import numpy.typing as npt

from agreement.statistics.arrays import (
    MISSING,
    Positions,
    Values,
    apart,
    as_ratings,
    as_two_lists,
    inner,
    margins,
    ratio,
    scale_of,
    size,
    weighted,
)
from agreement.statistics.figures import Figure, Reason

# The columns of a unit's features, before a column for each value's share in its ratings.
PAIRED, AGREED, RATED, SHARES = range(4)
# To compare with each of so few values takes a third of the time of looking every rating up.
FEW_VALUES = 16


def positions_of(ratings: Values, values: Values) -> Positions:
    """Ratings of any shape as positions in the scale, MISSING for NaN."""
    if values.size > FEW_VALUES:
        positions = np.searchsorted(values, ratings)
    else:
        below = np.zeros(ratings.shape, dtype=np.int8)  # bytes add up faster
        for value in values:
            below += ratings > value
        positions = below.astype(np.int_)
    return np.where(np.isnan(ratings), MISSING, positions)


def value_counts(patterns: Positions, values: Values) -> Values:
    """The number of ratings of each value in every row of positions: (rows, k)."""
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
    """The features of each unit: (rows, 3 + k), in the columns PAIRED, AGREED, RATED, SHARES..."""
    counts = value_counts(patterns, values)
    raters = counts.sum(axis=1)
    in_agreement = (counts * (counts @ weights - 1.0)).sum(axis=1)
    features = np.empty((len(patterns), SHARES + values.size))
    features[:, PAIRED] = raters >= 2
    features[:, AGREED] = in_agreement / np.where(raters >= 2, raters * (raters - 1.0), np.inf)
    features[:, RATED] = raters >= 1
    features[:, SHARES:] = counts / np.maximum(raters, 1.0)[:, np.newaxis]
    return features


def plain_features(patterns: Positions, values: Values) -> Values:
    """The features where only equal values agree."""
    return agreement_features(patterns, values, weights=identity_weights(values))


def ordinal_features(patterns: Positions, values: Values) -> Values:
    """The features by Gwet's ordinal weights."""
    return agreement_features(patterns, values, weights=ordinal_weights(values))


def observed_and_shares(features: Values) -> tuple[Values, Values]:
    """Observed agreement (...) and how common each value is (..., k); NaN without such units."""
    observed = ratio(features[..., AGREED], features[..., PAIRED])
    return observed, ratio(features[..., SHARES:], features[..., RATED, np.newaxis])


def any_pair(features: Values) -> npt.NDArray[np.bool_]:
    """A mask of the sums of features (..., 3 + k) that hold a unit with two ratings."""
    has_pair: npt.NDArray[np.bool_] = features[..., PAIRED] > 0.5
    return has_pair


def features_of_ratings(
    ratings: npt.ArrayLike, values: npt.ArrayLike | None, *, ordinal: bool
) -> tuple[Values, Values]:
    """The features of a matrix (raters by units) added up, and the scale."""
    matrix = as_ratings(ratings)
    scale = scale_of(matrix, values=values)
    weights = ordinal_weights(scale) if ordinal else identity_weights(scale)
    features = agreement_features(positions_of(matrix, scale).T, scale, weights=weights)
    return features.sum(axis=0), scale


def why_undefined(features: Values) -> Reason:
    return Reason.ONE_VALUE if features[PAIRED] else Reason.NO_PAIRS


def figure_of(value: Values, features: Values) -> Figure:
    if np.isnan(value):
        return Figure.undefined(why_undefined(features))
    return Figure(float(value))


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

    matrix = as_ratings(ratings)
    # The package takes its value domain from all ratings, also of units it then leaves out, and
    # would answer 0/0 with NaN and a warning; so the units that cannot count go first.
    pairable = matrix[:, np.count_nonzero(~np.isnan(matrix), axis=0) >= 2]
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
    return krippendorff_alpha(np.vstack(as_two_lists(first, second)), level="ordinal")


def coincidences_of(patterns: Positions, values: Values) -> Values:
    """The coincidences of each row of positions, a unit's ratings: (rows, k * k).

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
    value_counts_of, _ = margins(coincidences)
    distance = _squared_distances(value_counts_of, values, level)
    observed = weighted(coincidences, distance) * (size(coincidences) - 1.0)
    expected = weighted(
        value_counts_of[..., :, np.newaxis] * value_counts_of[..., np.newaxis, :], distance
    )
    return 1.0 - ratio(observed, expected)


def alpha_of_tables(tables: Values, values: Values, *, level: Level) -> Values:
    """Alpha of each confusion table of a stack (..., k, k): each pair coincides in both orders."""
    return alpha_of_coincidences(tables + np.swapaxes(tables, -2, -1), values, level=level)


def _squared_distances(value_counts: Values, values: Values, level: Level) -> Values:
    match level:
        case "nominal":
            return np.asarray(apart(values) != 0, dtype=np.float64)
        case "interval":
            return apart(values) ** 2
        case "ordinal":
            # The sum from n_c to n_k less half of both ends is the way between the values' middles.
            middles = np.cumsum(value_counts, axis=-1) - value_counts / 2
            between: Values = middles[..., :, np.newaxis] - middles[..., np.newaxis, :]
            return between * between
    raise ValueError(f"Unknown level {level!r}.")
