"""Grades of pairs from the ratings of their seats."""

from decimal import Decimal

import numpy as np
import pytest

from evaluation.sources.picking import (
    filled,
    highest,
    lowest,
    majority,
    median,
    without_person,
)

NO = np.nan
TWO = np.array([2, 2, 2, 2])
ANSWERS = np.array([[0.0, 2.0, NO, NO], [1.0, 2.0, 3.0, NO]])


def same(actual, expected):
    np.testing.assert_array_equal(actual, np.array(expected, dtype=float))


def test_grades_of_seats_are_combined_from_the_values_there_are():
    same(highest(ANSWERS, TWO), [1, 2, 3, NO])
    same(lowest(ANSWERS, TWO), [0, 2, 3, NO])
    same(median(ANSWERS, TWO), [0.5, 2, 3, NO])


def test_median_of_decimals_is_the_decimal_between_them():
    same(median(np.array([[0.1, 0.7], [0.2, 1.4]]), TWO[:2]), [0.15, 1.05])
    theirs = [[False], [False], [True]]
    same(left_out([[0.1], [0.2], [2]], theirs, [2], rule="adjudicate_all"), [0.15])


def test_majority_takes_more_than_half_of_all_seats():
    same(majority(ANSWERS, TWO), [NO, 2, NO, NO])


def test_a_missing_value_that_counts_as_the_lowest_is_there_before_anything_is_put_together():
    answers = filled(ANSWERS, np.array([2, 2, 2, 1]), np.zeros(4))

    same(answers[1], [1, 2, 3, NO])  # the last pair has no second seat
    same(median(answers, TWO), [0.5, 2, 1.5, 0])


def left_out(answers, theirs, gold, rule="any_difference", distance=None):
    answers = np.array(answers, dtype=float)
    return without_person(
        answers,
        ~np.isnan(answers),
        np.array(theirs, dtype=bool),
        np.array(gold, dtype=float),
        rule=rule,
        distance=distance,
    )


def test_without_a_person_the_rule_decides_on_the_rest_and_decisions_on_their_pairs_go():
    """Decided 3 by an adjudicator against 0 and 2: the second's 2 stays."""
    values = left_out([[0, 1], [2, 1]], [[True, False], [False, False]], [3, 1])

    same(values, [2, 1])


def test_what_is_unresolved_without_a_person_takes_the_median_of_the_rest():
    values = left_out([[0], [1], [3], [1]], [[True], [False], [False], [False]], [1])

    same(values, [1])


def test_what_has_no_other_rating_is_unjudged():
    same(left_out([[2]], [[True]], [2]), [NO])


@pytest.mark.parametrize(("rule", "expected"), [("majority", 2), ("adjudicate_all", 2)])
def test_a_single_rest_stands_under_every_rule(rule, expected):
    same(left_out([[0], [2]], [[True], [False]], [0], rule=rule), [expected])


def test_without_a_person_who_did_not_answer_has_said_nothing():
    """Others gave 1 and 2; a third seat is empty, or could not judge, or gave 3."""
    theirs = np.array([[True] * 3, [False] * 3, [False] * 3, [False] * 3])
    answers = np.array([[0.0] * 3, [1] * 3, [2] * 3, [NO, NO, 3]])
    is_answered = ~np.isnan(answers)
    is_answered[3, 1] = True

    grades = without_person(
        answers,
        is_answered,
        theirs,
        np.zeros(3),
        rule="difference_of_at_least",
        distance=Decimal(2),
    )

    # The rule's lower median; disputed by an absence, and by a distance of 2: the median.
    same(grades, [1, 1.5, 2])


def test_no_seats_say_nothing():
    for together in (highest, lowest, median, majority):
        same(together(np.empty((0, 3)), np.zeros(3)), [NO, NO, NO])
