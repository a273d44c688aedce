"""One migrated database for a whole run, copied for each of its processes.

Migrating takes seconds of a processor; copying a file does not. On SQLite the file is kept for the
next run as well, until a migration or what makes triggers changes (`pytest --cache-clear` removes
it).
"""

import fcntl
import functools
import hashlib
import os
import shutil
from contextlib import closing, contextmanager
from pathlib import Path

import django
from django.conf import settings
from django.db import connection, connections, transaction

ROOT = Path(__file__).resolve().parent.parent
RUN = Path(os.environ["FACETWISE_TEST_STATE"])
# pytest's own, which `pytest --cache-clear` empties.
CACHE = ROOT / ".pytest_cache" / "d" / "migrated"
# Says that the server has the migrated database of this run.
MIGRATED = RUN / "migrated"


def on_sqlite():
    return settings.DATABASES["default"]["ENGINE"].endswith("sqlite3")


@contextmanager
def turn(path):
    """One process at a time has this path to itself; the others wait."""
    with path.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def make_once(path, make):
    """The file or folder that `make(path)` writes, made by the first process that wants it."""
    with turn(path):
        if not path.exists():
            unfinished = path.with_suffix(".unfinished")
            make(unfinished)
            unfinished.rename(path)
    return path


def _use(name):
    connection.close()
    settings.DATABASES["default"]["NAME"] = connection.settings_dict["NAME"] = str(name)


def _migrate(name):
    """Make the database of this name with all migrations applied; nobody stays connected."""
    usual = connection.settings_dict["TEST"]["NAME"]
    connection.settings_dict["TEST"]["NAME"] = str(name)
    connection.creation.create_test_db(verbosity=0, autoclobber=True, serialize=False)
    connection.close()
    connection.settings_dict["TEST"]["NAME"] = usual


def set_up():
    """Give this process a migrated database of its own; return what takes it away."""
    return _set_up_file() if on_sqlite() else _set_up_on_server()


def _set_up_file():
    name = connection.settings_dict["TEST"]["NAME"]
    copy_migrated(name)
    _use(name)
    return connection.close


def copy_migrated(path):
    """A migrated SQLite file without rows."""
    CACHE.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(make_once(CACHE / f"{_what_migrations_say()}.sqlite3", _migrate), path)


def _what_migrations_say():
    """A hash of everything that a migrated database follows from."""
    sources = [
        *ROOT.glob("*/migrations/*.py"),
        *ROOT.glob("audit/*.py"),
        ROOT / "config" / "settings.py",
    ]
    digest = hashlib.sha256(repr((django.VERSION, connection.Database.sqlite_version)).encode())
    for path in sorted(sources):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def migrated_on_server():
    """The name of the migrated PostgreSQL database without rows, which others are copied from."""
    return f"{connection.settings_dict['TEST']['NAME']}_migrated"


def _set_up_on_server():
    usual = connection.settings_dict["NAME"]
    name = connection.settings_dict["TEST"]["NAME"]
    process = os.environ.get("PYTEST_XDIST_WORKER", "main")
    migrated, copy = migrated_on_server(), f"{name}_{process}"
    with turn(MIGRATED):
        if not MIGRATED.exists():
            _migrate(migrated)
            MIGRATED.touch()
        _run_on_server(f'CREATE DATABASE "{copy}" TEMPLATE "{migrated}"')
    _use(copy)

    def remove():
        _use(usual)
        _run_on_server(f'DROP DATABASE "{copy}" WITH (FORCE)')

    return remove


def remove_migrated():
    """At the end of a run, from the process that began it."""
    if not on_sqlite() and MIGRATED.exists():
        _run_on_server(f'DROP DATABASE IF EXISTS "{migrated_on_server()}" WITH (FORCE)')


def _run_on_server(statement):
    with connection._nodb_cursor() as cursor:
        cursor.execute(statement)


def empty():
    """Delete all rows, past the triggers that refuse it. Most tables have none after most tests,
    and to ask each takes less than to empty it."""
    with transaction.atomic(), connection.cursor() as cursor:
        if on_sqlite():
            tables = _tables_with_rows(cursor)
            cursor.execute("SELECT name, tbl_name, sql FROM sqlite_master WHERE type = 'trigger'")
            triggers = [trigger for trigger in cursor.fetchall() if trigger[1] in tables]
            for name, _, _ in triggers:
                cursor.execute(f"DROP TRIGGER {name}")
            _delete(cursor, tables)
            for _, _, sql in triggers:
                cursor.execute(sql)
        else:
            # Whoever still writes comes to an end first, as before TRUNCATE.
            cursor.execute(f"LOCK TABLE {', '.join(map(connection.ops.quote_name, _tables()))}")
            cursor.execute("SET LOCAL session_replication_role = replica")
            _delete(cursor, _tables_with_rows(cursor))


@functools.cache
def _tables():
    return connection.introspection.django_table_names(only_existing=True, include_views=False)


def _tables_with_rows(cursor):
    quote = connection.ops.quote_name
    cursor.execute(
        " UNION ALL ".join(
            f"SELECT '{table}' WHERE EXISTS (SELECT 1 FROM {quote(table)})"  # noqa: S608
            for table in _tables()
        )
    )
    return {table for (table,) in cursor.fetchall()}


def _delete(cursor, tables):
    for table in tables:
        cursor.execute(f"DELETE FROM {connection.ops.quote_name(table)}")  # noqa: S608


@contextmanager
def other_database(path):
    """Let the default alias mean another SQLite file, beside a transaction of the usual one."""
    usual = connections["default"]
    other = usual.copy()
    other.settings_dict["NAME"] = str(path)
    connections["default"] = other
    try:
        yield
    finally:
        other.close()
        connections["default"] = usual


@contextmanager
def undone_in(path):
    """Work in another SQLite file; what is changed there is undone at the end."""
    with other_database(path), transaction.atomic():
        yield
        transaction.set_rollback(True)


def copy_database(path):
    """Copy the test database as it was committed, beside a transaction that may be open."""
    # Django's own driver: two SQLites in one process lose each other's locks on a file.
    from django.db.backends.sqlite3.base import Database

    empty = connection.settings_dict["NAME"]
    with closing(Database.connect(empty)) as source, closing(Database.connect(path)) as copy:
        source.backup(copy)


def attempt_in_vain(action, **details):
    """An attempt at an action that the database takes back, as it does before the next one."""
    with transaction.atomic():
        action(**details)
        transaction.set_rollback(True)
