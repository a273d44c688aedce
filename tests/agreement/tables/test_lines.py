"""Lines of points: a panel for each series and part, each figure at its place."""

import pytest

from agreement.tables.table import Column, Kind, Lines, Series, Table
from tests.agreement.tables.drawings import drawing_of

FIRST, SECOND = Series("first", "Ratings"), Series("second", "Decisions")
# A panel that stands alone: where its points are.
LEFT, TOP, WIDE, HIGH = 34, 22, 584, 92


def table_of(rows, *series, kind=Kind.COUNT, by="", is_date=False):
    columns = (
        Column("start", "Day", is_date=is_date),
        Column("first", "Ratings", kind, ends=("low", "high")),
        Column("low", "from", kind),
        Column("high", "to", kind),
        Column("second", "Decisions", kind),
        Column("who", "Who"),
    )
    cells = [(*row, *[None] * (6 - len(row))) for row in rows]
    return Table("t", "T", columns, cells, picture=Lines(series or (FIRST,), "day", by=by))


def days(number):
    return [(f"2026-03-{day:02}", day) for day in range(1, number + 1)]


def test_points_stand_side_by_side_and_as_high_as_their_values():
    drawing = drawing_of(table_of([("a", 0), ("b", 10), ("c", 5)]))

    points = [(LEFT + WIDE / 6, 114), (LEFT + WIDE / 2, 22), (LEFT + 5 * WIDE / 6, 68)]
    assert drawing.dots("pt") == pytest.approx([pytest.approx(point, abs=0.05) for point in points])
    assert drawing.trends == [drawing.dots("pt")]
    assert drawing.radii == {"3"}


def test_line_leaves_out_what_has_no_value():
    [trend] = drawing_of(table_of([("a", 0), ("b", None), ("c", 10)])).trends

    assert trend == [(131.3, 114), (520.7, 22)]


def test_point_alone_has_no_line():
    drawing = drawing_of(table_of([("a", None), ("b", 3)]))

    assert (len(drawing.dots("pt")), drawing.trends) == (1, [])


def test_interval_stands_upright_through_its_point():
    rows = [("a", 0.5, 0.25, 0.75), ("b", 0.5, None, 0.75), ("c", 0.5, 0.25, None)]

    drawing = drawing_of(table_of(rows, kind=Kind.SHARE))

    assert drawing.lines("ci pre") == [(131.3, 91, 131.3, 45)]


@pytest.mark.parametrize(
    ("kind", "values", "labels"),
    [
        (Kind.COUNT, [2, 30], ["0", "10", "20", "30"]),
        (Kind.COUNT, [0, 0], ["0", "0.5", "1"]),
        (Kind.NUMBER, [-3, 3], ["\u22122", "0", "2"]),
        (Kind.SHARE, [0.1, 0.2], ["0%", "50%", "100%"]),
        (Kind.PERCENT, [10, 20], ["0", "50", "100"]),
        # As far below 0 as there are values, by halves.
        (Kind.COEFFICIENT, [0.1, 0.2], ["0", "0.5", "1"]),
        (Kind.COEFFICIENT, [-0.4, 0.2], ["\u22120.5", "0", "0.5", "1"]),
        (Kind.COUNT, [], ["0", "0.5", "1"]),
    ],
)
def test_axis_reaches_as_far_as_figures_of_the_kind_can(kind, values, labels):
    rows = [(str(number), value) for number, value in enumerate(values)]

    drawing = drawing_of(table_of(rows, kind=kind))

    # Those of the axis stand left of it.
    ticks = [(text, y) for text, x, y in drawing.places("tick small") if x == LEFT - 5]
    assert [text for text, _ in ticks] == labels
    heights = [y for _, y in ticks]
    assert heights == sorted(heights, reverse=True)
    assert TOP <= heights[-1] < heights[0] <= TOP + HIGH
    on_the_axis = ["end"] * len(labels)
    assert drawing.anchors("tick small") == [*on_the_axis, *["middle"] * len(values)]


def test_line_at_0_is_a_stronger_one():
    drawing = drawing_of(table_of([("a", -0.2), ("b", 1)], kind=Kind.COEFFICIENT))

    [(left, zero, right, _)] = drawing.lines("ax zero")
    assert (left, right) == (LEFT, LEFT + WIDE)
    assert zero == pytest.approx(TOP + HIGH * 2 / 3, abs=0.05)
    assert len(drawing.lines("ax")) == 3


def below(drawing):
    """What is written below the points."""
    return [text for text, _, y in drawing.places("tick small") if y == TOP + HIGH + 9]


@pytest.mark.parametrize(
    ("rows", "labels"),
    [
        (1, ["1"]),
        (12, [str(number) for number in range(1, 13)]),
        (13, ["1", "3", "5", "7", "9", "11", "13"]),
        (25, ["1", "4", "7", "10", "13", "16", "19", "22", "25"]),
    ],
)
def test_at_most_twelve_points_are_numbered(rows, labels):
    drawing = drawing_of(table_of([(f"row {number}", 1) for number in range(rows)]))

    assert below(drawing) == labels


@pytest.mark.parametrize(
    ("rows", "labels"),
    [
        (2, ["1 Mar", "2 Mar"]),
        (6, ["1 Mar", "2 Mar", "3 Mar", "4 Mar", "5 Mar", "6 Mar"]),
        (13, ["1 Mar", "4 Mar", "7 Mar", "10 Mar", "13 Mar"]),
    ],
)
def test_at_most_six_days_are_named(rows, labels):
    assert below(drawing_of(table_of(days(rows), is_date=True))) == labels


def test_two_panels_stand_beside_each_other_and_others_below():
    rows = [("1", 1, None, None, 2, who) for who in ("Ann", "Ben", "Ann")]

    drawing = drawing_of(table_of(rows, FIRST, SECOND, by="who"))

    assert drawing.places("") == [
        ("Ann · Ratings", 0, 9),
        ("Ann · Decisions", 324, 9),
        ("Ben · Ratings", 0, 159),
        ("Ben · Decisions", 324, 159),
    ]
    assert drawing.height == 300
    # The two of Ann in her panels, the one of Ben in his.
    assert [y < 150 for _, y in drawing.dots("pt")] == [True] * 4 + [False] * 2
    assert [x < 312 for x, _ in drawing.dots("pt")] == [True, True, False, False, True, False]
    assert drawing.words("quiet small") == ["day"] * 4


@pytest.mark.parametrize(
    ("series", "by", "titles"),
    [
        ([FIRST], "", ["Ratings"]),
        ([FIRST, SECOND], "", ["Ratings", "Decisions"]),
        ([FIRST], "who", ["Ann"]),
        ([FIRST, SECOND], "who", ["Ann · Ratings", "Ann · Decisions"]),
    ],
)
def test_panel_is_headed_by_what_tells_it_from_others(series, by, titles):
    assert drawing_of(table_of([("1", 1, 0, 2, 2, "Ann")], *series, by=by)).words("") == titles


def test_words_of_the_axis_stand_in_the_middle_below():
    drawing = drawing_of(table_of([("a", 1)]))

    assert drawing.places("quiet small") == [("day", LEFT + WIDE / 2, 138)]
    assert drawing.anchors("quiet small") == ["middle"]


def test_table_without_rows_has_an_empty_panel():
    drawing = drawing_of(table_of([]))

    assert (drawing.height, drawing.dots(), drawing.words("")) == (150, [], ["Ratings"])
