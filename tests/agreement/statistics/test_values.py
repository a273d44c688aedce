"""Published and hand-checked values of every measure, and the cases in which there is none."""

from functools import partial

import numpy as np
import pytest

from agreement.statistics import (
    Figure,
    Reason,
    cohen_kappa,
    krippendorff_alpha,
    ordinal_alpha,
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
    ("level", "expected"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)]
)
def test_alpha_of_the_textbook_example(level, expected):
    # 12 units, 4 raters, a row per rater; Krippendorff (2011), on any number of raters with
    # missing data.
    rows = ["123321412...", "1233224125..", ".33323422513", "12332441251."]
    ratings = [[np.nan if sign == "." else int(sign) for sign in row] for row in rows]

    assert krippendorff_alpha(ratings, level=level).value == pytest.approx(expected, abs=5e-4)


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
