"""What an import asks of its connection, so that many rows are written and read quickly."""

from collections.abc import Iterable

from django.db import connection, models

# What SQLite keeps of its file in memory while an import writes. Rows fall on pages all over the
# indices; in the usual two megabytes each transaction read and wrote the same pages repeatedly.
CACHE_KILOBYTES = 64 * 1024


def keep_pages(size: int | None) -> int | None:
    """Let SQLite keep so much in memory in this connection, as its cache_size has it; returns what
    it was before. This needs no transaction, and works after one that failed."""
    if connection.vendor != "sqlite" or connection.connection is None:
        return None
    before: int = connection.connection.execute("PRAGMA cache_size").fetchone()[0]
    if size is not None:
        connection.connection.execute(f"PRAGMA cache_size = {size:d}")
    return before


def count_tables(of_models: Iterable[type[models.Model]]) -> None:
    """Let PostgreSQL count the rows of these tables.

    Until it does so by itself, its planner takes a large table for an empty one, and goes through a
    whole index for a row that it could look up. It counts no row of a transaction that is open. A
    table that is being cleaned up at this moment is left out, since that can take hours.
    """
    tables = ", ".join(sorted(model._meta.db_table for model in of_models))
    if connection.vendor == "postgresql" and tables:
        with connection.cursor() as cursor:
            cursor.execute(f"ANALYZE (SKIP_LOCKED) {tables}")


def forget_plans() -> None:
    """Let PostgreSQL plan the statements of its triggers for the tables as they are now.

    A connection keeps each plan. One made while a table was small reads the whole table, and would
    do so for every row until the table is counted anew.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("DISCARD PLANS")
