"""Tables of pages as answers to programs."""

from typing import Any

from rest_framework.response import Response

from agreement.tables.table import Kind as CellKind
from agreement.tables.table import Table
from agreement.tables.writing import as_data
from api.columns import Column, Kind
from api.endpoint import streamed
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
    rows = [tuple(map(_cell, columns, row)) for row in table.rows]
    return streamed(name, columns, [rows], request.accepted_renderer)


def _cell(column: Column, value: Any) -> Any:
    if value is None:
        return None
    return str(value) if column.kind is Kind.TEXT else float(value)
