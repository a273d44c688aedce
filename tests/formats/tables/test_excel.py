"""Workbooks: sheets are tables, texts stay texts, and formulas need a stored value."""

import zipfile
from datetime import date, time

import openpyxl
import pytest

from formats.files import open_files
from formats.strict import BadTextError
from formats.tables.excel import Sheet
from formats.tables.opening import open_tables


@pytest.fixture
def workbook(tmp_path):
    """Saves rows as the sheets of a workbook: {title: rows}; then gives its tables' rows."""

    def save(change=None, **sheets):
        book = openpyxl.Workbook()
        book.remove(book.active)
        for title, rows in sheets.items():
            sheet = book.create_sheet(title)
            for row in rows:
                sheet.append(row)
        path = tmp_path / "study.xlsx"
        book.save(path)
        if change:
            change_member(path, *change)
        with open_files([path]) as files:
            return {
                table.name: [(table.place(row.line).inside, row.cells) for row in table.rows()]
                for table in open_tables(files.all[0])
            }

    return save


def change_member(path, name, old, new):
    """Replace bytes in a member of a zip."""
    with zipfile.ZipFile(path) as archive:
        members = {info: archive.read(info) for info in archive.namelist()}
    assert old in members[name]
    members[name] = members[name].replace(old, new)
    with zipfile.ZipFile(path, "w") as archive:
        for info, data in members.items():
            archive.writestr(info, data)


def test_cells_come_as_they_are_written(workbook):
    tables = workbook(
        Ratings=[
            ["document", "grade", "when", "sure"],
            ["007", 1, date(2026, 1, 2), True],
            ["1e5", 0.5, None, "NA"],
            [None, None, None, None],
            [12345, "1,50", "", ""],
        ]
    )

    (rows,) = tables.values()
    assert list(tables) == ["study.xlsx \u203a Ratings"]
    assert [(place, list(cells.values())) for place, cells in rows] == [
        ("sheet Ratings, row 2", ["007", "1", "2026-01-02", "TRUE"]),
        ("sheet Ratings, row 3", ["1e5", "0.5", "", "NA"]),
        ("sheet Ratings, row 5", ["12345", "1,50", "", ""]),
    ]


def test_each_sheet_that_is_not_empty_is_a_table(workbook):
    tables = workbook(Documents=[["id"], ["a"]], Empty=[], Queries=[["id"], ["q"]])

    assert [name.rpartition(" ")[2] for name in tables] == ["Documents", "Queries"]


def test_heading_above_the_columns_and_rows_of_spaces_are_passed_over(workbook):
    tables = workbook(R=[["Our ratings"], [], ["document", "grade"], [" ", None], ["a", 1]])

    assert tables == {"study.xlsx \u203a R": [("sheet R, row 5", {"document": "a", "grade": "1"})]}


def test_formula_without_a_stored_value_is_refused_with_its_cell(workbook):
    with pytest.raises(BadTextError) as caught:
        workbook(Ratings=[["document", "grade"], ["a", 1], ["b", "=B2+1"]])

    assert caught.value.place == "sheet Ratings"
    assert caught.value.message == "formulas without a stored value in B3."


def test_formula_with_a_stored_value_counts_as_the_value(workbook):
    change = ("xl/worksheets/sheet1.xml", b"<f>B2+1</f><v></v>", b"<f>B2+1</f><v>2</v>")
    tables = workbook(change, R=[["document", "grade"], ["a", 1], ["b", "=B2+1"]])

    ((_, first), (_, second)) = next(iter(tables.values()))
    assert (first["grade"], second["grade"]) == ("1", "2")


def test_formula_that_failed_is_refused(workbook):
    with pytest.raises(BadTextError, match="gave an error in A2"):
        workbook(Ratings=[["document"], ["#N/A"]])


def formatted(path, number_format, *cells):
    """A workbook with these numbers in this format, each below the other."""
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "R"
    sheet["A1"], sheet["B1"] = "document", "grade"
    for row, value in enumerate(cells, start=2):
        sheet[f"A{row}"], sheet[f"B{row}"] = value, row
        sheet[f"A{row}"].number_format = number_format
    book.save(path)
    return path


def ids_in(path):
    with open_files([path]) as files:
        [table] = open_tables(files.all[0])
        return [row.cells["document"] for row in table.rows()]


@pytest.mark.parametrize(
    ("number_format", "shown"),
    [
        ("0000", ["0007", "12345", "0000", "7.5", "007x"]),
        ("[Red]000;-000", ["007", "12345", "000", "7.5", "007x"]),
        ("00_)", ["07", "12345", "00", "7.5", "007x"]),
        ("0", ["7", "12345", "0", "7.5", "007x"]),
        ("0.00", ["7", "12345", "0", "7.5", "007x"]),
        ("#,##0", ["7", "12345", "0", "7.5", "007x"]),
        ('0" km"', ["7", "12345", "0", "7.5", "007x"]),
        ("General", ["7", "12345", "0", "7.5", "007x"]),
    ],
)
def test_whole_numbers_have_the_leading_zeros_that_their_format_shows(
    tmp_path, number_format, shown
):
    path = formatted(tmp_path / "a.xlsx", number_format, 7, 12345, 0, 7.5, "007x")

    assert ids_in(path) == shown


@pytest.mark.parametrize("number_format", ['"D"000', "000\\-00", "000-0000", '0000" b"'])
def test_numbers_that_a_format_shows_with_zeros_and_other_signs_are_refused(
    tmp_path, number_format
):
    path = formatted(tmp_path / "a.xlsx", number_format, "D001", 7)

    with pytest.raises(BadTextError) as caught:
        ids_in(path)

    assert caught.value.place == "sheet R"
    assert caught.value.message.endswith("with leading zeros and other signs in A3.")


@pytest.mark.parametrize("number_format", ["0000", "General"])
@pytest.mark.parametrize("number", ["1E999", "NaN"])
def test_a_number_that_is_none_or_infinite_is_refused(tmp_path, number_format, number):
    whole, broken = formatted(tmp_path / "a.xlsx", number_format, 7), tmp_path / "b.xlsx"
    with zipfile.ZipFile(whole) as before, zipfile.ZipFile(broken, "w") as after:
        for name in before.namelist():
            after.writestr(
                name, before.read(name).replace(b"<v>7</v>", f"<v>{number}</v>".encode())
            )

    with pytest.raises(BadTextError, match="more digits than a spreadsheet keeps"):
        ids_in(broken)


def test_number_beyond_what_a_spreadsheet_keeps_is_refused(workbook):
    with pytest.raises(BadTextError, match="more digits than a spreadsheet keeps"):
        workbook(Ratings=[["document"], [12345678901234567890]])


@pytest.mark.parametrize(
    "change",
    [
        (b'r="A2"', b'r="XFD1048576"'),
        (b'<row r="2"><c r="A2"', b'<row r="1048576"><c r="ZZ1"/><c'),
        (b'<row r="2"><c r="A2"', b'<row r="2"><c' + b" " * (2 << 20) + b'r="XFD1048576"'),
    ],
    ids=["far away", "beside an empty one", "in a long tag"],
)
def test_cells_far_from_each_other_are_refused(workbook, change):
    # Reading them ended the process.
    with pytest.raises(BadTextError, match="at most 10,000,000 are read") as caught:
        workbook(("xl/worksheets/sheet1.xml", *change), R=[["document"], ["d"]])

    assert caught.value.place == "sheet R"


@pytest.mark.parametrize(
    ("place", "column"),
    [
        ("AAAAA22", "475,255"),
        ("ZZZZZ1", "12,356,630"),
        ("AAAAAA1", "12,356,631"),
        # Of a column that is too long to be counted, the beginning says enough.
        ("A" * 5_000 + "1", "12,356,631"),
    ],
    ids=["five letters", "the last of five", "six letters", "no end of letters"],
)
def test_a_column_of_many_letters_is_far_away(workbook, place, column):
    """The engine would take room for it, and the process would end."""
    change = ("xl/worksheets/sheet1.xml", b'r="A2"', f'r="{place}"'.encode())

    with pytest.raises(BadTextError, match=f"as far right as column {column}; at most"):
        workbook(change, R=[["document"], ["d"]])


def test_empty_cells_far_away_count_for_nothing(workbook):
    far = b'<row r="1048576"><c r="XFD1048576" s="1"/></row></sheetData>'
    tables = workbook(("xl/worksheets/sheet1.xml", b"</sheetData>", far), R=[["document"], ["d"]])

    assert [cells for _, cells in next(iter(tables.values()))] == [{"document": "d"}]


def test_a_sheet_is_looked_at_wherever_it_lies(workbook, tmp_path):
    with pytest.raises(BadTextError, match="without a stored value"):
        workbook(R=[["document"], ["=1+1"]])
    path = tmp_path / "study.xlsx"
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    rels = "xl/_rels/workbook.xml.rels"
    members["xl/other/One.XML"] = members.pop("xl/worksheets/sheet1.xml")
    members[rels] = members[rels].replace(b"/xl/worksheets/sheet1.xml", b"/xl/other/one.xml")
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)

    with (
        open_files([path]) as files,
        pytest.raises(BadTextError, match="without a stored value"),
    ):
        open_tables(files.all[0])


def test_sheet_that_is_broken_inside_is_refused_by_its_name(workbook):
    with pytest.raises(BadTextError, match="the sheet R is broken: "):
        workbook(
            ("xl/worksheets/sheet1.xml", b"</sheetData>", b"</rows>"), R=[["document"], ["=1+1"]]
        )


def test_columns_with_one_name_are_refused_with_the_row_that_names_them(workbook):
    with pytest.raises(BadTextError) as caught:
        workbook(R=[[" "], ["document", "document"], ["d", "e"]])

    assert caught.value.place == "sheet R, row 2"


def test_entities_are_refused(workbook):
    declaration = b'<!DOCTYPE x [<!ENTITY a "aaaa">]><worksheet'
    with pytest.raises(BadTextError, match="XML entities"):
        workbook(("xl/worksheets/sheet1.xml", b"<worksheet", declaration), R=[["document"]])


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"\xd0\xcf\x11\xe0" + b"\0" * 600, "an old Excel file, or one with a password"),
        (b"PAR1 broken", "the Parquet file is broken"),
    ],
)
def test_what_cannot_be_read_is_reported(tmp_path, data, message):
    (tmp_path / "a.xls").write_bytes(data)

    with open_files([tmp_path / "a.xls"]) as files, pytest.raises(BadTextError, match=message):
        open_tables(files.all[0])


def test_office_file_that_is_no_workbook_is_reported(tmp_path):
    with zipfile.ZipFile(tmp_path / "a.xlsx", "w") as archive:
        archive.writestr("[Content_Types].xml", "")
        archive.writestr("word/document.xml", "")

    with open_files([tmp_path / "a.xlsx"]) as files, pytest.raises(BadTextError, match="but no"):
        open_tables(files.all[0])


class File:
    name = "book.xlsx"


def sheet(*rows):
    """A sheet of these cells, as pandas gives them."""
    return Sheet(File, "Ratings", [list(row) for row in rows])


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, ""), ("007", "007"), (" a ", " a "), (True, "TRUE"), (False, "FALSE"), (7, "7"),
        (7.0, "7"), (-0.5, "-0.5"), (0.1 + 0.2, "0.30000000000000004"),
        (999_999_999_999_999, "999999999999999"), (date(2026, 1, 31), "2026-01-31"),
        (time(12, 30), "12:30:00"),
    ],
)  # fmt: skip
def test_a_cell_is_the_text_of_its_value(value, text):
    [row] = sheet(["a", "b"], [value, "x"]).rows()

    assert row.cells == {"a": text, "b": "x"}


@pytest.mark.parametrize("value", [10**15, -(10**15), 1e15, 12345678901234567890])
def test_a_number_of_lost_digits_is_refused_with_what_helps(value):
    with pytest.raises(BadTextError, match="has more digits than a spreadsheet keeps") as caught:
        list(sheet(["a"], [value]).rows())

    assert caught.value.remedy == "Format the column as text and enter the identifiers again."


def test_a_row_of_one_cell_above_wider_ones_is_a_heading_and_empty_rows_are_passed_over():
    these = sheet(["Our ratings", None], [None, None], ["a", "b"], [" ", ""], ["1", None])

    assert these.columns == ["a", "b"]
    assert [(str(these.place(row.line)), row.cells) for row in these.rows()] == [
        ("book.xlsx, sheet Ratings, row 5", {"a": "1", "b": ""})
    ]
    assert (str(these.place(0)), these.name) == (
        "book.xlsx, sheet Ratings", "book.xlsx \u203a Ratings",
    )  # fmt: skip


def test_a_sheet_of_one_column_has_its_name_in_the_first_row():
    assert [row.cells for row in sheet(["id"], ["d1"], ["d2"]).rows()] == [
        {"id": "d1"}, {"id": "d2"},
    ]  # fmt: skip


def test_a_column_without_a_name_is_one_where_it_has_a_value():
    assert sheet(["a", "", "c", None], ["1", "", "3", None]).columns == ["a", "c"]
    assert sheet(["a", "", "c", None], ["1", "2", "3", None]).columns == ["a", "column 2", "c"]


def test_a_cell_beside_the_columns_is_refused_with_its_row():
    with pytest.raises(BadTextError, match="a cell to the right of the last column") as caught:
        list(sheet(["a", None], ["1", " "], ["2", "3"]).rows())

    assert caught.value.place == "sheet Ratings, row 3"
    assert caught.value.remedy.startswith("Give the column a name, or empty it.")


def test_two_columns_of_one_name_are_refused_with_the_row_of_the_names():
    with pytest.raises(BadTextError, match="two columns are called 'a'") as caught:
        sheet(["Our ratings", None], ["a", "a"])

    assert caught.value.place == "sheet Ratings, row 2"
