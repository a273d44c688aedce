"""Parquet holds what no text can: NaN, NUL, bytes. The database must never see them."""

import math

import pyarrow
import pyarrow.parquet
import pytest

from formats.files import open_files
from formats.problems import BadInputError
from formats.strict import BadTextError
from formats.tables.rows import open_tables


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
