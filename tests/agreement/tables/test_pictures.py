"""The picture of a table: one drawing for pages, printed reports and files."""

from xml.etree import ElementTree

import pytest

from agreement.tables.cells import heat_step, shades, steps_of
from agreement.tables.pictures import MOST_ROWS, as_png, as_svg, on_page
from agreement.tables.table import Bars, Dots, Heat, Lines, Panels, Series, Table
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


@pytest.mark.parametrize("picture", PICTURES.values(), ids=PICTURES)
def test_the_same_sheet_gives_the_same_bytes(picture):
    table = a_table(picture=picture)

    assert as_svg(table) == as_svg(table)
    assert as_png(table) == as_png(table)


@pytest.mark.parametrize("picture", PICTURES.values(), ids=PICTURES)
def test_no_text_in_a_picture_is_taken_for_a_formula(picture):
    rows = [(r"costs $\frac{1 and $2", 0.5, 50, 0, 1, 0.7)]

    assert as_svg(a_table(rows, picture=picture))


def test_an_empty_table_has_a_picture_too():
    for picture in PICTURES.values():
        assert as_svg(Table("table", "Nothing", COLUMNS, [], picture=picture))


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


def test_a_mark_stands_where_its_value_is():
    picture = Dots((Series("rho", "rho"),), "rho", 0, 1)
    rows = [(f"row {n}", value, 50, None, None, None) for n, value in enumerate((0, 0.5, 1))]

    places = [
        float(circle.get("cx"))
        for circle in root_of(as_svg(a_table(rows, picture=picture))).iter(f"{SVG}circle")
    ]

    assert places[1] - places[0] == pytest.approx(places[2] - places[1], abs=0.2)
    assert places[0] < places[2]


def test_pieces_of_a_bar_of_shares_fill_it():
    rows = [("a", 1, 3, None, None, 2), ("b", 10, 30, None, None, 20)]
    svg = as_svg(a_table(rows, picture=Bars(BOTH, "share")))

    boxes = [float(box.get("width")) for box in root_of(svg).iter(f"{SVG}rect") if box.get("y")]

    legend, bars = boxes[:2], boxes[2:]
    assert legend == [12, 12]
    assert bars[:2] == pytest.approx(bars[2:])


@pytest.mark.parametrize(
    ("low", "high", "most", "steps"),
    [
        (0, 1, 6, [0, 0.2, 0.4, 0.6, 0.8, 1]),
        (0, 100, 6, [0, 20, 40, 60, 80, 100]),
        (-0.5, 1, 4, [-0.5, 0, 0.5, 1]),
        (0, 0, 6, [0]),
    ],
)
def test_ticks_are_round_numbers(low, high, most, steps):
    assert steps_of(low, high, most=most) == pytest.approx(steps)


def test_shades_go_from_light_to_dark_and_heat_from_none():
    steps = [heat_step(share) for share in (0, 0.01, 0.2, 0.4, 0.55, 1)]

    assert shades(4) == ["s0", "s1", "s2", "s3"]
    assert steps == ["h0", "h1", "h2", "h3", "h4", "h5"]


def test_a_picture_shows_so_many_rows_as_can_be_read_and_says_so():
    rows = [(f"row {n}", 0.5, 50, 0, 1, None) for n in range(MOST_ROWS + 20)]
    picture = PICTURES["dots"]

    whole = _height(as_svg(a_table(rows, picture=picture)))
    first = _height(as_svg(a_table(rows[:MOST_ROWS], picture=picture)))

    assert first < whole < first + 20  # a line that says how many there are


def _height(svg):
    return float(root_of(svg).get("height"))


def root_of(svg):
    return ElementTree.fromstring(svg)  # noqa: S314 - our own
