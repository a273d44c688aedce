"""Restoring a backup into an empty installation."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.core.files import File
from django.core.files.storage import storages
from django.core.management import call_command
from django.db import DEFAULT_DB_ALIAS, connection, transaction
from django.db.migrations.executor import MigrationExecutor

from audit import witness
from config.backups import BackupError
from config.backups.archive import Archive, open_archive
from config.backups.quiet import Quiet, quieten, record_in_trail
from config.backups.tables import LEFT_OUT, insert_rows, read_table, renew_sequences, tables_of
from config.owner import as_owner
from datasets import stores

STORES = ["uploads", "exports"]


def check_backup(path: Path) -> dict[str, Any]:
    """The manifest of a backup that could be restored here."""
    with open_archive(path) as archive:
        _known_migrations(archive)
        return archive.content


def restore_backup(path: Path) -> dict[str, Any]:
    """Restore a backup into an empty installation, and bring it up to date; its manifest.

    Everything in it is compared with its manifest before anything is written. Rows are written in
    one transaction: a restore that fails leaves empty tables and no files. Hooks are off then, and
    tokens have expired.
    """
    with open_archive(path) as archive, as_owner():
        applied = _known_migrations(archive)
        tables = connection.introspection.table_names()
        _refuse_rows(tables)
        _refuse_files()
        executor = MigrationExecutor(connection)
        plan = executor.migration_plan(executor.loader.graph.leaf_nodes(), clean_start=True)
        plan = [step for step in plan if (step[0].app_label, step[0].name) in applied]
        done = set(executor.loader.applied_migrations)
        if not tables or not done:
            executor.migrate(None, plan=plan)
        elif done != applied:
            raise BackupError(
                "The tables are there already, of another version than the backup's. Give an "
                "empty database: a new one on PostgreSQL, no file on SQLite."
            )
        state = MigrationExecutor(connection).loader.project_state(list(applied))
        quiet = _write(archive, tables_of(state.apps))
        call_command("migrate", interactive=False, verbosity=0)
        record_in_trail(quiet)
    return archive.content


def _known_migrations(archive: Archive) -> set[tuple[str, str]]:
    """The migrations that the backup's database had; all are known here."""
    applied = {(app, name) for app, name in archive.content["migrations"]}
    unknown = applied - MigrationExecutor(connection).loader.disk_migrations.keys()
    if unknown:
        app, name = min(unknown)
        raise BackupError(
            f"The backup was made by a newer version ({archive.content['made_with']}): migration "
            f"{app}.{name} is not known here. Install that version first."
        )
    return applied


def _refuse_files() -> None:
    for kind in STORES:
        if next(stores.names_in(storages[kind]), None):
            raise BackupError(
                f"There are {kind} already. A backup is restored into an empty installation only: "
                "choose a new state folder, or a new bucket."
            )
    if witness.file().exists():
        raise BackupError(
            f"{witness.file()} knows the seals of another trail. Move it away, if the "
            "installation that wrote it is gone."
        )


def _refuse_rows(tables: list[str]) -> None:
    left_alone = LEFT_OUT | {"django_migrations"}
    with connection.cursor() as cursor:
        for table in sorted(set(tables) - left_alone):
            cursor.execute(f"SELECT 1 FROM {connection.ops.quote_name(table)} LIMIT 1")  # noqa: S608
            if cursor.fetchone():
                raise BackupError(
                    f"The database is not empty: there are rows in {table}. A backup is restored "
                    "into an empty installation only."
                )


def _write(archive: Archive, tables: dict[str, Any]) -> Quiet:
    files = [name for name in archive.names if not name.startswith("tables/")]
    try:
        with transaction.atomic(durable=True):
            _write_rows(archive, tables)
            quiet = quieten(tables)
            with stores.scratch_folder() as scratch:
                for name in files:
                    _write_file(archive, name, scratch)
            return quiet
    except BaseException:
        for kind in STORES:
            for folder in {name.split("/")[1] for name in files if name.startswith(f"{kind}/")}:
                stores.remove(storages[kind], folder)
        raise


def _write_rows(archive: Archive, tables: dict[str, Any]) -> None:
    if archive.content["rows"].keys() != tables.keys():
        odd = min(archive.content["rows"].keys() ^ tables.keys())
        raise BackupError(f"The backup does not fit its own version: table {odd}.")
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET LOCAL statement_timeout = 0")
        # A link to the first admin's page ends here: the backup has accounts.
        if "accounts_setuplink" in connection.introspection.table_names(cursor):
            cursor.execute("DELETE FROM accounts_setuplink")
    with _without_triggers(tables):
        for table, model in tables.items():
            with archive.open(f"tables/{table}.jsonl.gz") as file:
                rows = read_table(file)
                count = insert_rows(model, next(rows), rows, using=DEFAULT_DB_ALIAS)
            if count != archive.content["rows"][table]:
                raise BackupError(f"The backup has {count:,} rows of {table}, not as it says.")
        renew_sequences(tables.values(), using=DEFAULT_DB_ALIAS)
        connection.check_constraints()


@contextmanager
def _without_triggers(tables: dict[str, Any]) -> Iterator[None]:
    """Rows come back as they were: what triggers made of them is among them already."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
            triggers = cursor.fetchall()
            for name, _ in triggers:
                cursor.execute(f"DROP TRIGGER {name}")
            yield
            for _, sql in triggers:
                cursor.execute(sql)
        else:
            quoted = [connection.ops.quote_name(table) for table in tables]
            for table in quoted:
                cursor.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
            yield
            # Deferred checks that are pending would refuse what follows.
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            for table in quoted:
                cursor.execute(f"ALTER TABLE {table} ENABLE TRIGGER USER")


def _write_file(archive: Archive, name: str, scratch: Path) -> None:
    kind, stored = name.split("/", 1)
    copy = archive.copy(name, scratch / "file")
    with copy.open("rb") as file:
        if storages[kind].save(stored, File(file)) != stored:
            raise BackupError(f"{name} is already in the store.")
    copy.unlink()
