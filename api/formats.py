"""Tables as CSV, NDJSON and Parquet, written as they are read."""

import io
import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from rest_framework.renderers import BaseRenderer, JSONRenderer

from api.columns import Column, Kind, written
from formats.spreadsheets import cell, csv_text

Chunks = Iterable[Sequence[Sequence[Any]]]


class TableRenderer(BaseRenderer):
    """A format of `Accept`. The rows themselves are written by `WRITERS`, in a stream."""

    charset = None

    def render(self, data: Any, *_: Any, **__: Any) -> bytes:
        """An answer that is no table, such as a refusal, is JSON in every format."""
        return JSONRenderer().render(data)


class CSV(TableRenderer):
    media_type, format = "text/csv", "csv"


class NDJSON(TableRenderer):
    media_type, format = "application/x-ndjson", "ndjson"


class Parquet(TableRenderer):
    media_type, format = "application/vnd.apache.parquet", "parquet"


TABLES = [CSV, NDJSON, Parquet]


def as_csv(columns: Sequence[Column], chunks: Chunks) -> Iterator[bytes]:
    """A line of names, then one per row; lists as JSON, nothing for no value. Lines end in LF."""
    yield csv_text([[column.name for column in columns]]).encode()
    for rows in chunks:
        yield csv_text([_cell(value) for value in row] for row in rows).encode()


def _cell(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, dict)):
        return cell(json.dumps(value, ensure_ascii=False, default=written))
    is_plain = value is None or isinstance(value, (str, int, float))
    return cell(value) if is_plain else written(value)


def as_ndjson(columns: Sequence[Column], chunks: Chunks) -> Iterator[bytes]:
    names = [column.name for column in columns]
    encode = json.JSONEncoder(ensure_ascii=False, default=written).encode
    for rows in chunks:
        lines = (encode(dict(zip(names, row, strict=True))) for row in rows)
        yield "".join(f"{line}\n" for line in lines).encode()


def as_parquet(columns: Sequence[Column], chunks: Chunks) -> Iterator[bytes]:
    """A row group per chunk; lists of texts are lists, other structures JSON."""
    # Half a second and many megabytes that only this format needs.
    import pyarrow
    from pyarrow import parquet

    types = {
        Kind.INTEGER: pyarrow.int64(),
        Kind.NUMBER: pyarrow.float64(),
        Kind.FLAG: pyarrow.bool_(),
        Kind.TIME: pyarrow.timestamp("us", tz="UTC"),
        Kind.DAY: pyarrow.date32(),
        Kind.TEXTS: pyarrow.list_(pyarrow.string()),
    }
    fields = [(column.name, types.get(column.kind, pyarrow.string())) for column in columns]
    schema = pyarrow.schema(fields)
    sink = _Sink()
    with parquet.ParquetWriter(sink, schema) as writer:
        for rows in chunks:
            arrays = [
                pyarrow.array([_arrow(column, row[number]) for row in rows], kind)
                for number, (column, (_, kind)) in enumerate(zip(columns, fields, strict=True))
            ]
            writer.write_table(pyarrow.Table.from_arrays(arrays, schema=schema))
            yield sink.taken()
    yield sink.taken()


def _arrow(column: Column, value: Any) -> Any:
    if column.kind is Kind.DATA and value is not None:
        return json.dumps(value, ensure_ascii=False, default=written)
    return value


def as_json(columns: Sequence[Column], chunks: Chunks) -> Iterator[bytes]:
    names = [column.name for column in columns]
    yield b"["
    yield from json_items([dict(zip(names, row, strict=True)) for row in rows] for rows in chunks)
    yield b"]"


def json_items(parts: Iterable[Sequence[Any]]) -> Iterator[bytes]:
    """The inside of an array of JSON, written in parts, none of them empty."""
    between = b""
    for part in parts:
        yield between + JSONRenderer().render(part)[1:-1]
        between = b","


class _Sink(io.RawIOBase):
    """A file-like buffer that hands out the bytes written since the last time."""

    def __init__(self) -> None:
        super().__init__()
        self._parts: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, part: Any) -> int:
        self._parts.append(bytes(part))
        return len(part)

    def taken(self) -> bytes:
        parts, self._parts = self._parts, []
        return b"".join(parts)


WRITERS = {"json": as_json, "csv": as_csv, "ndjson": as_ndjson, "parquet": as_parquet}
