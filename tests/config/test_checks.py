"""An installation that would lose ratings does not serve."""

import sqlite3
import stat
from datetime import timedelta
from pathlib import Path

import pytest
from django.core import checks
from django.db import OperationalError, connection, connections

from audit.actions import record
from config import checks as our_checks
from config.checks import SQLITE_SAFE_WAL, pending_migrations, refuse_to_serve
from tests.factories.studies import make_user

pytestmark = pytest.mark.django_db


def error_ids():
    """Ids of the errors; warnings stop nothing."""
    problems = checks.run_checks(databases=["default"])
    return [problem.id for problem in problems if problem.is_serious()]


def test_the_shipped_settings_pass():
    assert error_ids() == []
    refuse_to_serve()


@pytest.mark.sqlite_only
def test_sqlite_without_immediate_is_refused(monkeypatch):
    monkeypatch.setattr(connections["default"], "transaction_mode", "DEFERRED")

    assert error_ids() == ["facetwise.E001"]


@pytest.fixture
def pragma(file_of_its_own):
    """`pragma("synchronous=NORMAL")` on this connection, which is thrown away afterwards."""

    def change(statement):
        with connection.cursor() as cursor:
            cursor.execute(f"PRAGMA {statement}")

    yield change
    connection.close()


@pytest.mark.sqlite_only
def test_sqlite_with_another_journal_is_refused(pragma):
    pragma("journal_mode=PERSIST")

    assert error_ids() == ["facetwise.E002"]


@pytest.mark.sqlite_only
def test_an_old_sqlite_in_wal_mode_is_refused(pragma, monkeypatch, settings):
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 51, 2))
    assert sqlite3.sqlite_version_info < SQLITE_SAFE_WAL
    settings.SQLITE_JOURNAL_MODE = "wal"
    pragma("journal_mode=WAL")

    try:
        assert error_ids() == ["facetwise.E003"]
    finally:
        pragma("journal_mode=TRUNCATE")


@pytest.mark.sqlite_only
def test_sqlite_with_synchronous_normal_is_refused(pragma):
    pragma("synchronous=NORMAL")

    assert error_ids() == ["facetwise.E004"]


@pytest.mark.sqlite_only
@pytest.mark.parametrize(
    ("version", "warnings"), [((3, 51, 2), ["facetwise.W002"]), (SQLITE_SAFE_WAL, [])]
)
def test_an_old_sqlite_runs_in_truncate_mode_with_a_warning(
    pragma, settings, caplog, monkeypatch, version, warnings
):
    monkeypatch.setattr(sqlite3, "sqlite_version_info", version)
    before, settings.SQLITE_JOURNAL_MODE = settings.SQLITE_JOURNAL_MODE, "truncate"
    pragma("journal_mode=TRUNCATE")

    try:
        problems = checks.run_checks(databases=["default"])
        refuse_to_serve()
    finally:
        pragma(f"journal_mode={before}")

    assert [problem.id for problem in problems] == warnings
    assert ("so it runs in mode TRUNCATE" in caplog.text) == bool(warnings)


MOUNTS = """\
22 1 254:0 / / rw,relatime - ext4 /dev/vda rw
40 22 0:30 / {point} rw,relatime shared:1 - {kind} server:/export rw
41 22 0:31 / /elsewhere rw - nfs4 server:/other rw
"""


@pytest.mark.sqlite_only
@pytest.mark.parametrize(
    ("kind", "errors"),
    [("nfs4", ["facetwise.E006"]), ("cifs", ["facetwise.E006"]), ("xfs", []), ("9p", [])],
)
def test_sqlite_on_a_network_file_system_is_refused(monkeypatch, tmp_path, kind, errors):
    folder = Path(connection.settings_dict["NAME"]).resolve().parent
    mounts = tmp_path / "mountinfo"
    mounts.write_text(MOUNTS.format(point=str(folder).replace(" ", "\\040"), kind=kind))
    monkeypatch.setattr(our_checks, "MOUNTS", mounts)

    assert error_ids() == errors


def test_the_deepest_mount_counts(monkeypatch, tmp_path):
    mounts = tmp_path / "mountinfo"
    mounts.write_text(MOUNTS.format(point="/elsewhere/disk", kind="ext4"))
    monkeypatch.setattr(our_checks, "MOUNTS", mounts)

    assert our_checks.network_file_system(Path("/elsewhere/disk/facetwise.sqlite3")) is None
    assert our_checks.network_file_system(Path("/elsewhere/facetwise.sqlite3")) == "nfs4"
    assert our_checks.network_file_system(Path("/facetwise.sqlite3")) is None


def test_mounts_are_known_by_names_of_any_encoding(monkeypatch, tmp_path):
    mounts = tmp_path / "mountinfo"
    lines = MOUNTS.format(point="/mnt/Bücher\\040und\\134mehr", kind="nfs4")
    mounts.write_bytes(lines.encode() + MOUNTS.format(point="/\xe9", kind="xfs").encode("latin-1"))
    monkeypatch.setattr(our_checks, "MOUNTS", mounts)

    assert our_checks.network_file_system(Path("/mnt/Bücher und\\mehr/file")) == "nfs4"


@pytest.mark.sqlite_only
def test_a_database_that_others_may_read_is_closed_to_them(file_of_its_own):
    file = Path(connection.settings_dict["NAME"])
    file.chmod(0o644)

    refuse_to_serve()

    assert stat.S_IMODE(file.stat().st_mode) == 0o640


@pytest.mark.parametrize(("seconds", "is_refused"), [(50, False), (70, True), (3_600, True)])
def test_a_clock_behind_the_newest_row_is_refused(monkeypatch, seconds, is_refused):
    event = record("create account", make_user("Alice"), by=None)
    event.refresh_from_db()
    early = event.at - timedelta(seconds=seconds)
    monkeypatch.setattr(our_checks.timezone, "now", lambda: early)

    assert (our_checks.clock_trouble() is not None) == is_refused
    if is_refused:
        with pytest.raises(SystemExit, match="Set the clock"):
            refuse_to_serve()


def test_an_entry_of_a_clock_that_was_wrong_does_not_keep_a_server_down_for_good(
    monkeypatch, settings
):
    event = record("create account", make_user("Alice"), by=None)
    event.refresh_from_db()
    early = event.at - timedelta(days=3_650)
    monkeypatch.setattr(our_checks.timezone, "now", lambda: early)
    assert "FACETWISE_CLOCK_IS_RIGHT=1" in our_checks.clock_trouble()

    settings.CLOCK_IS_RIGHT = True

    assert our_checks.clock_trouble() is None


def test_a_database_that_does_not_answer_is_reported_in_a_sentence(monkeypatch):
    def refuse(*args):
        raise OperationalError("connection refused")

    monkeypatch.setattr(connections["default"], "cursor", refuse)

    with pytest.raises(SystemExit, match="The database does not answer: connection refused"):
        refuse_to_serve()


@pytest.mark.postgres_only
def test_postgresql_with_synchronous_commit_off_is_refused():
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL synchronous_commit = off")

    assert error_ids() == ["facetwise.E005"]


@pytest.mark.postgres_only
@pytest.mark.parametrize("name", ["fsync", "full_page_writes"])
def test_postgresql_without_safe_writes_is_refused(monkeypatch, name):
    # Only the server's own configuration can turn these off, so the answer is made up.
    monkeypatch.setitem(our_checks.POSTGRES_DURABLE, name, {"made up"})

    assert error_ids() == ["facetwise.E005"]


def test_a_pending_migration_is_named_and_refused(pending_migration):
    assert pending_migrations() == [pending_migration]
    with pytest.raises(SystemExit, match=f"lacks 1 migrations, first {pending_migration}"):
        refuse_to_serve()


def test_the_web_server_refuses_to_start_with_a_pending_migration(installation, pending_migration):
    site = installation()

    process = site.start("gunicorn", "--config", "config/gunicorn.py", "config.wsgi")

    assert process.popen.wait(timeout=60) != 0
    assert "Facetwise does not start" in process.log.read_text()


def test_the_worker_refuses_to_start_with_a_pending_migration(installation, pending_migration):
    process = installation().start_worker()

    assert process.popen.wait(timeout=60) != 0
    assert "Facetwise does not start" in process.log.read_text()
