"""Grades of pairs from the ratings of the seats: pure functions on arrays.

Answers are (seats, pairs), NaN where a seat has no value. Missing values are filled first
(`filled`), so that the mean of two seats, one of them silent, follows the protocol.
"""

from collections.abc import Callable, Sequence
from decimal import Decimal

import numpy as np
import numpy.typing as npt

from annotation.rating.consensus import judge
from evaluation.measures import Ids, Values

Mask = npt.NDArray[np.bool_]
DIGITS = 9


def filled(answers: Values, seats: Ids, lowest: Values) -> Values:
    """A seat of the pair without a value gives it the lowest grade."""
    has_seat = np.arange(len(answers))[:, np.newaxis] < seats
    return np.where(np.isnan(answers) & has_seat, lowest, answers)


def highest(answers: Values, seats: Ids) -> Values:
    return _over_given(answers, np.nanmax)


def lowest(answers: Values, seats: Ids) -> Values:
    return _over_given(answers, np.nanmin)


def median(answers: Values, seats: Ids) -> Values:
    """The middle value; of an even number the mean of the two in the middle."""
    # Of 0.1 and 0.2 it is 0.15, without the last bits of their sum.
    return np.asarray(np.round(_over_given(answers, np.nanmedian), DIGITS))


def majority(answers: Values, seats: Ids) -> Values:
    """The value that more than half of the seats gave; no value where there is none."""
    values = np.full(answers.shape[1:], np.nan)
    for value in np.unique(answers[~np.isnan(answers)]):
        values[2 * np.count_nonzero(answers == value, axis=0) > seats] = value
    return values


def _over_given(answers: Values, reduce: Callable[..., Values]) -> Values:
    values = np.full(answers.shape[1:], np.nan)
    # Before the first rating of a study there is no row, which nothing can be the highest of.
    if len(answers):
        has_answer = ~np.isnan(answers).all(axis=0)
        values[has_answer] = reduce(answers[:, has_answer], axis=0)
    return values


def without_person(
    answers: Values,
    is_answered: Mask,
    is_theirs: Mask,
    gold: Values,
    *,
    rule: str,
    distance: Decimal | None,
) -> Values:
    """Gold as it would be without one person: their ratings go, and the rule is applied again to
    what the others said. Decisions on pairs that they rated are dropped. An unresolved pair takes
    the median of the other ratings, and a pair without any is unjudged. Other pairs keep their
    gold."""
    rated = is_theirs.any(axis=0)
    other_answers = np.where(is_theirs, np.nan, answers)[:, rated]
    spoken = (is_answered & ~is_theirs)[:, rated]
    values = gold.copy()
    values[rated] = _ruled(other_answers, spoken, rule, distance)
    return values


def _ruled(answers: Values, spoken: Mask, rule: str, distance: Decimal | None) -> Values:
    """The rule's value of each pair, else the median; answers without a value are "cannot judge".

    Few different columns occur, so that each is judged once."""
    columns = np.concatenate([answers, spoken.astype(float)])
    distinct, column_of = np.unique(columns, axis=1, return_inverse=True)
    seats = len(answers)
    values = [
        _rule_value(column[:seats], column[seats:] > 0, rule, distance) for column in distinct.T
    ]
    return np.array(values, dtype=np.float64)[column_of.reshape(-1)]


def _rule_value(answers: Values, spoken: Mask, rule: str, distance: Decimal | None) -> float:
    answers_of_pair: Sequence[Decimal | None] = [
        None if np.isnan(value) else Decimal(repr(float(value)))
        for value, has_spoken in zip(answers, spoken, strict=True)
        if has_spoken
    ]
    if answers_of_pair:
        verdict = judge(answers_of_pair, rule=rule, distance=distance)
        if verdict.agreed and verdict.value is not None:
            return float(verdict.value)
    values = answers[~np.isnan(answers)]
    return round(float(np.median(values)), DIGITS) if len(values) else float("nan")


COMBINED: dict[str, Callable[[Values, Ids], Values]] = {
    "majority": majority,
    "median": median,
    "highest": highest,
    "lowest": lowest,
}
