"""The picture of a table: one drawing for pages, printed reports and files."""

from xml.etree import ElementTree

import pytest

from agreement.tables.cells import heat_step, shades
from agreement.tables.pictures import MOST_ROWS, as_png, as_svg, on_page
from agreement.tables.table import (
    Bars,
    Beside,
    Column,
    Dots,
    Heat,
    Kind,
    Lines,
    Panels,
    Series,
    Table,
)
from tests.agreement.tables.drawings import drawing_of
from tests.agreement.tables.test_writing import COLUMNS, a_table

SVG = "{http://www.w3.org/2000/svg}"
BOTH = (Series("rho", "before"), Series("after", "after"))
PICTURES = {
    "dots": Dots(BOTH, "rho", -1, 1, line=0.4),
    "panels": Panels((Dots(BOTH, "rho", -1, 1), Dots((Series("percent", "%"),), "%", 0, 100))),
    "bars": Bars(BOTH, "share"),
    "long bars": Bars(BOTH, "pairs", as_shares=False),
    "heat": Heat(BOTH, "facet", "when", highest=1.0),
    "heat of shares": Heat((Series("percent", "%"),), "facet", "when"),
    "lines": Lines(BOTH, "part"),
    "lines by": Lines(BOTH, "part", by="facet"),
}


@pytest.mark.parametrize("picture", PICTURES.values(), ids=PICTURES)
def test_a_picture_is_one_file_that_needs_no_other(picture):
    svg = as_svg(a_table(picture=picture))

    assert root_of(svg).tag == f"{SVG}svg"
    assert b"<image" not in svg
    assert as_png(a_table(picture=picture)).startswith(b"\x89PNG")


def test_picture_in_dots_has_300_of_them_an_inch():
    data = as_png(a_table(picture=PICTURES["dots"]))

    # Of the 6.5 inches of a page's text. A PNG begins with its width and height.
    assert int.from_bytes(data[16:20]) == 1950


def test_words_of_a_picture_in_dots_are_drawn_by_the_font_that_comes_along():
    first, other = (
        as_png(a_table([(name, 0.5, 50, 0, 1, 0.7)], picture=PICTURES["dots"])) for name in "AB"
    )

    assert first != other


@pytest.mark.parametrize("picture", PICTURES.values(), ids=PICTURES)
def test_the_same_sheet_gives_the_same_bytes(picture):
    table = a_table(picture=picture)

    assert as_svg(table) == as_svg(table)
    assert as_png(table) == as_png(table)


@pytest.mark.parametrize("picture", PICTURES.values(), ids=PICTURES)
def test_no_text_in_a_picture_is_taken_for_a_formula(picture):
    rows = [(r"costs $\frac{1 and $2", 0.5, 50, 0, 1, 0.7)]

    assert as_svg(a_table(rows, picture=picture))


@pytest.mark.parametrize(
    ("name", "height"),
    [("dots", 22 + 23 + 36), ("long bars", 22 + 23 + 36), ("heat", 36 + 38 + 8), ("lines", 150)],
)
def test_an_empty_table_has_a_picture_with_room_for_one_row(name, height):
    drawing = drawing_of(Table("table", "Nothing", COLUMNS, [], picture=PICTURES[name]))

    assert drawing.height == height
    # Its axis begins where names of no letters end.
    assert name not in ("dots", "long bars") or drawing.lines("ax")[-1][0] == 608
    assert name != "long bars" or drawing.lines("ax zero")[0][0] == 12


def test_a_file_says_what_its_picture_is_of():
    svg = as_svg(a_table(picture=PICTURES["dots"]), about="CSFCube. All pairs.")

    assert root_of(svg).findtext(f"{SVG}desc") == "CSFCube. All pairs."


def test_a_sheet_without_a_picture_says_so():
    with pytest.raises(ValueError, match="The table table has no picture"):
        as_svg(a_table())


def test_a_page_and_a_file_show_the_same_marks():
    table = a_table(picture=PICTURES["dots"])

    page, file = on_page(table), as_svg(table).decode()

    for mark in ("circle", "line", "text"):
        assert page.count(f"<{mark} ") == file.count(f"<{mark} ")
    assert "style" not in page


def test_names_are_text_and_no_markup():
    rows = [("<script>alert(1)</script> & co", 0.5, 50, 0, 1, 0.7)]

    page = on_page(a_table(rows, picture=PICTURES["dots"]))

    assert "&lt;script&gt;" in page
    assert "<script" not in page


# --- dots ----------------------------------------------------------------------------------------

FIRST, SECOND = Series("first", "before"), Series("second", "after")
SMALL = (
    Column("who", "Who"),
    Column("first", "Before", Kind.COEFFICIENT, ends=("low", "high")),
    Column("low", "from", Kind.COEFFICIENT),
    Column("high", "to", Kind.COEFFICIENT),
    Column("second", "After", Kind.COEFFICIENT),
    Column("share", "Share", Kind.SHARE),
)
# The names of the rows take 24.2 pixels, a margin 16 of the 624.
LEFT, RIGHT = 24.2, 608


def small(picture, rows=None, columns=SMALL, **more):
    rows = rows or [("a", 0.5, 0.25, 0.75, 1, 0.5), ("bb", 0, None, 0.5, None, None)]
    return drawing_of(Table("t", "T", columns, rows, picture=picture, **more))


def test_mark_stands_at_its_value_above_or_below_the_middle_of_its_row():
    drawing = small(Dots((FIRST, SECOND), "rho", 0, 1, line=0.5))

    half = (LEFT + RIGHT) / 2
    # The legend has the first of each.
    assert drawing.dots("pre") == [(30.2, 10), (half, 29.4), (LEFT, 52.4)]
    assert drawing.dots("pt") == [(98.8, 10), (RIGHT, 37.6)]
    assert drawing.lines("ci pre") == [(170.1, 29.4, 462, 29.4)]
    assert drawing.lines("med") == [(half, 22, half, 68)]
    assert drawing.words("quiet") == ["before", "after"]
    assert drawing.height == 104


def test_rows_are_named_left_of_the_axis_and_its_lines_below_it():
    drawing = small(Dots((FIRST,), "rho", 0, 1))

    assert drawing.places("") == [("a", 16.2, 15.5), ("bb", 16.2, 38.5)]
    assert drawing.anchors("") == ["end", "end"]
    assert set(drawing.anchors("tick small") + drawing.anchors("quiet small")) == {"middle"}
    assert drawing.places("quiet small") == [("rho", 316.1, 75)]
    assert drawing.words("tick small") == ["0", "0.2", "0.4", "0.6", "0.8", "1"]
    assert {y for _, _, y in drawing.places("tick small")} == {59}
    assert drawing.lines("ax zero") == [(LEFT, 4, LEFT, 50)]
    assert [line[0] for line in drawing.lines("ax")] == [141, 257.7, 374.5, 491.2, 608]


def test_series_alone_is_full_and_has_no_legend():
    drawing = small(Dots((FIRST,), "rho", 0, 1))

    assert drawing.dots() == drawing.dots("pt") == [(316.1, 15.5), (LEFT, 38.5)]
    assert drawing.words("quiet") == []


def test_line_to_compare_with_may_be_at_0():
    assert small(Dots((FIRST,), "rho", -1, 1, line=0)).lines("med") == [(316.1, 4, 316.1, 50)]
    assert small(Dots((FIRST,), "rho", -1, 1)).lines("med") == []


def test_panels_stand_side_by_side_each_with_an_axis_of_its_own():
    panels = (Dots((FIRST,), "rho", 0, 1), Dots((Series("share", "share"),), "share (%)", 0, 1))

    drawing = small(Panels(panels))

    assert drawing.words("tick small") == ["0", "0.5", "1", "0", "50", "100"]
    assert drawing.places("quiet small") == [("rho", 161.6, 75), ("share (%)", 470.5, 75)]
    # Between them are 34 pixels.
    assert [line[0] for line in drawing.lines("ax zero")] == [LEFT, 333.1]
    assert max(line[0] for line in drawing.lines("ax") if line[0] < 320) == 299.1
    assert drawing.dots("pt") == [(161.6, 15.5), (LEFT, 38.5), (470.5, 15.5)]


def test_shares_are_drawn_as_percent_from_end_to_end_of_their_axis():
    drawing = small(Dots((Series("share", "share"),), "share (%)", 0.2, 0.7, line=0.45))

    assert drawing.words("tick small") == ["20", "30", "40", "50", "60", "70"]
    # 50 is three fifths of the way from 20 to 70.
    [(x, _)] = drawing.dots("pt")
    assert x == pytest.approx(LEFT + 3 / 5 * (RIGHT - LEFT), abs=0.1)
    assert drawing.lines("med")[0][0] == pytest.approx((LEFT + RIGHT) / 2, abs=0.1)


def test_legend_of_panels_is_that_of_the_panel_with_the_most_series():
    panels = (Dots((FIRST,), "rho", 0, 1), Dots((FIRST, SECOND), "rho", 0, 1))

    assert small(Panels(panels)).words("quiet") == ["before", "after"]


def test_legend_takes_as_many_lines_as_its_words_need():
    long = tuple(Series("first", f"{letter * 30}") for letter in "abcde")

    drawing = small(Dots(long, "rho", 0, 1))

    assert drawing.places("quiet") == [
        ("a" * 30, 41.2, 10),
        ("b" * 30, 256.2, 10),
        ("c" * 30, 41.2, 26),
        ("d" * 30, 256.2, 26),
        ("e" * 30, 41.2, 42),
    ]
    # The rows begin as far below the last of them as below a single one.
    assert drawing.places("")[0] == ("a", 16.2, 65.5)


def test_long_names_of_rows_are_cut():
    drawing = small(Dots((FIRST,), "rho", 0, 1), [("n" * 45, *[None] * 5), ("m" * 44, *[None] * 5)])

    assert drawing.words("") == ["n" * 43 + "…", "m" * 44]
    [(_, x, _), _] = drawing.places("")
    assert x == pytest.approx(44 * 6.1 + 4)


# --- bars ----------------------------------------------------------------------------------------

COUNTS = (
    Column("who", "Who"),
    Column("low", "Low", Kind.COUNT),
    Column("high", "High", Kind.COUNT),
)
GRADES = (Series("low", "low"), Series("high", "high"))


def test_pieces_of_a_bar_of_shares_stand_end_to_end_and_fill_it():
    drawing = small(Bars(GRADES, "share"), [("a", 1, 3), ("bb", 10, 30)], COUNTS)

    # Room is left on the right for the number of each row.
    end = 624 - 72
    quarter = LEFT + (end - LEFT) / 4
    _, _, *bars = drawing.boxes
    assert [(look, x, round(x + width, 1)) for look, x, _, width, _ in bars] == [
        ("s0", LEFT, pytest.approx(quarter, abs=0.1)),
        ("s3", pytest.approx(quarter, abs=0.1), end),
    ] * 2
    assert [(y, height) for _, _, y, _, height in bars[::2]] == [(25.9, 15.2), (48.9, 15.2)]
    assert drawing.places("quiet small")[1:] == [
        ("n = 4", end + 6, 33.5),
        ("n = 40", end + 6, 56.5),
    ]
    assert drawing.words("tick small") == ["0", "20", "40", "60", "80", "100"]


def test_legend_of_bars_has_a_box_of_each_shade():
    legend = small(Bars(GRADES, "share"), [("a", 1, 3)], COUNTS).boxes[:2]

    assert [(look, y, width, height) for look, _, y, width, height in legend] == [
        ("s0", 5, 12, 10),
        ("s3", 5, 12, 10),
    ]
    alone = small(Bars(GRADES[:1], "share"), [("a", 1, 3)], COUNTS)
    [(look, _, y, _, _)] = alone.boxes
    assert (look, y) == ("s2", 7.9)
    assert alone.words("quiet") == []


def test_bars_of_counts_are_as_long_as_their_sums():
    rows = [("a", 1, 3), ("bb", 2, None)]

    drawing = small(Bars(GRADES, "pairs", as_shares=False), rows, COUNTS)

    _, _, *bars = drawing.boxes
    per_pair = (RIGHT - LEFT) / 4
    assert [width for *_, width, _ in bars] == pytest.approx(
        [per_pair, 3 * per_pair, 2 * per_pair], abs=0.1
    )
    assert drawing.words("quiet small") == ["pairs"]
    assert drawing.words("tick small") == ["0", "1", "2", "3", "4"]


@pytest.mark.parametrize("as_shares", [True, False])
def test_row_of_nothing_says_so_in_the_place_of_its_bar(as_shares):
    drawing = small(Bars(GRADES, "pairs", as_shares=as_shares), [("a", 0, None)], COUNTS)

    assert ("none", pytest.approx(LEFT - 6.1 + 4), 33.5) in drawing.places("quiet small")
    assert len(drawing.boxes) == 2


def test_sum_has_no_bar_where_all_others_were_short_beside_it():
    rows = [("a", 1, 3), ("b", 2, 2), ("sum", 3, 5)]
    beside = [Beside(), Beside(look="chosen"), Beside(look="sum")]

    of_counts = small(Bars(GRADES, "h", as_shares=False), rows, COUNTS, beside=beside)
    of_shares = small(Bars(GRADES, "share"), rows, COUNTS, beside=beside)

    assert of_counts.words("") == ["a", "b"]
    assert of_counts.words("tick small") == ["0", "1", "2", "3", "4"]
    assert of_shares.words("") == ["a", "b", "sum"]


# --- heat ----------------------------------------------------------------------------------------


def test_counts_stand_in_shaded_cells_above_their_shares_of_the_row():
    drawing = small(Heat(GRADES, "R", "C"), [("a", 1, 3), ("bb", 5, 5)], COUNTS)

    assert drawing.boxes == [
        ("h2", 40.2, 36, 120, 38),
        ("h5", 160.2, 36, 120, 38),
        ("h4", 40.2, 74, 120, 38),
        ("h4", 160.2, 74, 120, 38),
    ]
    assert drawing.places("quiet") == [("C", 160.2, 8), ("R", 0, 25)]
    assert drawing.places("")[:4] == [
        ("low", 100.2, 25),
        ("high", 220.2, 25),
        ("a", 32.2, 55),
        ("1", 100.2, 48),
    ]
    assert drawing.places("small") == [("25%", 100.2, 63)]
    # The heads of columns and all that is in cells; a row's name ends before its cells.
    assert drawing.anchors("quiet") == ["middle", None]
    assert drawing.anchors("") == ["middle", "middle", "end", "middle", "end"]
    assert set(drawing.anchors("on-dark") + drawing.anchors("on-dark small")) == {"middle"}
    # Dark cells have light words.
    assert drawing.words("on-dark") == ["3", "5", "5"]
    assert drawing.words("on-dark small") == ["75%", "50%", "50%"]
    assert drawing.height == 120


def test_row_without_any_count_has_no_shares():
    drawing = small(Heat(GRADES, "R", "C"), [("a", 0, 0)], COUNTS)

    assert drawing.words("") == ["low", "high", "a", "0", "0"]
    assert [look for look, *_ in drawing.boxes] == ["h0", "h0"]
    assert drawing.words("small") == []


def test_figures_of_a_matrix_stand_alone_in_the_middle_and_none_has_no_cell():
    drawing = small(Heat((FIRST, SECOND), "", "C", highest=1))

    assert drawing.boxes == [
        ("h4", 24.2, 36, 120, 38),
        ("h5", 144.2, 36, 120, 38),
        ("h0", 24.2, 74, 120, 38),
    ]
    assert drawing.places("on-dark") == [("0.50", 84.2, 55), ("1.00", 204.2, 55)]
    assert drawing.words("on-dark small") == drawing.words("small") == []


def test_cells_of_many_columns_share_the_width():
    columns = [Column("who", "Who"), *(Column(f"c{n}", f"{n}", Kind.COUNT) for n in range(10))]
    series = tuple(Series(f"c{n}", f"{n}") for n in range(10))

    drawing = small(Heat(series, "", "C"), [("a", *range(10))], columns)

    wide = (624 - 18.1 - 8) / 10
    assert {width for *_, width, _ in drawing.boxes} == {round(wide, 1)}
    assert drawing.boxes[-1][1] == pytest.approx(18.1 + 9 * wide, abs=0.1)


def test_heat_has_no_more_rows_than_other_pictures():
    rows = [(f"{number}", 1, 1) for number in range(MOST_ROWS + 1)]

    assert len(small(Heat(GRADES, "R", "C"), rows, COUNTS).boxes) == 2 * MOST_ROWS


# --- all of them ---------------------------------------------------------------------------------


def test_shades_go_from_light_to_dark_and_heat_from_none():
    steps = [heat_step(share) for share in (0, 0.01, 0.2, 0.4, 0.55, 1)]

    assert shades(4) == ["s0", "s1", "s2", "s3"]
    assert steps == ["h0", "h1", "h2", "h3", "h4", "h5"]


def test_a_picture_shows_so_many_rows_as_can_be_read_and_says_so():
    rows = [(f"row {n}", 0.5, None, None, 1, None) for n in range(1_000 + MOST_ROWS)]
    picture = Dots((FIRST,), "rho", 0, 1)

    whole, first = small(picture, rows), small(picture, rows[:MOST_ROWS])

    assert whole.words("") == first.words("")
    assert len(first.words("")) == len(first.dots()) == MOST_ROWS
    bottom = 4 + 23 * MOST_ROWS
    assert (first.height, whole.height) == (bottom + 36, bottom + 48)
    left = 12 + 6.1 * len("row 99")
    note = (f"the first {MOST_ROWS} of {1_000 + MOST_ROWS:,} rows", round(left, 1), bottom + 40)
    assert note in whole.places("quiet small")
    assert first.words("quiet small") == ["rho"]


def root_of(svg):
    return ElementTree.fromstring(svg)  # noqa: S314 - our own
