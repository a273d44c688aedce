"""How many bytes the cells of a Parquet file have, before they are unpacked."""

from decimal import Decimal

import pyarrow
import pyarrow.parquet
import pytest

from formats import parquet_bytes
from formats.parquet_bytes import unpacked_bytes


@pytest.fixture
def counts(tmp_path):
    """What is counted of a table, step by step."""

    def count(**columns):
        path = tmp_path / "a.parquet"
        pyarrow.parquet.write_table(pyarrow.table(columns), path)
        return list(unpacked_bytes(path))

    return count


@pytest.mark.parametrize(
    ("values", "size"),
    [
        (pyarrow.array(["ab", "é", "", None]), 4),
        (pyarrow.array(["ab"] * 1000), 2000),
        (pyarrow.array([None, None], pyarrow.string()), 0),
        (pyarrow.array([["ab", "c"], [], None]), 3),
        (pyarrow.array([{"a": "abc", "b": None}]), 3),
        (pyarrow.array([[("k", "abc")]], pyarrow.map_(pyarrow.string(), pyarrow.string())), 4),
        (pyarrow.array([b"ab"], pyarrow.large_binary()), 2),
    ],
)
def test_texts_have_the_bytes_of_their_letters(counts, values, size):
    assert counts(a=values)[-1] == size


def test_numbers_have_the_bytes_that_they_take(counts):
    # Arrow may have a further bit for each, which says whether it is there.
    assert counts(a=[1, 2, 3])[-1] in (24, 25)
    assert counts(a=pyarrow.array([Decimal("1.5")], pyarrow.decimal128(5, 2)))[-1] in (16, 17)


def test_columns_are_added(counts):
    assert counts(a=["abc"], b=[1], c=["de"])[-1] in (3 + 8 + 2, 3 + 9 + 2)


def test_first_it_is_what_the_file_tells_and_at_least_a_byte_a_cell(counts):
    assert counts(a=pyarrow.array([None] * 1000, pyarrow.string()))[0] == 1000
    first, last = counts(a=[f"{number:0100}" for number in range(50)])
    assert 5_000 == last <= first


def test_bytes_are_told_as_they_are_counted(counts, monkeypatch):
    monkeypatch.setattr(parquet_bytes, "ROWS_AT_ONCE", 2)

    assert counts(a=["abc"] * 5)[1:] == [6, 12, 15]


@pytest.mark.parametrize("data", [b"PAR1", b"PAR1 and no more PAR1", b""])
def test_of_a_broken_file_nothing_is_told(tmp_path, data):
    (tmp_path / "a.parquet").write_bytes(data)

    assert list(unpacked_bytes(tmp_path / "a.parquet")) == []
