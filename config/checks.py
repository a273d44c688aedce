"""System checks for silent faults: a database that loses what it has acknowledged.

`refuse_to_serve` runs them, and looks for pending migrations, before the web server or the worker
takes its first request (config/gunicorn.py, config/celery.py).
"""

import logging
import os
import re
import sqlite3
from datetime import timedelta
from pathlib import Path

from django.apps import apps
from django.conf import settings
from django.core import checks
from django.db import DEFAULT_DB_ALIAS, OperationalError, connections
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from audit.models import Event
from config.private import close_database_to_others

logger = logging.getLogger(__name__)

# PRAGMA synchronous, sqlite.org/pragma.html#pragma_synchronous
SQLITE_SYNCHRONOUS_FULL = 2
SQLITE_SAFE_WAL = (3, 51, 3)
# File systems on which another host may write (sqlite.org/faq.html#q5: locks that do not hold). 9p
# is not among them: sandboxes show their own disk as one.
NETWORK_FILE_SYSTEMS = {
    *("nfs", "nfs4", "cifs", "smb3", "smbfs", "ncpfs", "afs", "ceph", "lustre", "gpfs", "beegfs"),
    *("ocfs2", "gfs2", "glusterfs", "fuse.glusterfs", "fuse.sshfs", "fuse.s3fs", "davfs"),
}
MOUNTS = Path("/proc/self/mountinfo")  # proc(5); other systems do not have it
OCTAL = re.compile(r"\\([0-7]{3})")  # how a blank, a tab, a new line and a backslash stand there
CLOCK_TOLERANCE = timedelta(seconds=60)
POSTGRES_DURABLE = {
    "fsync": {"on"},
    "full_page_writes": {"on"},
    "synchronous_commit": {"on", "remote_apply", "remote_write", "local"},
}


@checks.register(checks.Tags.database)
def database_keeps_what_it_acknowledges(app_configs=None, databases=None, **kwargs):
    problems = []
    for alias in databases or []:
        connection = connections[alias]
        if connection.vendor == "sqlite":
            problems += _sqlite(connection)
        else:
            problems += _postgresql(connection)
    return problems


def _sqlite(connection):
    with connection.cursor() as cursor:
        journal_mode = cursor.execute("PRAGMA journal_mode").fetchone()[0]
        synchronous = cursor.execute("PRAGMA synchronous").fetchone()[0]
    if connection.transaction_mode != "IMMEDIATE":
        yield checks.Error(
            "SQLite's transactions do not start with IMMEDIATE.",
            hint="Two annotators who save at once would fail with 'database is locked'.",
            id="facetwise.E001",
        )
    if sqlite3.sqlite_version_info < SQLITE_SAFE_WAL:
        yield checks.Warning(
            f"SQLite {sqlite3.sqlite_version} may corrupt a database in WAL mode, so it runs "
            "in mode TRUNCATE.",
            hint="Right as well, and slower with many annotators; SQLite 3.51.3 allows WAL.",
            id="facetwise.W002",
        )
    if file_system := network_file_system(Path(connection.settings_dict["NAME"])):
        yield checks.Error(
            f"The database lies on a network file system ({file_system}).",
            hint="SQLite's locks do not hold there. Put FACETWISE_STATE or DATABASE_URL on a "
            "local disk, or use PostgreSQL.",
            id="facetwise.E006",
        )
    # A database in memory, as for a quick test, has a journal of its own kind.
    if journal_mode not in {settings.SQLITE_JOURNAL_MODE, "memory"}:
        yield checks.Error(
            f"SQLite's journal mode is {journal_mode}; "
            f"expected {settings.SQLITE_JOURNAL_MODE} with SQLite {sqlite3.sqlite_version}.",
            hint="Is another program holding the database open?",
            id="facetwise.E002",
        )
    if journal_mode == "wal" and sqlite3.sqlite_version_info < SQLITE_SAFE_WAL:
        yield checks.Error(
            f"SQLite {sqlite3.sqlite_version} may corrupt a database in WAL mode.",
            hint="Use journal mode TRUNCATE, or SQLite 3.51.3 or newer.",
            id="facetwise.E003",
        )
    if synchronous < SQLITE_SYNCHRONOUS_FULL:
        yield checks.Error(
            f"SQLite's synchronous is {synchronous}; expected {SQLITE_SYNCHRONOUS_FULL}.",
            hint="A rating that was answered with 'saved' could be lost with the power.",
            id="facetwise.E004",
        )


def _postgresql(connection):
    with connection.cursor() as cursor:
        for name, durable in POSTGRES_DURABLE.items():
            cursor.execute("SELECT current_setting(%s)", [name])
            value = cursor.fetchone()[0]
            if value not in durable:
                yield checks.Error(
                    f"PostgreSQL's {name} is {value}.",
                    hint=f"A rating that was answered with 'saved' could be lost. Set {name} = on.",
                    id="facetwise.E005",
                )


@checks.register(checks.Tags.database, deploy=True)
def application_cannot_change_the_tables(app_configs=None, databases=None, **kwargs):
    """Whoever owns a table can drop the triggers that keep the record, or hide what they read."""
    problems = []
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
                problems.append(
                    checks.Warning(
                        "The application's user of PostgreSQL could drop triggers.",
                        hint="Make an owner apart with deploy/roles.sql, and name it to "
                        "`manage.py migrate` in DATABASE_OWNER_URL.",
                        id="facetwise.W001",
                    )
                )
    return problems


def network_file_system(file):
    """The kind of network file system that a file lies on, or None."""
    if not MOUNTS.exists():
        return None
    ancestors = {str(folder) for folder in file.resolve().parents}
    deepest, kind = "", None
    for line in os.fsdecode(MOUNTS.read_bytes()).splitlines():
        mount, _, source = line.partition(" - ")
        point = OCTAL.sub(lambda code: chr(int(code[1], 8)), mount.split(" ")[4])
        # Of two on one point the later one covers the other.
        if point in ancestors and len(point) >= len(deepest):
            deepest, kind = point, source.split()[0]
    return kind if kind in NETWORK_FILE_SYSTEMS else None


def clock_trouble():
    """A sentence when this machine's clock is behind what has already happened, or None."""
    newest = Event.objects.order_by("-id").values_list("at", flat=True).first()
    now = timezone.now()
    if newest is None or now >= newest - CLOCK_TOLERANCE or settings.CLOCK_IS_RIGHT:
        return None
    return (
        f"The clock of this machine says {now:%Y-%m-%d %H:%M:%S} UTC, but the newest entry of the "
        f"trail was written at {newest:%Y-%m-%d %H:%M:%S} UTC. Set the clock; or, if it is right "
        "and was wrong then, set FACETWISE_CLOCK_IS_RIGHT=1 until that time has passed."
    )


def pending_migrations():
    """Names of the migrations that the database has not had yet.

    Told by the names of their files: to load them all is a tenth of each start.
    """
    applied = MigrationRecorder(connections[DEFAULT_DB_ALIAS]).applied_migrations()
    return [
        f"{app.label}.{name}"
        for app in apps.get_app_configs()
        for name in _migrations_of(app)
        if (app.label, name) not in applied
    ]


def _migrations_of(app):
    module, _ = MigrationLoader.migrations_module(app.label)
    folder = Path(app.path, module.rpartition(".")[2])
    return sorted(file.stem for file in folder.glob("*.py") if file.stem[0] not in "_~")


def refuse_to_serve():
    """Raise SystemExit with a sentence when this installation must not serve; log warnings."""
    try:
        problems = _problems()
        close_database_to_others()
    except OperationalError as error:
        problems = [f"The database does not answer: {str(error).strip()}"]
    if problems:
        raise SystemExit("Facetwise does not start:\n" + "\n".join(f"- {p}" for p in problems))


def _problems():
    problems = []
    for problem in checks.run_checks(tags=[checks.Tags.database], databases=[DEFAULT_DB_ALIAS]):
        sentence = f"{problem.msg} {problem.hint or ''}".strip()
        if problem.is_serious():
            problems.append(sentence)
        else:
            logger.warning(sentence)
    if pending := pending_migrations():
        problems.append(
            f"The database lacks {len(pending)} migrations, first {pending[0]}. "
            "Run: python manage.py migrate"
        )
    elif sentence := clock_trouble():
        problems.append(sentence)
    return problems
