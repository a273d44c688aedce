import pytest

from formats.whole_numbers import whole_number


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("0", 0),
        ("07", 7),
        ("1000", 1000),
        ("1001", None),
        # As short as the largest by its first digits alone, and far beyond it.
        ("0000100000", None),
        ("9" * 5000, None),
        ("", None),
        ("-1", None),
        ("+1", None),
        ("1_0", None),
        (" 1", None),
        ("1.0", None),
        ("\u0661", None),
        ("\u00b2", None),
    ],
)
def test_digits_up_to_the_largest_number_are_one(text, number):
    assert whole_number(text, most=1000) == number
