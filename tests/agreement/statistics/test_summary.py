import numpy as np
import pytest

from agreement.statistics import CannotJudge, Figure, Reason, counted_pairs, counted_values, mean
from agreement.statistics.figures import median, single
from tests.agreement.statistics.plain import between_raters, mean_of_all, with_gold

NO_VALUE = Figure.undefined(Reason.CONSTANT_LIST)


def test_median_of_an_even_number_is_the_mean_of_the_middle_two():
    summary = median([Figure(0.1), Figure(0.9), Figure(0.2), Figure(0.4)])

    assert summary.figure.value == pytest.approx(0.3, abs=1e-12)


def test_undefined_figures_are_left_out_and_counted_by_reason():
    figures = [Figure(1.0), NO_VALUE, Figure(0.0), Figure(0.2), NO_VALUE]

    assert median(figures).figure == Figure(0.2)
    assert mean(figures).figure.value == pytest.approx(0.4, abs=1e-12)
    for summary in (median(figures), mean(figures)):
        assert summary.defined == 3
        assert summary.undefined == 2
        assert summary.left_out == {Reason.CONSTANT_LIST: 2}


def test_summary_of_nothing_defined_is_undefined_with_the_common_reason():
    assert median([NO_VALUE, NO_VALUE]).figure == NO_VALUE
    assert mean([NO_VALUE, Figure.undefined(Reason.ONE_PAIR)]).figure.reason == Reason.NO_FIGURES
    assert median([]).figure == Figure.undefined(Reason.NO_FIGURES)


def test_single_summarises_one_figure():
    assert single(Figure(0.5)).figure == Figure(0.5)
    assert single(NO_VALUE).undefined == 1


def test_after_adjudication_is_the_mean_of_the_two_comparisons_with_gold():
    ratings = np.array([[0.0, 0, 1, 3], [0, 2, 1, 3]])
    gold = np.array([0.0, 2, 1, 2])

    after = with_gold((ratings, gold))

    # First agrees with gold on 2 of 4 pairs, second on 3 of 4.
    assert after["percent"].figure == Figure(62.5)


def test_figure_of_which_one_half_is_undefined_is_undefined_and_says_how_many():
    ratings = np.array([[0.0, 0, 0], [0, 1, 2]])
    gold = np.array([0.0, 1, 2])

    after = with_gold((ratings, gold))["rho"]

    assert after.figure == NO_VALUE
    assert (after.defined, after.left_out) == (1, {Reason.CONSTANT_LIST: 1})
    assert median([after.figure, Figure(0.5)]).left_out == {Reason.CONSTANT_LIST: 1}


def test_mean_of_all_needs_every_figure():
    assert mean_of_all([Figure(0.25), Figure(0.75)]).figure == Figure(0.5)
    assert mean_of_all([Figure(0.25), NO_VALUE]).figure == NO_VALUE
    assert mean_of_all([]).figure == Figure.undefined(Reason.NO_FIGURES)


def test_three_seats_are_compared_two_by_two():
    ratings = np.array([[0.0, 1, 2, 3], [0, 1, 2, 0], [0, 1, 0, 0]])

    assert between_raters(ratings)["percent"].figure.value == pytest.approx((75 + 50 + 75) / 3)


def test_parts_are_pooled_per_pair_of_seats():
    two_seats = np.array([[0.0, 0], [0, 1]])
    three_seats = np.array([[2.0, 2], [2, 2], [2, 0]])

    percent = between_raters(two_seats, three_seats)["percent"].figure.value

    # First and second over all four pairs; the third seat over the two pairs that have one.
    assert percent == pytest.approx((75 + 50 + 50) / 3)


def test_gold_is_pooled_over_parts():
    first = (np.array([[0.0, 0], [0, 1]]), np.array([0.0, 0]))
    second = (np.array([[3.0, 2], [1, 1]]), np.array([3.0, 2]))

    assert with_gold(first, second)["percent"].figure.value == pytest.approx((100 + 25) / 2)
    assert with_gold()["percent"].figure == Figure.undefined(Reason.NO_PAIRS)


def test_one_seat_has_nothing_to_be_compared_with():
    before = between_raters(np.array([[0.0, 1, 2]]))

    assert before["kappa"].figure == Figure.undefined(Reason.NO_COMPARISON)


def test_drop_leaves_out_every_pair_with_a_missing_value():
    skipped = np.array([[False, True, False, False], [False, False, True, False]])

    assert counted_pairs(skipped, CannotJudge.DROP).tolist() == [True, False, False, True]


def test_lowest_counts_a_missing_value_as_the_lowest_of_the_scale():
    ratings = np.array([[2.0, np.nan], [3, 3]])

    counted = counted_values(ratings, np.isnan(ratings), CannotJudge.LOWEST, lowest=1)

    assert counted_pairs(np.isnan(ratings), CannotJudge.LOWEST).all()
    assert counted.tolist() == [[2, 1], [3, 3]]


def test_gaps_keeps_the_pair_without_the_rating():
    ratings = np.array([[2.0, np.nan], [3, 3]])

    counted = counted_values(ratings, np.isnan(ratings), CannotJudge.GAPS, lowest=1)

    assert counted_pairs(np.isnan(ratings), CannotJudge.GAPS).all()
    np.testing.assert_array_equal(counted, ratings)
