"""Parquet holds what no text can: NaN, NUL, bytes. The database must never see them."""

import math
from datetime import UTC, date, datetime
from decimal import Decimal

import pyarrow
import pyarrow.parquet
import pytest

from formats.files import open_files
from formats.problems import BadInputError
from formats.strict import BadTextError
from formats.tables.opening import open_tables


@pytest.fixture
def cells(tmp_path):
    """The cells of a column's rows, once they went through a file."""

    def read(*values, kind=None):
        table = pyarrow.table({"a": pyarrow.array(values, kind)})
        pyarrow.parquet.write_table(table, tmp_path / "a.parquet")
        with open_files([tmp_path / "a.parquet"]) as files:
            return [row.cells["a"] for row in open_tables(files.all[0])[0].rows()]

    return read


def test_nan_is_a_missing_number_at_any_depth(cells):
    assert cells(1.5, math.nan) == [1.5, None]
    assert cells([math.nan, 2.0]) == [[None, 2.0]]


@pytest.mark.parametrize(
    ("value", "message", "place"),
    [
        (math.inf, "an infinite number", "row 2, column a"),
        ("a\0", "a NUL character", "row 2"),
        (b"a", "a column of bytes", "row 2, column a"),
    ],
)
def test_what_no_database_keeps_is_refused_with_its_place(cells, value, message, place):
    with pytest.raises(BadTextError, match=message) as caught:
        cells(None, value)

    assert caught.value.place == place


TEXT = "x" * 100_000
# Each is a few kilobytes as a file, since the text is stored once.
REPEATED = {
    "texts": [TEXT] * 50,
    "lists": [[TEXT] * 10] * 5,
    "structs": [{"note": TEXT}] * 50,
    "maps": [[("note", TEXT)]] * 50,
    "blanks": [None] * 2_000_000,
}
KINDS = {"maps": pyarrow.map_(pyarrow.string(), pyarrow.string()), "blanks": pyarrow.string()}


def problem_of(paths, limit):
    with pytest.raises(BadInputError) as caught, open_files(paths, limit=limit):
        pass
    [problem] = caught.value.problems
    return problem.message


@pytest.mark.parametrize("name", REPEATED)
def test_a_file_of_few_bytes_with_cells_of_many_is_too_large(tmp_path, name):
    path = tmp_path / "a.parquet"
    column = pyarrow.array(REPEATED[name], KINDS.get(name))
    pyarrow.parquet.write_table(pyarrow.table({"a": column}), path)
    assert path.stat().st_size < 30_000

    assert "at most 1,000,000 are taken" in problem_of([path], 1_000_000)
    with open_files([path], limit=6_000_000) as files:
        assert files.all[0].name == "a.parquet"


def test_cells_of_several_files_are_counted_together(tmp_path):
    paths = [tmp_path / "a.parquet", tmp_path / "b.parquet"]
    for path in paths:
        pyarrow.parquet.write_table(pyarrow.table({"a": [TEXT] * 6}), path)

    assert "at most 1,000,000 are taken" in problem_of(paths, 1_000_000)


@pytest.fixture
def table(tmp_path):
    """The table in a file of these columns."""

    def write(columns, **options):
        path = tmp_path / "a.parquet"
        pyarrow.parquet.write_table(pyarrow.table(columns), path, **options)
        with open_files([path]) as files:
            return open_tables(files.all[0])[0]

    return write


@pytest.mark.parametrize(
    ("value", "kind", "cell"),
    [
        ("007", None, "007"),
        (7, None, 7),
        (True, None, True),
        (1.5, None, 1.5),
        (Decimal("1.50"), pyarrow.decimal128(5, 2), "1.50"),
        (date(2026, 1, 31), None, "2026-01-31"),
        (datetime(2026, 1, 31, 12, 30, tzinfo=UTC), None, "2026-01-31T12:30:00+00:00"),
        (["a", None], None, ["a", None]),
        ({"a": [1.5, math.nan]}, None, {"a": [1.5, None]}),
        ([("year", "1999"), ("venue", "here")], KINDS["maps"],
         [["year", "1999"], ["venue", "here"]]),
        (None, pyarrow.string(), None),
    ],
)  # fmt: skip
def test_values_come_as_json_would_have_them(cells, value, kind, cell):
    [read] = cells(value, kind=kind)

    assert (read, type(read)) == (cell, type(cell))


@pytest.mark.parametrize(
    ("value", "kind"),
    [([("a", "b\0")], KINDS["maps"]), ([{"a": "b\0"}], None), ({"a": ["b\0"]}, None)],
)
def test_what_no_database_keeps_is_refused_at_any_depth(cells, value, kind):
    with pytest.raises(BadTextError, match="a NUL character") as caught:
        cells(value, kind=kind)

    assert caught.value.place == "row 1"


def test_rows_are_counted_over_the_batches(table, monkeypatch):
    monkeypatch.setattr("formats.tables.parquet.BATCH_ROWS", 2)
    rows = list(table({"a": list("vwxyz")}).rows())

    assert [(row.line, row.cells["a"]) for row in rows] == list(enumerate("vwxyz", start=1))


def test_only_the_columns_that_are_asked_for_are_read(table):
    these = table({"a": ["1"], "b ": [b"not read"], "c": ["3"]})

    assert these.columns == ["a", "b", "c"]
    assert [row.cells for row in these.rows(["c", "a"])] == [{"a": "1", "c": "3"}]
    with pytest.raises(BadTextError, match="a column of bytes"):
        list(these.rows())


def test_a_row_has_a_place_and_the_whole_table_none(table):
    these = table({"a": ["1"]})

    assert str(these.place(1204)) == "a.parquet, row 1,204"
    assert str(these.place(0)) == "a.parquet"
    assert these.row_count == 1


def test_a_table_without_rows_has_its_columns(table):
    these = table({"a": pyarrow.array([], pyarrow.string())})

    assert (these.columns, list(these.rows())) == (["a"], [])


def test_a_row_group_that_is_larger_than_what_is_unpacked_at_once_is_refused(table, monkeypatch):
    # The last of the groups is smaller than the others.
    values = [f"{number:0100}" for number in range(950)]
    small = {"row_group_size": 100, "use_dictionary": False, "compression": "none"}
    largest = max(
        pyarrow.parquet.ParquetFile(table({"a": values}, **small).file.path)
        .metadata.row_group(number).total_byte_size
        for number in range(10)
    )  # fmt: skip

    monkeypatch.setattr("formats.tables.parquet.MAX_GROUP_BYTES", largest)
    assert table({"a": values}, **small).row_count == 950

    monkeypatch.setattr("formats.tables.parquet.MAX_GROUP_BYTES", largest - 1)
    with pytest.raises(BadTextError) as caught:
        table({"a": values}, **small)
    assert caught.value.message == f"a row group of {largest:,} bytes, unpacked."
    assert caught.value.remedy == "Write smaller row groups."


def test_a_file_that_breaks_off_is_refused_with_the_row(tmp_path):
    path = tmp_path / "a.parquet"
    values = [f"{number:0100}" for number in range(1000)]
    options = {"use_dictionary": False, "compression": "none", "row_group_size": 500}
    pyarrow.parquet.write_table(pyarrow.table({"a": values}), path, **options)
    data = bytearray(path.read_bytes())
    second = data.index(values[500].encode())
    data[second - 60 : second] = b"\xff" * 60
    path.write_bytes(data)

    with open_files([path]) as files:
        these = open_tables(files.all[0])[0].rows()
        with pytest.raises(BadTextError, match="the Parquet file is broken: ") as caught:
            list(these)

    assert caught.value.place in ("row 1", "row 501")
    assert caught.value.remedy == "Write it again, or bring CSV or JSON lines."


def test_a_file_that_is_none_is_refused_without_a_row(tmp_path):
    (tmp_path / "a.parquet").write_bytes(b"PAR1 and no more PAR1")

    with (
        open_files([tmp_path / "a.parquet"]) as files,
        pytest.raises(BadTextError, match=r"the Parquet file is broken: [^\n]+\.$") as caught,
    ):
        open_tables(files.all[0])

    assert caught.value.place == ""
