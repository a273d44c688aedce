"""R09: an installation that would lose ratings does not serve."""

import sqlite3

import pytest
from django.core import checks
from django.db import connection, connections

from config.checks import SQLITE_SAFE_WAL, pending_migrations, refuse_to_serve

pytestmark = pytest.mark.django_db


def found():
    return [problem.id for problem in checks.run_checks(databases=["default"])]


def test_the_shipped_settings_pass():
    assert found() == []
    refuse_to_serve()


@pytest.mark.sqlite_only
def test_sqlite_without_immediate_is_refused(monkeypatch):
    monkeypatch.setattr(connections["default"], "transaction_mode", "DEFERRED")

    assert found() == ["facetwise.E001"]


@pytest.fixture
def pragma(transactional_db):
    """`pragma("synchronous=NORMAL")` on this connection, which is thrown away afterwards."""

    def change(statement):
        with connection.cursor() as cursor:
            cursor.execute(f"PRAGMA {statement}")

    yield change
    connection.close()


@pytest.mark.sqlite_only
def test_sqlite_with_another_journal_is_refused(pragma):
    pragma("journal_mode=PERSIST")

    assert found() == ["facetwise.E002"]


@pytest.mark.sqlite_only
def test_an_old_sqlite_in_wal_mode_is_refused(pragma, monkeypatch, settings):
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 51, 2))
    assert sqlite3.sqlite_version_info < SQLITE_SAFE_WAL
    settings.SQLITE_JOURNAL_MODE = "wal"
    pragma("journal_mode=WAL")

    try:
        assert found() == ["facetwise.E003"]
    finally:
        pragma("journal_mode=TRUNCATE")


@pytest.mark.sqlite_only
def test_sqlite_with_synchronous_normal_is_refused(pragma):
    pragma("synchronous=NORMAL")

    assert found() == ["facetwise.E004"]


@pytest.mark.postgres_only
def test_postgresql_with_synchronous_commit_off_is_refused():
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL synchronous_commit = off")

    assert found() == ["facetwise.E005"]


@pytest.mark.postgres_only
@pytest.mark.parametrize("name", ["fsync", "full_page_writes"])
def test_postgresql_without_safe_writes_is_refused(monkeypatch, name):
    # Only the server's own configuration can turn these off, so the answer is made up.
    from config import checks as our_checks

    monkeypatch.setitem(our_checks.POSTGRES_DURABLE, name, {"made up"})

    assert found() == ["facetwise.E005"]


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
