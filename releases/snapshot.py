"""One consistent view of the database for as long as an export reads it, without holding up a
single rating."""

import sqlite3
import uuid
from contextlib import closing, contextmanager

from django.db import DEFAULT_DB_ALIAS, connection, connections, transaction

from datasets.stores import scratch_folder


@contextmanager
def snapshot():
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
def _copy():
    alias = f"snapshot-{uuid.uuid4().hex}"
    with scratch_folder() as folder:
        path = folder / "copy.sqlite3"
        connection.ensure_connection()
        # A full disk is to be known as one.
        with connection.wrap_database_errors, closing(sqlite3.connect(path)) as copy:
            connection.connection.backup(copy)
        reader = connection.copy(alias)
        reader.settings_dict |= {
            "NAME": str(path),
            "OPTIONS": {"init_command": "PRAGMA query_only=ON;"},
        }
        connections[alias] = reader
        try:
            yield alias
        finally:
            reader.close()
            del connections[alias]
