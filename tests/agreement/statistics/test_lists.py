"""The arrays that every statistic takes: what is refused, and what "cannot judge" counts as."""

import numpy as np
import pytest

from agreement.statistics import CannotJudge, Reason, counted_pairs, counted_values
from agreement.statistics.any_raters import FEW_VALUES, alpha_of_tables, ordinal_alpha, positions_of
from agreement.statistics.arrays import as_ratings, as_two_lists, scale_of, why_no_order
from agreement.statistics.two_raters import cohen_kappa

GAP = np.nan


@pytest.mark.parametrize(
    ("first", "second", "sentence"),
    [
        ([0, 1], [0], r"equal length, got shapes \(2,\) and \(1,\)"),
        ([[0, 1]], [[0, 1]], r"got shapes \(1, 2\) and \(1, 2\)"),
        ([0, GAP], [0, 1], "missing values"),
        ([0, 1], [GAP, 1], "missing values"),
        ([0, np.inf], [0, 1], "missing values"),
    ],
)
def test_two_lists_are_of_one_length_and_without_gaps(first, second, sentence):
    with pytest.raises(ValueError, match=sentence):
        as_two_lists(first, second)


@pytest.mark.parametrize(("first", "second"), [([0, 1], [0]), ([[0, 1]], [[0, 1]])])
def test_alpha_takes_two_lists_of_one_length(first, second):
    with pytest.raises(ValueError, match="Expected two lists of equal length"):
        ordinal_alpha(first, second)


@pytest.mark.parametrize(
    ("first", "second", "reason"),
    [
        ([], [], Reason.NO_PAIRS),
        ([1], [2], Reason.ONE_PAIR),
        ([1, 1], [1, 2], Reason.CONSTANT_LIST),
        ([1, 2], [2, 2], Reason.CONSTANT_LIST),
        ([1, 2], [2, 1], None),
    ],
)
def test_orders_are_compared_of_lists_that_have_one(first, second, reason):
    assert why_no_order(*as_two_lists(first, second)) is reason


def test_ratings_are_finite_or_missing_and_have_a_row_per_rater():
    np.testing.assert_array_equal(as_ratings([[0, GAP]]), [[0, GAP]])
    with pytest.raises(ValueError, match=r"raters by units, got shape \(2,\)"):
        as_ratings([0, 1])
    with pytest.raises(ValueError, match="is infinite"):
        as_ratings([[0, 1], [np.inf, 1]])


def test_scale_is_what_is_given_or_what_is_in_use():
    ratings = np.array([[2, GAP, 0], [2, 2, 0.5]])

    assert scale_of(ratings).tolist() == [0, 0.5, 2]
    assert scale_of(ratings, values=[3, 2, 0.5, 0, 0]).tolist() == [0, 0.5, 2, 3]
    assert scale_of(np.full((2, 1), GAP)).tolist() == []
    with pytest.raises(ValueError, match=r"The rating 0\.5 lies outside the scale"):
        scale_of(ratings, values=[0, 1, 2])


@pytest.mark.parametrize("count", [1, 4, FEW_VALUES, FEW_VALUES + 1, 40])
def test_ratings_are_positions_in_scales_of_any_length(count):
    scale = np.arange(count) / 4 - 1
    places = np.array([[0, count - 1, -1], [-1, count // 2, 0]])

    ratings = np.where(places < 0, GAP, scale[places])

    assert positions_of(ratings, scale).tolist() == places.tolist()


@pytest.mark.parametrize(
    ("rule", "kept", "values"),
    [
        ("lowest", [True, True, True], [[-1, 2, 1], [1, -1, GAP]]),
        ("drop", [False, False, True], [[GAP, 2, 1], [1, GAP, GAP]]),
        ("gaps", [True, True, True], [[GAP, 2, 1], [1, GAP, GAP]]),
    ],
)
def test_cannot_judge_is_no_missing_seat(rule, kept, values):
    ratings = np.array([[GAP, 2, 1], [1, GAP, GAP]])
    skipped = np.array([[True, False, False], [False, True, False]])

    assert counted_pairs(skipped, CannotJudge(rule)).tolist() == kept
    counted = counted_values(ratings, skipped, CannotJudge(rule), lowest=-1)
    np.testing.assert_array_equal(counted, values)


def test_levels_and_weights_that_there_are_not_are_refused():
    with pytest.raises(ValueError, match="Unknown weights 'cubic'"):
        cohen_kappa([0, 1], [0, 2], weights="cubic")
    with pytest.raises(ValueError, match="Unknown level 'ratio'"):
        alpha_of_tables(np.eye(2), np.array([0.0, 1.0]), level="ratio")
