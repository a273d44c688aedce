"""Tables as CSV, lines of JSON, one JSON and Parquet, cell by cell."""

import csv
import io
import json
from datetime import UTC, date, datetime
from decimal import Decimal

import pyarrow
import pytest
from pyarrow import parquet

from api.columns import Column, Kind
from api.formats import CSV, as_csv, as_json, as_ndjson, as_parquet, json_items

MOMENT = datetime(2026, 3, 2, 4, 5, 6, 123456, tzinfo=UTC)
COLUMNS = [
    Column("id", "", Kind.ID),
    Column("n", "", Kind.INTEGER),
    Column("value", "", Kind.NUMBER),
    Column("is_on", "", Kind.FLAG),
    Column("at", "", Kind.TIME),
    Column("day", "", Kind.DAY),
    Column("names", "", Kind.TEXTS),
    Column("data", "", Kind.DATA),
]
FULL = ("d1", 2**53 + 1, 0.1, True, MOMENT, date(2026, 3, 2), ["é", "b"], {"é": MOMENT})
EMPTY = (None,) * len(COLUMNS)


def whole(parts):
    return b"".join(parts)


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (None, ""),
        ("", ""),
        (True, "true"),
        (False, "false"),
        (0, "0"),
        (-0.5, "-0.5"),
        (0.1 + 0.2, "0.30000000000000004"),
        (MOMENT, "2026-03-02T04:05:06.123456+00:00"),
        (date(2026, 3, 2), "2026-03-02"),
        (Decimal("1.50"), "1.50"),
        ([], "[]"),
        ({"a": ["é", None]}, '{"a": ["é", null]}'),
        ([MOMENT], '["2026-03-02T04:05:06.123456+00:00"]'),
        ("=1+1", "'=1+1"),
        ("-1.5", "-1.5"),
        ("-1.5.2", "'-1.5.2"),
        ("@name", "'@name"),
        ("'=x", "''=x"),
        ('a "b", c', 'a "b", c'),
        ("a\rb\nc", "a\rb\nc"),
    ],
)
def test_a_value_is_one_cell_of_csv(value, written):
    text = whole(as_csv([Column("id", ""), Column("x", "")], [[("d1", value)]])).decode()

    assert list(csv.reader(io.StringIO(text, newline=""))) == [["id", "x"], ["d1", written]]


def test_a_table_without_rows_has_a_line_of_names_alone_or_nothing():
    assert whole(as_csv(COLUMNS[:2], [[]])) == b"id,n\n"
    assert whole(as_ndjson(COLUMNS[:2], [[]])) == b""


def test_lines_of_json_keep_letters_and_end_nowhere_inside_a_row():
    rows = [("é\u2028\n", 1), ("b", None)]

    text = whole(as_ndjson(COLUMNS[:2], [rows[:1], rows[1:]])).decode()

    assert "é" in text
    assert [json.loads(line) for line in text.split("\n")[:-1]] == [
        {"id": "é\u2028\n", "n": 1},
        {"id": "b", "n": None},
    ]


def test_times_stand_in_json_as_their_iso_form():
    [line] = whole(as_ndjson(COLUMNS, [[FULL]])).decode().splitlines()

    row = json.loads(line)
    assert (row["at"], row["day"]) == ("2026-03-02T04:05:06.123456+00:00", "2026-03-02")
    assert row["data"] == {"é": "2026-03-02T04:05:06.123456+00:00"}


@pytest.mark.parametrize(
    ("chunks", "rows"),
    [
        ([], []),
        ([[("a", 1)]], [1]),
        ([[("a", 1), ("b", 2)], [("c", 3)]], [1, 2, 3]),
    ],
)
def test_rows_of_several_parts_are_one_array_of_json(chunks, rows):
    written = json.loads(whole(as_json(COLUMNS[:2], chunks)))

    assert [row["n"] for row in written] == rows
    assert all(list(row) == ["id", "n"] for row in written)


def test_parts_of_an_array_have_a_comma_between_them_and_none_around():
    assert whole(json_items([["a", "b"], ["c"]])) == b'"a","b","c"'


def test_parquet_has_the_type_of_each_column_and_nulls_for_no_value():
    table = parquet.read_table(io.BytesIO(whole(as_parquet(COLUMNS, [[FULL, EMPTY]]))))

    assert table.schema.types == [
        pyarrow.string(),
        pyarrow.int64(),
        pyarrow.float64(),
        pyarrow.bool_(),
        pyarrow.timestamp("us", tz="UTC"),
        pyarrow.date32(),
        pyarrow.list_(pyarrow.string()),
        pyarrow.string(),
    ]
    full, empty = (list(row.values()) for row in table.to_pylist())
    assert full[:-1] == list(FULL[:-1])
    assert full[-1] == '{"é": "2026-03-02T04:05:06.123456+00:00"}'
    assert empty == list(EMPTY)


def test_parquet_comes_while_it_is_written_a_group_of_rows_for_each_part():
    parts = list(as_parquet(COLUMNS[:2], [[("a", 1)], [("b", 2), ("c", 3)]]))

    file = parquet.ParquetFile(io.BytesIO(whole(parts)))
    assert [file.metadata.row_group(number).num_rows for number in range(2)] == [1, 2]
    assert parts[0].startswith(b"PAR1")
    assert all(parts)


def test_parquet_of_no_rows_is_a_file_with_its_columns():
    table = parquet.read_table(io.BytesIO(whole(as_parquet(COLUMNS[:2], [[]]))))

    assert (table.num_rows, table.column_names) == (0, ["id", "n"])


def test_a_refusal_in_a_format_for_tables_is_json():
    assert json.loads(CSV().render({"detail": "No."})) == {"detail": "No."}
