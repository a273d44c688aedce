"""Django's backend for SQLite, which puts a statement into SQLite's form once.

Django writes `%s` where a value belongs, and SQLite wants `?`. Looking for the places took 4 % of
what a save costs, at every use of the same few statements.
"""

import functools
from collections.abc import Iterable
from typing import Any

from django.db.backends.sqlite3 import base

MAX_STATEMENTS = 500
LONGEST = 10_000  # characters; longer ones write many rows at once, and seldom come again


@functools.lru_cache(MAX_STATEMENTS)
def converted(statement: str) -> str:
    # Django's method does not use its cursor.
    return base.SQLiteCursorWrapper.convert_query(None, statement)  # type: ignore[arg-type]


class Cursor(base.SQLiteCursorWrapper):
    def convert_query(self, query: str, *, param_names: Iterable[str] | None = None) -> str:
        if param_names is None and len(query) <= LONGEST:
            return converted(query)
        return super().convert_query(query, param_names=param_names)


class DatabaseWrapper(base.DatabaseWrapper):
    def create_cursor(self, name: str | None = None) -> Any:
        return self.connection.cursor(factory=Cursor)
