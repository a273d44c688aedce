"""Parquet holds what no text can: NaN, NUL, bytes. The database must never see them."""

import math

import pyarrow
import pyarrow.parquet
import pytest

from formats.files import open_files
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
