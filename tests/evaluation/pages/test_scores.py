"""The table of runs as drawn."""

import pytest

from evaluation.measures import parse
from evaluation.pages.scores import axis_of, mark_of
from evaluation.runs.scores import Cell, People, Row

P5, AP = parse("P@5"), parse("AP")


def cell(value=None, low=None, high=None, measure=P5):
    return Cell(measure, value, low, high, None, None)


def table(*cells):
    """A row for each; the other measure's values are all higher."""
    other = cell(1.0, measure=AP)
    return People(tuple(Row("a", "1", (of_row, other), 0) for of_row in cells))


@pytest.mark.parametrize(
    ("cells", "step", "high"),
    [
        ([cell(0.3)], 20, 40),
        ([cell(0.3, 0.1, 0.41)], 20, 60),
        ([cell(0.3, 0.1, 0.41)], 25, 50),
        ([cell(0.4)], 20, 40),
        ([cell(0.0)], 20, 20),
        ([cell(1.0, 0.9, 1.0)], 20, 100),
        # Of no value there is none to reach.
        ([cell(), cell(0.55)], 20, 60),
        ([], 20, 100),
    ],
)
def test_axis_reaches_from_0_to_the_step_above_the_highest_end(cells, step, high):
    axis = axis_of([table(*cells), table()], P5, step)

    assert (axis.low, axis.high, axis.step) == (0, high, step)


def test_mark_is_in_percent_with_its_interval():
    axis = axis_of([table(cell(0.3, 0.1, 0.4))], P5)

    mark = mark_of(cell(0.3, 0.1, 0.4), axis)

    assert (mark.at, mark.low, mark.high) == ("75.00%", "25.00%", "100.00%")
    assert mark_of(cell(), axis).at is None
