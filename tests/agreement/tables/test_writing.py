"""Tables as files: unrounded for programs, rounded for print, whole in every format."""

import csv
import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement.tables.cells import axis_label, printed
from agreement.tables.table import (
    Column,
    Kind,
    Table,
)
from agreement.tables.writing import as_csv, as_data, as_json, as_latex, ndjson_parts, tex

COLUMNS = (
    Column("facet", "Facet"),
    Column("rho", "ρ", Kind.COEFFICIENT, "Before", ends=("low", "high")),
    Column("percent", "%", Kind.PERCENT, "Before"),
    Column("low", "from", Kind.COEFFICIENT, printed=False),
    Column("high", "to", Kind.COEFFICIENT, printed=False),
    Column("after", "ρ", Kind.COEFFICIENT, "After"),
)


def a_table(rows=None, **more):
    rows = rows or [
        ("background", 0.4531, 57.0712, -0.25, 1.0, None),
        ("R&D_1", -0.3, 100, 0, 0, 1),
    ]
    return Table("table", "Agreement, 100%", COLUMNS, rows, notes=("One\nnote.",), **more)


def test_csv_has_every_column_unrounded_and_nothing_for_no_value():
    lines = list(csv.reader(io.StringIO(as_csv(a_table()))))

    assert lines[0] == ["facet", "rho", "percent", "low", "high", "after"]
    assert lines[1] == ["background", "0.4531", "57.0712", "-0.25", "1.0", ""]


def test_no_cell_of_a_csv_is_taken_for_a_formula():
    text = as_csv(a_table([("=1+1", 0.1, 1.0, None, None, None)]))

    headed = Table("table", "Runs", [Column("=2+2", "=2+2", Kind.TEXT)], [])

    assert "\n'=1+1," in text
    assert as_csv(headed) == "'=2+2\n"


def test_json_names_every_cell():
    data = json.loads(as_json(a_table(), collection="study"))

    assert (data["collection"], data["table"]) == ("study", "table")
    assert (data["title"], data["notes"]) == ("Agreement, 100%", ["One\nnote."])
    assert data["rows"][0]["rho"] == 0.4531
    assert data["rows"][0]["after"] is None
    assert data["columns"]["rho"] == {"title": "Before: ρ", "kind": "coefficient"}
    assert data == {"collection": "study", **as_data(a_table())}


def test_json_is_in_letters_with_a_member_to_a_line():
    text = as_json(a_table([("Überblick", 0.5, 50, 0, 1, None)]))

    assert text.startswith('{\n "table": "table",\n "title": "Agreement, 100%",\n "notes": [')
    assert '\n   "title": "Before: ρ",\n' in text
    assert '\n   "facet": "Überblick",\n' in text
    assert text.endswith("\n  }\n ]\n}\n")


def test_json_in_lines_has_one_for_each_row():
    columns = (Column("name", "Name"), Column("value", "Value", Kind.NUMBER))

    text = "".join(ndjson_parts(columns, [("Überblick", 0.5), (None, None)]))

    assert text == '{"name": "Überblick", "value": 0.5}\n{"name": null, "value": null}\n'


def test_minus_of_a_grade_is_a_hyphen_in_files_and_that_of_other_words_stays():
    columns = (Column("grade", "Grade", is_graded=True), Column("words", "Words"))
    rows = [("\u22121 or more", "a\u2212b"), (None, None)]

    assert as_csv(Table("t", "T", columns, rows)) == "grade,words\n'-1 or more,a\u2212b\n,\n"
    assert as_data(Table("t", "T", columns, rows))["rows"] == [
        {"grade": "-1 or more", "words": "a\u2212b"},
        {"grade": None, "words": None},
    ]


def test_latex_is_a_booktabs_table_in_the_layout_of_the_paper():
    assert as_latex(a_table(), label="tab:study").splitlines() == [
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
        a_table(), label="tab:study", intervals=True
    )


@pytest.mark.parametrize(
    ("name", "row"),
    [
        ("[CLS] tokens", "{}[CLS] tokens"),
        ("*-algebras", "{}*-algebras"),
        (" [b]", "{} [b]"),
        ("a [b] *c", "a [b] *c"),
        ("", ""),
    ],
)
def test_row_of_latex_begins_with_nothing_that_the_line_before_would_take(name, row):
    assert f"    {row} & – & – & – \\\\" in as_latex(
        a_table([(name, None, None, None, None, None)]), label="tab:study"
    )


def test_interval_in_latex_is_written_as_its_figure():
    columns = (
        Column("facet", "Facet"),
        Column("percent", "%", Kind.PERCENT, ends=("low", "high")),
        Column("low", "from", Kind.PERCENT, printed=False),
        Column("high", "to", Kind.PERCENT, printed=False),
    )
    table = Table("table", "Title", columns, [("all", 0.75, 0.5, 1.25)])

    assert r"all & 0.75 [0.50 to 1.25] \\" in as_latex(table, label="tab:study", intervals=True)


def test_characters_that_no_letter_stands_for_are_white_space_in_latex():
    assert tex("page\x0cbreak\x1b\r\n") == "page break   "


@given(st.text(alphabet=st.characters(codec="utf-8", exclude_categories=("Cs", "Cc"))))
def test_no_character_of_a_text_is_left_to_tex(text):
    escaped = tex(text)
    for harmless in (r"\textbackslash{}", r"\textasciitilde{}", r"\textasciicircum{}"):
        escaped = escaped.replace(harmless, "")
    for harmless in (
        r"\textless{}",
        r"\textgreater{}",
        r"\textbar{}",
        r"$\rho$",
        r"$\alpha$",
        r"$\kappa$",
    ):
        escaped = escaped.replace(harmless, "")
    for harmless in (r"$\tau$", r"$\cdot$", "$-$", *(rf"\{character}" for character in "&%$#_{}")):
        escaped = escaped.replace(harmless, "")

    assert not set(escaped) & set("\\&%$#_{}~^<>|")


@pytest.mark.parametrize(
    ("cell", "kind", "text"),
    [
        (None, Kind.COUNT, "–"),
        (1234, Kind.COUNT, "1,234"),
        (-0.456, Kind.COEFFICIENT, "\u22120.46"),
        (0.1234, Kind.SHARE, "12.3%"),
        (3.25, Kind.HOURS, "3.2 h"),
        (0.58, Kind.HOURS, "35 min"),
        (59.6, Kind.SECONDS, "60 s"),
        (125.2, Kind.SECONDS, "2 min 5 s"),
        (0.0481, Kind.BOUND, "4.9%"),
        (0.5, Kind.BOUND, "50.0%"),
        (0.5001, Kind.BOUND, "50.1%"),
        ("a-b", Kind.TEXT, "a-b"),
        (-0.004, Kind.COEFFICIENT, "0.00"),
        (-1e-12, Kind.PERCENT, "0.00"),
    ],
)
def test_cells_are_printed_as_people_read_them(cell, kind, text):
    assert printed(cell, kind) == text


def test_lines_of_an_axis_are_named_without_powers_of_ten():
    labels = [axis_label(value) for value in (-0.25, 0.0, 200.0, 1_000_000.0)]

    assert labels == ["\u22120.25", "0", "200", "1000000"]
