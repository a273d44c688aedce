"""How scores are printed."""

from types import SimpleNamespace

import pytest

from agreement.tables.cells import NONE
from evaluation.points import decimals, p_value, points, signed_points, span, whole_percent
from formats.decimals import MINUS


@pytest.mark.parametrize(
    ("printed", "text"),
    [
        (points(0.5391), "53.91"),
        (points(-0.05, 1), f"{MINUS}5.0"),
        (points(None), NONE),
        (signed_points(0.0123), "+1.23"),
        (signed_points(-0.0123, 1), f"{MINUS}1.2"),
        (signed_points(None), NONE),
        (decimals(-0.5), f"{MINUS}0.50"),
        (decimals(0.5, 3), "0.500"),
        (decimals(None), NONE),
        (span(SimpleNamespace(low=0.469, high=0.607)), "46.9 to 60.7"),
        (span(SimpleNamespace(low=0.469, high=None)), ""),
        (span(SimpleNamespace(low=None, high=0.607)), ""),
    ],
)
def test_scores_are_printed_as_papers_have_them(printed, text):
    assert printed == text


def test_difference_that_rounds_to_nothing_has_no_sign():
    assert (points(-1e-9), decimals(-1e-9), signed_points(-1e-9)) == ("0.00", "0.00", "0.00")
    assert (signed_points(0.0), signed_points(0.0004, 1), signed_points(0.0006, 1)) == (
        "0.00", "0.0", "+0.1",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("share", "text"), [(1.0, "100%"), (0.999, "99%"), (0.5, "50%"), (0.0, "0%"), (None, NONE)]
)
def test_what_is_not_all_is_never_a_hundred_percent(share, text):
    assert whole_percent(share) == text


@pytest.mark.parametrize(
    ("p", "text"),
    [
        (None, "undefined"),
        (0.0009, "<0.001"),
        (0.001, "0.001"),
        (0.0456, "0.046"),
        (0.1, "0.10"),
        (1.0, "1.00"),
    ],
)
def test_p_has_as_many_decimals_as_it_deserves(p, text):
    assert p_value(p) == text
