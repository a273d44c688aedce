"""Hand-checked values of the measures, and the cases in which there is none."""

from functools import partial

import numpy as np
import pytest

from agreement.statistics import Figure, Reason, majority, majority_of_others
from agreement.statistics.any_raters import (
    fleiss_kappa,
    gwet_ac1,
    gwet_ac2,
    krippendorff_alpha,
    ordinal_alpha,
)
from agreement.statistics.two_raters import (
    cohen_kappa,
    kendall_tau_b,
    macro_f1,
    mean_signed_difference,
    percent_agreement,
    spearman_rho,
)


def nominal_alpha(first, second):
    return krippendorff_alpha([first, second], level="nominal")


COLUMNS = {
    "rho": spearman_rho,
    "ordinal alpha": ordinal_alpha,
    "nominal alpha": nominal_alpha,
    "kappa": cohen_kappa,
    "linear kappa": partial(cohen_kappa, weights="linear"),
    "quadratic kappa": partial(cohen_kappa, weights="quadratic"),
    "percent": percent_agreement,
}

# First list, second list, then a value per column; None is undefined. Rounded to three digits
# (percent to two); worked out by hand from the definitions.
VALUES = [
    ("0000", "0000", None, None, None, None, None, None, 100),
    ("00000", "01020", None, -0.122, -0.059, 0, 0, 0, 60),
    ("000", "111", None, -0.667, -0.667, 0, 0, 0, 0),
    ("0123", "3210", -1, -0.750, -0.167, -0.333, -0.600, -1, 0),
    ("2", "0", None, 0, 0, 0, 0, 0, 0),
    ("0000001123", "0000010132", 0.736, 0.750, 0.345, 0.310, 0.592, 0.802, 60),
    ("003303", "033300", 0.333, 0.389, 0.389, 0.333, 0.333, 0.333, 66.67),
    ("012012", "123123", 1, 0.528, -0.269, -0.286, 0.182, 0.571, 0),
]
CASES = [
    pytest.param(first, second, column, expected, id=f"{first}/{second} {column}")
    for first, second, *row in VALUES
    for column, expected in zip(COLUMNS, row, strict=True)
]


@pytest.mark.parametrize(("first", "second", "column", "expected"), CASES)
def test_measure_gives_the_hand_checked_value(first, second, column, expected):
    figure = COLUMNS[column]([int(sign) for sign in first], [int(sign) for sign in second])

    if expected is None:
        assert figure.value is None
        assert isinstance(figure.reason, Reason)
    else:
        # Half a unit of the last digit that the table prints.
        assert figure.value == pytest.approx(expected, abs=5e-3 if column == "percent" else 5e-4)


@pytest.mark.parametrize(
    ("measure", "first", "second", "reason"),
    [
        (percent_agreement, [], [], Reason.NO_PAIRS),
        (spearman_rho, [], [], Reason.NO_PAIRS),
        (spearman_rho, [1], [1], Reason.ONE_PAIR),
        (spearman_rho, [2, 2], [2, 2], Reason.CONSTANT_LIST),
        (spearman_rho, [2, 2], [0, 1], Reason.CONSTANT_LIST),
        (spearman_rho, [0, 1], [2, 2], Reason.CONSTANT_LIST),
        (cohen_kappa, [], [], Reason.NO_PAIRS),
        (cohen_kappa, [3, 3], [3, 3], Reason.ONE_VALUE),
        (ordinal_alpha, [], [], Reason.NO_PAIRS),
        (ordinal_alpha, [3, 3], [3, 3], Reason.ONE_VALUE),
        (kendall_tau_b, [], [], Reason.NO_PAIRS),
        (kendall_tau_b, [1], [1], Reason.ONE_PAIR),
        (kendall_tau_b, [2, 2], [0, 1], Reason.CONSTANT_LIST),
        (macro_f1, [], [], Reason.NO_PAIRS),
        (mean_signed_difference, [], [], Reason.NO_PAIRS),
    ],
)
def test_undefined_names_its_reason(measure, first, second, reason):
    assert measure(first, second) == Figure.undefined(reason)


def test_alpha_is_undefined_when_no_unit_has_two_ratings():
    ratings = [[1, np.nan, 2], [np.nan, 3, np.nan]]

    assert krippendorff_alpha(ratings, level="ordinal") == Figure.undefined(Reason.NO_PAIRS)


def test_alpha_ignores_a_value_that_only_unpaired_units_have():
    # The last unit has one rating, so what is left is the single value 1: 0/0, not agreement 1.
    ratings = [[1, 1, 5], [1, 1, np.nan]]

    assert krippendorff_alpha(ratings, level="ordinal") == Figure.undefined(Reason.ONE_VALUE)


def test_linear_kappa_takes_its_distances_from_the_values_not_their_positions():
    with_gap = cohen_kappa([0, 0, 1, 3], [0, 1, 3, 0], weights="linear").value
    without_gap = cohen_kappa([0, 0, 1, 2], [0, 1, 2, 0], weights="linear").value

    # By hand: observed 0+1+2+3 over 4, expected 20 over 16; and 0+1+1+2 over 4, 14 over 16.
    assert with_gap == pytest.approx(1 - (6 / 4) / (20 / 16), abs=1e-12)
    assert without_gap == pytest.approx(1 - (4 / 4) / (14 / 16), abs=1e-12)


OF_ANY_NUMBER = [partial(krippendorff_alpha, level="nominal"), gwet_ac1, gwet_ac2, fleiss_kappa]


@pytest.mark.parametrize("measure", OF_ANY_NUMBER)
@pytest.mark.parametrize(
    ("ratings", "reason"),
    [
        (np.empty((0, 0)), Reason.NO_PAIRS),
        (np.empty((3, 0)), Reason.NO_PAIRS),
        ([[0, 1, 2]], Reason.NO_PAIRS),
        ([[1, np.nan, 2], [np.nan, 3, np.nan]], Reason.NO_PAIRS),
        ([[2, 2], [2, 2], [np.nan, 2]], Reason.ONE_VALUE),
    ],
)
def test_undefined_of_any_number_of_raters_names_its_reason(measure, ratings, reason):
    assert measure(ratings) == Figure.undefined(reason)


def test_ac_is_full_agreement_on_one_of_several_possible_values():
    # Kappa and alpha are 0/0 here. With a scale of one value there is nothing to agree on.
    ratings = [[0, 0, 0], [0, 0, 0]]

    assert gwet_ac1(ratings, values=[0, 1, 2]) == Figure(1.0)
    assert gwet_ac2(ratings, values=[0, 1, 2]) == Figure(1.0)
    assert gwet_ac1(ratings, values=[0]) == Figure.undefined(Reason.ONE_VALUE)


def test_ac1_counts_the_possible_values_whether_used_or_not():
    # By hand: observed 3/4; shares 5/8 and 3/8, so 2 * (15/64) is divided by k - 1.
    ratings = [[0, 0, 0, 1], [0, 0, 1, 1]]

    assert gwet_ac1(ratings).value == pytest.approx((3 / 4 - 30 / 64) / (1 - 30 / 64), abs=1e-12)
    assert gwet_ac1(ratings, values=[0, 1, 2]).value == pytest.approx(
        (3 / 4 - 15 / 64) / (1 - 15 / 64), abs=1e-12
    )


def test_a_rating_outside_the_scale_is_refused():
    with pytest.raises(ValueError, match="The rating 4 lies outside the scale"):
        gwet_ac1([[0, 4], [0, 1]], values=[0, 1, 2, 3])


def test_majority_is_what_more_than_half_of_the_seats_gave():
    ratings = [[0, 0, 0, 1, np.nan], [0, 1, np.nan, np.nan, np.nan], [1, 2, 0, np.nan, np.nan]]

    # Two of three; three different; two of three beside a gap; a single rating; none.
    np.testing.assert_array_equal(majority(ratings), [0, np.nan, 0, np.nan, np.nan])


def test_absence_makes_no_majority():
    gap = np.nan
    # Two of four beside two who could not judge; two of three seats; two of two; one of two; one.
    ratings = [[1, 1, 1, 1, 1], [1, 1, 1, gap, gap], [gap, gap, gap, gap, gap], [gap] * 5]

    majorities = majority(ratings, seats=[4, 3, 2, 2, 1])

    np.testing.assert_array_equal(majorities, [gap, 1, 1, gap, gap])


def test_majority_of_the_others_is_without_the_own_vote():
    gap = np.nan
    ratings = [[0, 0, 1, gap, 2], [0, 0, 1, 1, 2], [1, 0, 1, 1, gap], [gap, gap, 2, 1, gap]]

    majorities = majority_of_others(ratings, seats=[3, 3, 4, 4, 2])

    np.testing.assert_array_equal(
        majorities,
        [
            # Of three: 0 and 1; 0 and 0. Of four: 1, 1 and 2; all 1. Of two there is one other.
            # The first two pairs have no fourth seat.
            [gap, 0, 1, 1, gap],
            [gap, 0, 1, 1, gap],
            [0, 0, 1, 1, gap],
            [gap, gap, 1, 1, gap],
        ],
    )
    assert majority_of_others(np.empty((0, 3))).shape == (0, 3)


def test_half_is_no_majority():
    assert np.isnan(majority([[0], [0], [1], [1]])).all()


def test_signed_difference_is_positive_when_the_first_rates_higher():
    assert mean_signed_difference([3, 2, 1], [1, 2, 0]) == Figure(1.0)
    assert mean_signed_difference([1, 2, 0], [3, 2, 1]) == Figure(-1.0)


def test_macro_f1_leaves_out_values_that_nobody_gave():
    # 1 and 3 occur in one list each and are never agreed on; 2 does not occur.
    assert macro_f1([0, 0, 1], [0, 0, 3]).value == pytest.approx(1 / 3, abs=1e-12)


@pytest.mark.parametrize("measure", [percent_agreement, spearman_rho, cohen_kappa])
def test_measure_refuses_missing_values(measure):
    with pytest.raises(ValueError, match="missing values"):
        measure([0, np.nan], [0, 1])


@pytest.mark.parametrize("measure", list(COLUMNS.values()), ids=list(COLUMNS))
def test_measure_refuses_lists_of_unequal_length(measure):
    with pytest.raises(ValueError):  # noqa: PT011  numpy words the message for the nominal alpha
        measure([0, 1, 2], [0, 1])


def test_figure_cannot_be_both_or_neither_or_nan():
    with pytest.raises(ValueError, match="either a value or a reason"):
        Figure()
    with pytest.raises(ValueError, match="either a value or a reason"):
        Figure(1.0, Reason.NO_PAIRS)
    with pytest.raises(ValueError, match="NaN"):
        Figure(float("nan"))
