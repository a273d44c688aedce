"""Sheets as files: unrounded for programs, rounded for print, whole in every format."""

import csv
import io
import json
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, BrokenBarrierError
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.figure import Figure

from agreement.tables import drawing
from agreement.tables.drawing import MOST_ROWS, as_png, as_svg
from agreement.tables.table import (
    Bars,
    Column,
    Dots,
    Heat,
    Kind,
    Lines,
    Panels,
    Series,
    Sheet,
)
from agreement.tables.writing import as_csv, as_data, as_json, as_latex, printed, tex

COLUMNS = (
    Column("facet", "Facet"),
    Column("rho", "ρ", Kind.COEFFICIENT, "Before", ends=("low", "high")),
    Column("percent", "%", Kind.PERCENT, "Before"),
    Column("low", "from", Kind.COEFFICIENT, printed=False),
    Column("high", "to", Kind.COEFFICIENT, printed=False),
    Column("after", "ρ", Kind.COEFFICIENT, "After"),
)


def a_sheet(rows=None, **more):
    rows = rows or [
        ("background", 0.4531, 57.0712, -0.25, 1.0, None),
        ("R&D_1", -0.3, 100, 0, 0, 1),
    ]
    return Sheet("table", "Agreement, 100%", COLUMNS, rows, notes=("One\nnote.",), **more)


def test_csv_has_every_column_unrounded_and_nothing_for_no_value():
    lines = list(csv.reader(io.StringIO(as_csv(a_sheet()))))

    assert lines[0] == ["facet", "rho", "percent", "low", "high", "after"]
    assert lines[1] == ["background", "0.4531", "57.0712", "-0.25", "1.0", ""]


def test_no_cell_of_a_csv_is_taken_for_a_formula():
    text = as_csv(a_sheet([("=1+1", 0.1, 1.0, None, None, None)]))

    assert "\n'=1+1," in text


def test_json_names_every_cell():
    data = json.loads(as_json(a_sheet(), collection="study"))

    assert data["collection"] == "study"
    assert data["rows"][0]["rho"] == 0.4531
    assert data["rows"][0]["after"] is None
    assert data["columns"]["rho"] == {"title": "Before: ρ", "kind": "coefficient"}
    assert data == {"collection": "study", **as_data(a_sheet())}


def test_latex_is_a_booktabs_table_in_the_layout_of_the_paper():
    assert as_latex(a_sheet(), label="tab:study").splitlines() == [
        "% One note.",
        r"\begin{table}",
        r"  \centering",
        r"  \caption{Agreement, 100\%}",
        r"  \label{tab:study}",
        r"  \begin{tabular}{l@{\quad}rr@{\quad}r}",
        r"    \toprule",
        r"     & \multicolumn{2}{c}{Before} & \multicolumn{1}{c}{After} \\",
        r"    \cmidrule(lr){2-3} \cmidrule(lr){4-4}",
        r"    Facet & $\rho$ & \% & $\rho$ \\",
        r"    \midrule",
        r"    background & .45 & 57.07 & – \\",
        r"    R\&D\_1 & $-$.30 & 100.00 & 1.00 \\",
        r"    \bottomrule",
        r"  \end{tabular}",
        r"\end{table}",
    ]


def test_latex_with_intervals_puts_them_behind_their_figures():
    assert r"background & .45 [$-$.25 to 1.00] &" in as_latex(
        a_sheet(), label="tab:study", intervals=True
    )


@given(st.text(alphabet=st.characters(codec="utf-8", exclude_categories=("Cs", "Cc"))))
def test_no_character_of_a_text_is_left_to_tex(text):
    escaped = tex(text)
    for harmless in (r"\textbackslash{}", r"\textasciitilde{}", r"\textasciicircum{}"):
        escaped = escaped.replace(harmless, "")
    for harmless in (r"\textless{}", r"\textgreater{}", r"$\rho$", r"$\alpha$", r"$\kappa$"):
        escaped = escaped.replace(harmless, "")
    for harmless in (r"$\tau$", r"$\cdot$", "$-$", *(rf"\{one}" for one in "&%$#_{}")):
        escaped = escaped.replace(harmless, "")

    assert not set(escaped) & set("\\&%$#_{}~^")


@pytest.mark.parametrize(
    ("cell", "kind", "text"),
    [
        (None, Kind.COUNT, "–"),
        (1234, Kind.COUNT, "1,234"),
        (-0.456, Kind.COEFFICIENT, "\u22120.46"),
        (0.1234, Kind.SHARE, "12.3%"),
        (3.25, Kind.HOURS, "3.2 h"),
        (0.0481, Kind.BOUND, "4.9%"),
        ("a-b", Kind.TEXT, "a-b"),
    ],
)
def test_cells_are_printed_as_people_read_them(cell, kind, text):
    assert printed(cell, kind) == text


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
    svg = as_svg(a_sheet(picture=picture))

    root = ElementTree.fromstring(svg)  # noqa: S314 - our own
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert b"<image" not in svg
    assert as_png(a_sheet(picture=picture)).startswith(b"\x89PNG")


@pytest.mark.parametrize("picture", PICTURES.values(), ids=PICTURES)
def test_the_same_sheet_gives_the_same_bytes(picture):
    sheet = a_sheet(picture=picture)

    assert as_svg(sheet) == as_svg(sheet)
    assert as_png(sheet) == as_png(sheet)


@pytest.mark.parametrize("picture", PICTURES.values(), ids=PICTURES)
def test_no_text_in_a_picture_is_taken_for_a_formula(picture):
    rows = [(r"costs $\frac{1 and $2", 0.5, 50, 0, 1, 0.7)]

    assert as_svg(a_sheet(rows, picture=picture))


def test_an_empty_table_has_a_picture_too():
    for picture in PICTURES.values():
        assert as_svg(Sheet("table", "Nothing", COLUMNS, [], picture=picture))


def test_a_sheet_without_a_picture_says_so():
    with pytest.raises(ValueError, match="The sheet table has no picture"):
        as_svg(a_sheet())


def test_one_picture_is_drawn_at_a_time(monkeypatch):
    """matplotlib's settings are of the whole process: two threads would spoil each other's."""
    met, both = [], Barrier(2)

    def draw(sheet, picture):
        try:
            both.wait(0.2)
        except BrokenBarrierError:
            return Figure()
        met.append(sheet.key)
        return Figure()

    monkeypatch.setitem(drawing.DRAW, Dots, draw)
    with ThreadPoolExecutor(2) as threads:
        list(threads.map(as_png, [a_sheet(picture=PICTURES["dots"])] * 2))

    assert met == []


def test_a_picture_shows_so_many_rows_as_can_be_read_and_says_so():
    rows = [(f"row {n}", 0.5, 50, 0, 1, None) for n in range(MOST_ROWS + 20)]
    picture = PICTURES["dots"]

    whole = _height(as_svg(a_sheet(rows, picture=picture)))
    first = _height(as_svg(a_sheet(rows[:MOST_ROWS], picture=picture)))

    assert first < whole < first + 20  # points: a line that says how many there are


def _height(svg):
    return float(ElementTree.fromstring(svg).get("height").removesuffix("pt"))  # noqa: S314
