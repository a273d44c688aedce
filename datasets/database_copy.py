"""A copy of an SQLite database, to read or write in while everybody goes on rating in the first."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper

from datasets.stores import scratch_folder


@contextmanager
def database_copy(alias: str, **settings: Any) -> Iterator[BaseDatabaseWrapper]:
    """A connection under this alias to a copy that is gone afterwards; `settings` are its own."""
    with scratch_folder() as folder:
        path = folder / "copy.sqlite3"
        connection.ensure_connection()
        # A full disk is to be known as one.
        with connection.wrap_database_errors, closing(sqlite3.connect(path)) as copy:
            connection.connection.backup(copy)
        copied = connection.copy(alias)
        copied.settings_dict |= {"NAME": str(path), **settings}
        try:
            yield copied
        finally:
            copied.close()
