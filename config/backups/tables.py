"""The tables of a database as files that both databases can read back.

A table is a gzip file of JSON lines: the names of its columns, then its rows by primary key. Dates,
decimals and UUIDs are text, bytes are base64.
"""

import base64
import gzip
import json
from collections.abc import Iterable, Iterator, Sequence
from io import BufferedWriter
from pathlib import Path
from typing import Any

from django.core.management.color import no_style
from django.db import connections, models

# Sessions, guesses and what tokens were answered end with the installation; copies, known intervals
# and known results are made anew; content types and permissions are Django's own, and nothing here
# refers to them.
LEFT_OUT = {
    *("accounts_session", "accounts_attempt", "accounts_setuplink", "jobs_pulse"),
    *("django_session", "datasets_keptanswer"),
    *("agreement_topiccopy", "agreement_knownintervals", "evaluation_knownresult"),
    *("django_content_type", "auth_permission", "auth_group", "auth_group_permissions"),
}
ROWS_AT_ONCE = 2_000
PACKED_AT_ONCE = 64 * 1024  # bytes
INSERTED_ROWS = 500
# SQLite takes no more parameters in one statement than it was built for.
INSERTED_VALUES = 30_000


def tables_of(apps: Any) -> dict[str, type[models.Model]]:
    """{table: model} of what a backup holds; `apps` may be those of an earlier state."""
    tables = {
        model._meta.db_table: model
        for model in apps.get_models(include_auto_created=True)
        if model._meta.managed and not model._meta.proxy
    }
    return {name: tables[name] for name in sorted(tables.keys() - LEFT_OUT)}


def write_table(model: type[models.Model], path: Path, *, using: str) -> int:
    """Write all rows of a table into a new file; returns how many."""
    fields = model._meta.concrete_fields
    rows = model._base_manager.using(using).order_by("pk")
    count = 0
    # Neither name nor time inside, so that the same rows are the same bytes.
    with (
        path.open("xb") as raw,
        gzip.GzipFile("", "wb", 6, raw, mtime=0) as packed,
        BufferedWriter(packed, PACKED_AT_ONCE) as file,
    ):
        file.write(_line([field.attname for field in fields]))
        for row in rows.values_list(*(field.attname for field in fields)).iterator(ROWS_AT_ONCE):
            file.write(_line(row))
            count += 1
    return count


def _plain(value: Any) -> str:
    """A value that JSON has no form for: of a date, a time, an id, an exact number or bytes."""
    if isinstance(value, (bytes, memoryview)):
        return base64.b64encode(bytes(value)).decode()
    return value.isoformat() if hasattr(value, "isoformat") else str(value)


_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), default=_plain)


def _line(cells: Sequence[Any]) -> bytes:
    return _ENCODER.encode(cells).encode() + b"\n"


def read_table(file: Any) -> Iterator[list[Any]]:
    """The lines of a table's file: names of columns first."""
    with gzip.GzipFile(fileobj=file) as lines:
        for line in lines:
            yield json.loads(line)


def insert_rows(
    model: type[models.Model], columns: list[str], rows: Iterable[list[Any]], *, using: str
) -> int:
    """Insert rows as they were written, without what a model would add to them; how many."""
    connection = connections[using]
    by_name = {field.attname: field for field in model._meta.concrete_fields}
    fields = [by_name[name] for name in columns]
    quote = connection.ops.quote_name
    names = ", ".join(quote(str(field.column)) for field in fields)
    insert = f"INSERT INTO {quote(model._meta.db_table)} ({names}) VALUES "  # noqa: S608
    places = f"({', '.join(['%s'] * len(fields))})"
    at_once = max(1, min(INSERTED_ROWS, INSERTED_VALUES // len(fields)))
    count = 0
    with connection.cursor() as cursor:
        for chunk in _chunks(rows, at_once):
            values = [
                field.get_db_prep_save(field.to_python(cell), connection)
                for row in chunk
                for field, cell in zip(fields, row, strict=True)
            ]
            cursor.execute(insert + ", ".join([places] * len(chunk)), values)
            count += len(chunk)
    return count


def _chunks(rows: Iterable[list[Any]], size: int) -> Iterator[list[list[Any]]]:
    chunk = []
    for row in rows:
        chunk.append(row)
        if len(chunk) == size:
            yield chunk
            chunk = []
    if chunk:
        yield chunk


def renew_sequences(tables: Iterable[type[models.Model]], *, using: str) -> None:
    """Let new rows get ids above those that are there. (SQLite sees to that by itself.)"""
    connection = connections[using]
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), list(tables)):
            cursor.execute(statement)
