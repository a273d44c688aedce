"""Tables of pages as answers to programs."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from numbers import Integral
from typing import Any

from django.http import StreamingHttpResponse
from rest_framework.renderers import JSONRenderer
from rest_framework.response import Response

from agreement.tables.table import Cell, Table
from agreement.tables.table import Kind as CellKind
from agreement.tables.writing import as_data, in_files, in_parts, mappings
from api.columns import Column, Kind
from api.endpoint import streamed
from api.formats import json_items
from datasets.models import Role

LEAD = (Role.LEAD,)


# JSON of the shape that the page's own file has.
DATA = {"type": "object", "additionalProperties": True}


TABLES_DATA = {"type": "array", "items": DATA}


def columns_of(table: Table) -> tuple[Column, ...]:
    kinds = {CellKind.TEXT: Kind.TEXT}
    return tuple(
        Column(column.key, column.title, kinds.get(column.kind, Kind.NUMBER))
        for column in table.columns
    )


def table_answer(request: Any, table: Table, name: str, facts: dict[str, Any]) -> Any:
    """The table as data with what it is about, or its rows alone as a file."""
    if request.accepted_renderer.format == "json":
        return Response(facts | as_data(table))
    columns = columns_of(table)
    rows = [tuple(map(_cell, columns, row)) for row in in_files(table.columns, table.rows)]
    return streamed(name, columns, [rows], request.accepted_renderer)


def streamed_data(
    table: Table, rows: Iterable[Sequence[Cell]], facts: dict[str, Any]
) -> StreamingHttpResponse:
    """The JSON of `table_answer` with many rows, written while it is sent."""
    return StreamingHttpResponse(
        _data_parts(facts | as_data(replace(table, rows=())), mappings(table.columns, rows)),
        content_type=JSONRenderer.media_type,
    )


def _data_parts(answer: dict[str, Any], rows: Iterable[dict[str, Cell]]) -> Iterator[bytes]:
    # The rows are the last of a table's data.
    yield JSONRenderer().render(answer).removesuffix(b"]}")
    yield from json_items(in_parts(rows))
    yield b"]}"


def _cell(column: Column, value: Any) -> Any:
    if value is None:
        return None
    if column.kind is Kind.TEXT:
        return str(value)
    # A count is whole in a file as it is in JSON.
    return int(value) if isinstance(value, Integral) else float(value)
