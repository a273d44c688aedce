"""What "cannot judge" counts as: decided once, then the same for every figure of a table."""

from enum import StrEnum

import numpy as np
import numpy.typing as npt

from agreement.statistics.lists import Values

Skipped = npt.NDArray[np.bool_]


class CannotJudge(StrEnum):
    """The rule a table names. It decides what a rating counts as; a vote it never is, so that no
    majority ever comes of an absence (``agreement.statistics.majority``).

    LOWEST counts it as the lowest value of the scale; the published CSFCube table came about so.
    DROP leaves a pair with one out of every figure, before and after adjudication and overruling
    alike, so that all of them speak of the same pairs.
    GAPS keeps the pair without that rating: two lists are compared over the pairs that both rated,
    and coefficients of any number of raters take the ratings there are.
    """

    LOWEST = "lowest"
    DROP = "drop"
    GAPS = "gaps"


def counted_pairs(skipped: Skipped, rule: CannotJudge) -> npt.NDArray[np.bool_]:
    """Which pairs count under the rule; ``skipped`` (raters by pairs) is where one could not
    judge."""
    if rule is CannotJudge.DROP:
        without: npt.NDArray[np.bool_] = np.count_nonzero(skipped, axis=0) == 0
        return without
    return np.ones(skipped.shape[1], dtype=np.bool_)


def counted_values(
    ratings: Values, skipped: Skipped, rule: CannotJudge, *, lowest: float
) -> Values:
    """What the ratings of all pairs count as: NaN, or the lowest value where the rule says so.

    ``lowest`` is the lowest value of the scheme's scale, whether anybody chose it or not.
    """
    if rule is CannotJudge.LOWEST:
        return np.where(skipped, lowest, ratings)
    return ratings
