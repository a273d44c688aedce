"""Damage as by somebody with SQL who covers their traces: the triggers are back afterwards."""

from contextlib import contextmanager

from django.db import connection


@contextmanager
def without_triggers(*tables):
    """The triggers that would refuse changes of these tables stand aside."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            # Pending checks of deferred constraints would refuse ALTER TABLE.
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            for table in tables:
                cursor.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
            yield
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            for table in tables:
                cursor.execute(f"ALTER TABLE {table} ENABLE TRIGGER USER")
            cursor.execute("SET CONSTRAINTS ALL DEFERRED")
        else:
            cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
            triggers = cursor.fetchall()
            for name, _ in triggers:
                cursor.execute(f"DROP TRIGGER {name}")
            yield
            for _, sql in triggers:
                cursor.execute(sql)


def rewrite(rows, **values):
    """Update rows (a queryset) that triggers guard."""
    with without_triggers(rows.model._meta.db_table):
        rows.update(**values)


def erase(rows):
    """Delete rows (a queryset) that triggers guard."""
    with without_triggers(rows.model._meta.db_table):
        rows._raw_delete(rows.db)


def run_sql(statement):
    """Run an UPDATE or a DELETE that triggers would refuse."""
    table = statement.split()[2 if statement.startswith("DELETE") else 1]
    with without_triggers(table), connection.cursor() as cursor:
        cursor.execute(statement)
