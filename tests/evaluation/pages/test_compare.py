"""Two runs as drawn: which two, the axis around 0, and bars of grades."""

from types import SimpleNamespace

import pytest
from django.core.exceptions import BadRequest

from evaluation.pages.compare import Line, _around_zero, _bars, _mark, two_runs
from evaluation.runs.comparison import Difference
from evaluation.sources.source import GOLD

RUNS = ["BM25", "dense", "both"]


def difference(mean, low=0.0, high=0.0):
    return Difference(GOLD, mean, low, high, 0.5, 1, 0, 0)


# --- which two -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("parameters", "two"),
    [
        ({}, ("BM25", "dense")),
        ({"a": "both"}, ("both", "BM25")),
        ({"b": "both"}, ("BM25", "both")),
        ({"a": "dense", "b": "BM25"}, ("dense", "BM25")),
        # A run is not compared with itself.
        ({"a": "dense", "b": "dense"}, ("dense", "BM25")),
        ({"b": "BM25"}, ("BM25", "dense")),
    ],
)
def test_two_runs_are_those_of_the_address_and_never_the_same(parameters, two):
    assert two_runs(SimpleNamespace(parameters=parameters), RUNS) == two


@pytest.mark.parametrize("side", ["a", "b"])
def test_run_that_there_is_not_is_refused(side):
    with pytest.raises(BadRequest, match=f"{side} is 'none'"):
        two_runs(SimpleNamespace(parameters={side: "none"}), RUNS)


# --- the axis ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("differences", "end", "step"),
    [
        ([difference(0)], 5, 5),
        ([difference(0.01, -0.04, 0.05)], 5, 5),
        ([difference(0.01, -0.06, 0.05)], 10, 5),
        # Beyond, steps are longer.
        ([difference(0.1, 0.01, 0.11)], 20, 10),
        ([difference(0.1, 0.01, 0.26)], 40, 20),
        ([difference(0.1, 0.01, 0.45)], 50, 25),
        ([difference(-0.9, -1, -0.5)], 100, 50),
        ([difference(0.01), difference(0.02, -0.11, 0.03)], 20, 10),
    ],
)
def test_axis_holds_all_intervals_with_0_in_the_middle(differences, end, step):
    axis = _around_zero(differences)

    assert (axis.low, axis.high, axis.step) == (-end, end, step)
    assert axis.ticks[len(axis.ticks) // 2].is_zero
    # More numbers would not stand beside each other on a narrow page.
    assert len(axis.ticks) <= 5


def test_mark_is_in_points():
    mark = _mark(difference(0.025, -0.025, 0.05), _around_zero([difference(0.05)]))

    assert (mark.at, mark.low, mark.high) == ("75.00%", "25.00%", "100.00%")


def test_line_whose_runs_stand_at_one_place_is_tied():
    assert Line(None, "50.00%", "50.00%", "", "").is_tied
    assert not Line(None, "50.00%", "50.01%", "", "").is_tied


# --- grades --------------------------------------------------------------------------------------


def test_bar_of_a_grade_is_as_high_as_it_is_dark():
    bars = _bars([(0.0, "h1"), (1.0, "h2"), (2.0, "h4"), (3.0, "h6"), (None, "h1")], 8)

    assert [(bar.shade, bar.y, bar.height) for bar in bars] == [
        ("h1", "15", "7"),
        ("h2", "10", "12"),
        ("h4", "5", "17"),
        ("h6", "0", "22"),
        # Of what nobody judged there is a line alone.
        ("h1", "20", "2"),
    ]
    assert [bar.x for bar in bars] == ["0.000%", "12.500%", "25.000%", "37.500%", "50.000%"]
    assert {bar.width for bar in bars} == {"12.500%"}
