"""One consistent view of the database for as long as an export reads it, without holding up a
single rating."""

import uuid
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import DEFAULT_DB_ALIAS, connection, connections, transaction

from datasets.database_copy import database_copy


@contextmanager
def snapshot() -> Iterator[str]:
    """Yield the alias of a database in which nothing changes any more.

    PostgreSQL: a REPEATABLE READ, READ ONLY transaction. SQLite: a copy of the file, since a
    reader in TRUNCATE mode holds up every writer. Inside a transaction of the caller, which no
    other connection sees into, it is that transaction.
    """
    if connection.in_atomic_block:
        yield DEFAULT_DB_ALIAS
    elif connection.vendor == "sqlite":
        with _copy() as alias:
            yield alias
    else:
        with transaction.atomic(durable=True):
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
                # It holds nobody up, however long it takes.
                cursor.execute("SET LOCAL statement_timeout = 0")
                cursor.execute("SET LOCAL idle_in_transaction_session_timeout = 0")
            yield DEFAULT_DB_ALIAS


@contextmanager
def _copy() -> Iterator[str]:
    alias = f"snapshot-{uuid.uuid4().hex}"
    with database_copy(alias, OPTIONS={"init_command": "PRAGMA query_only=ON;"}) as reader:
        connections[alias] = reader
        try:
            yield alias
        finally:
            del connections[alias]
