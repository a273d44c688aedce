"""Rows as PostgreSQL sends them in binary.

Its driver has everything sent as text, in which bytes are hexadecimal digits: twice as much to
write, to send and to read.
"""

import io
import struct
from collections.abc import Iterator
from typing import Any

from django.db import connections
from django.db.models import QuerySet

# A signature of 11 bytes, flags, and the length of an extension, which there is none of.
HEAD = 19
FIELDS, LENGTH = struct.Struct("!h"), struct.Struct("!i")
NO_MORE = -1


def rows_in_binary(queryset: QuerySet[Any, Any]) -> Iterator[list[memoryview]]:
    """The columns of each row, none of which may be null: a number with its highest byte first, a
    text in UTF-8, bytes as they are."""
    sql, parameters = queryset.query.sql_with_params()
    connection, file = connections[queryset.db], io.BytesIO()
    with connection.cursor() as cursor, connection.wrap_database_errors:
        statement = cursor.mogrify(sql, parameters).decode()
        cursor.copy_expert(f"COPY ({statement}) TO STDOUT (FORMAT binary)", file)
    sent, at = file.getbuffer(), HEAD
    while (fields := FIELDS.unpack_from(sent, at)[0]) != NO_MORE:
        at += FIELDS.size
        row = []
        for _ in range(fields):
            start = at + LENGTH.size
            at = start + LENGTH.unpack_from(sent, at)[0]
            row.append(sent[start:at])
        yield row
