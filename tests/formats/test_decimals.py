"""Decimals: plain in files, with a minus where people read."""

from decimal import Decimal

import pytest

from formats.decimals import plain, printed_grade, typeset


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("2", "2"),
        ("2.50", "2.5"),
        ("2.00", "2"),
        ("0.00", "0"),
        ("-0.50", "-0.5"),
        ("100", "100"),
        ("1E+3", "1000"),
        ("1E-7", "0.0000001"),
        ("0.1234567890123456789012345", "0.1234567890123456789012345"),
    ],
)
def test_a_decimal_has_no_exponent_and_no_zeros_behind(written, text):
    assert plain(Decimal(written)) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Decimal("-1.50"), "\u22121.5"),
        (Decimal("100"), "100"),
        (-0.5, "\u22120.5"),
        (2.0, "2"),
        (0.1 + 0.2, "0.3"),
        (0.0, "0"),
    ],
)
def test_a_grade_that_people_read_has_a_minus_and_only_the_digits_that_count(value, text):
    assert printed_grade(value) == text


def test_every_hyphen_of_a_number_becomes_a_minus():
    assert typeset("-1 to -2") == "\u22121 to \u22122"
