"""What "cannot judge" counts as: decided once, then the same for every figure of a table."""

from enum import StrEnum

import numpy as np
import numpy.typing as npt

from agreement.statistics.lists import Values


class CannotJudge(StrEnum):
    """The rule a table names.

    DROP leaves a pair with a missing value out of every figure, before and after adjudication and
    overruling alike, so that all of them speak of the same pairs.
    LOWEST counts it as the lowest value of the scale; the published CSFCube table came about so.
    """

    DROP = "drop"
    LOWEST = "lowest"


def counted_pairs(ratings: Values, rule: CannotJudge) -> npt.NDArray[np.bool_]:
    """Which columns of the ratings count under the rule, as a mask over pairs."""
    if rule is CannotJudge.DROP:
        complete: npt.NDArray[np.bool_] = np.count_nonzero(np.isnan(ratings), axis=0) == 0
        return complete
    return np.ones(ratings.shape[1], dtype=np.bool_)


def counted_ratings(ratings: Values, rule: CannotJudge, *, lowest: float) -> Values:
    """The ratings that count, without any NaN: columns dropped or NaN set to the lowest value.

    ``lowest`` is the lowest value of the scheme's scale, whether anybody chose it or not.
    """
    kept = ratings[:, counted_pairs(ratings, rule)]
    return np.where(np.isnan(kept), lowest, kept)
