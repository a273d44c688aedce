"""System checks for what fails silently: a database that does not keep what it was told.

`refuse_to_serve` runs them, and looks for pending migrations, before the web server or the worker
takes its first request (config/gunicorn.py, config/celery.py).
"""

import sqlite3

from django.conf import settings
from django.core import checks
from django.db import DEFAULT_DB_ALIAS, connections
from django.db.migrations.executor import MigrationExecutor

# PRAGMA synchronous, sqlite.org/pragma.html#pragma_synchronous
SQLITE_SYNCHRONOUS_FULL = 2
SQLITE_SAFE_WAL = (3, 51, 3)
POSTGRES_DURABLE = {
    "fsync": {"on"},
    "full_page_writes": {"on"},
    "synchronous_commit": {"on", "remote_apply", "remote_write", "local"},
}


@checks.register(checks.Tags.database)
def database_keeps_what_it_acknowledges(app_configs=None, databases=None, **kwargs):
    found = []
    for alias in databases or []:
        connection = connections[alias]
        if connection.vendor == "sqlite":
            found += _sqlite(connection)
        else:
            found += _postgresql(connection)
    return found


def _sqlite(connection):
    found = []
    with connection.cursor() as cursor:
        journal_mode = cursor.execute("PRAGMA journal_mode").fetchone()[0]
        synchronous = cursor.execute("PRAGMA synchronous").fetchone()[0]
    if connection.transaction_mode != "IMMEDIATE":
        found.append(
            checks.Error(
                "SQLite's transactions do not start with IMMEDIATE.",
                hint="Two annotators who save at once would fail with 'database is locked'.",
                id="facetwise.E001",
            )
        )
    # A database in memory, as for a quick test, has a journal of its own kind.
    if journal_mode not in {settings.SQLITE_JOURNAL_MODE, "memory"}:
        found.append(
            checks.Error(
                f"SQLite's journal mode is {journal_mode}; "
                f"expected {settings.SQLITE_JOURNAL_MODE} with SQLite {sqlite3.sqlite_version}.",
                hint="Is another program holding the database open?",
                id="facetwise.E002",
            )
        )
    if journal_mode == "wal" and sqlite3.sqlite_version_info < SQLITE_SAFE_WAL:
        found.append(
            checks.Error(
                f"SQLite {sqlite3.sqlite_version} may corrupt a database in WAL mode.",
                hint="Use journal mode TRUNCATE, or SQLite 3.51.3 or newer.",
                id="facetwise.E003",
            )
        )
    if synchronous < SQLITE_SYNCHRONOUS_FULL:
        found.append(
            checks.Error(
                f"SQLite's synchronous is {synchronous}; expected {SQLITE_SYNCHRONOUS_FULL}.",
                hint="A rating that was answered with 'saved' could be lost with the power.",
                id="facetwise.E004",
            )
        )
    return found


def _postgresql(connection):
    found = []
    with connection.cursor() as cursor:
        for name, durable in POSTGRES_DURABLE.items():
            cursor.execute("SELECT current_setting(%s)", [name])
            value = cursor.fetchone()[0]
            if value not in durable:
                found.append(
                    checks.Error(
                        f"PostgreSQL's {name} is {value}.",
                        hint="A rating that was answered with 'saved' could be lost. "
                        f"Set {name} = on.",
                        id="facetwise.E005",
                    )
                )
    return found


@checks.register(checks.Tags.database, deploy=True)
def application_cannot_change_the_tables(app_configs=None, databases=None, **kwargs):
    """Whoever owns a table can drop the triggers that keep the record, or hide what they read."""
    found = []
    for alias in databases or []:
        connection = connections[alias]
        if connection.vendor != "postgresql":
            continue
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT has_database_privilege(current_database(), 'TEMP') OR EXISTS ("
                "SELECT FROM pg_tables WHERE schemaname = 'public' "
                "AND pg_has_role(tableowner, 'MEMBER'))"
            )
            if cursor.fetchone()[0]:
                found.append(
                    checks.Warning(
                        "The application's user of PostgreSQL could drop triggers.",
                        hint="Make an owner apart with deploy/roles.sql, and name it to "
                        "`manage.py migrate` in DATABASE_OWNER_URL.",
                        id="facetwise.W001",
                    )
                )
    return found


def pending_migrations(alias=DEFAULT_DB_ALIAS):
    """Names of the migrations that the database has not had yet."""
    executor = MigrationExecutor(connections[alias])
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    return [f"{migration.app_label}.{migration.name}" for migration, _ in plan]


def refuse_to_serve():
    """Raise SystemExit with a sentence when this installation must not serve."""
    problems = [
        f"{problem.msg} {problem.hint or ''}".strip()
        for problem in checks.run_checks(tags=[checks.Tags.database], databases=[DEFAULT_DB_ALIAS])
        if problem.is_serious()
    ]
    if pending := pending_migrations():
        problems.append(
            f"The database lacks {len(pending)} migrations, first {pending[0]}. "
            "Run: python manage.py migrate"
        )
    if problems:
        raise SystemExit("Facetwise does not start:\n" + "\n".join(f"- {p}" for p in problems))
