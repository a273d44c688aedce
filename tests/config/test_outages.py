"""While a disk is full or the database is away: 503, a sentence, and nothing half done."""

import errno
import os
import subprocess
import sys
import uuid
from io import BytesIO

import pytest
from django.core.files.uploadhandler import MemoryFileUploadHandler, TemporaryFileUploadHandler
from django.db import (
    DatabaseError,
    IntegrityError,
    InterfaceError,
    InternalError,
    OperationalError,
    ProgrammingError,
    connection,
    connections,
)
from django.test import Client, RequestFactory
from django.urls import reverse

from accounts.session_store import SessionStore
from annotation.models import Rating, RatingRevision
from audit import transactions
from audit.models import Event
from config.outages import BAD_DISK, BUSY, DATABASE, DISK, FILES, READ_ONLY, outage_of
from config.views import server_error
from tests.factories.studies import make_study, make_user
from tests.processes import ROOT

HTMX = {"HX-Request": "true"}


class DriverError(Exception):
    """Psycopg2's errors carry the SQLSTATE; none where the server never said one."""

    def __init__(self, pgcode):
        super().__init__(pgcode)
        self.pgcode = pgcode


def database_error(message="", cause=None, kind=OperationalError):
    error = kind(message)
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    ("message", "outage"),
    [
        ("database or disk is full", DISK),
        ("disk I/O error", BAD_DISK),
        ("attempt to write a readonly database", BAD_DISK),
        ("unable to open database file", DATABASE),
        ("database is locked", BUSY),
        ("database table is locked: annotation_rating", BUSY),
        ("no such table: annotation_rating", None),
        ('near "SELEC": syntax error', None),
    ],
)
def test_sqlite_tells_an_outage_from_an_error(message, outage):
    assert outage_of(database_error(message, Exception())) == outage


@pytest.mark.parametrize(
    ("pgcode", "outage"),
    [
        (None, DATABASE),  # connection refused, or lost in the middle
        ("08006", DATABASE),
        ("53100", DISK),
        ("58030", BAD_DISK),
        ("53300", BUSY),  # too many connections
        ("55P03", BUSY),
        ("57P01", DATABASE),
        ("57P03", DATABASE),
        ("57014", DATABASE),  # cancelled: it waited for longer than statement_timeout
        ("42P01", None),  # undefined table
        ("22003", None),
    ],
)
def test_postgresql_tells_an_outage_from_an_error(pgcode, outage):
    assert outage_of(database_error("told by the server", DriverError(pgcode))) == outage


def test_a_connection_closed_while_a_statement_ran_is_an_outage():
    """Psycopg2 then raises the most general class of errors, without a state."""
    error = database_error("server closed the connection", DriverError(None), DatabaseError)

    assert outage_of(error) == DATABASE


def test_other_errors_are_no_outage():
    assert outage_of(None) is None
    assert outage_of(ValueError("database is locked")) is None
    assert outage_of(database_error("aborted", DriverError("25P02"), InternalError)) is None
    assert outage_of(database_error("syntax", DriverError("42601"), ProgrammingError)) is None
    assert outage_of(database_error("duplicate", DriverError("23505"), IntegrityError)) is None
    assert outage_of(database_error("file is not a database", Exception(), DatabaseError)) is None
    assert outage_of(InterfaceError("cursor already closed")) is None
    assert outage_of(InterfaceError("connection already closed")) == DATABASE
    assert outage_of(OSError(errno.ENOSPC, "No space left on device")) == DISK
    assert outage_of(OSError(errno.EIO, "Input/output error")) == BAD_DISK
    assert outage_of(OSError(errno.EROFS, "Read-only file system")) == BAD_DISK
    assert outage_of(PermissionError(errno.EACCES, "Permission denied")) == BAD_DISK
    assert outage_of(PermissionError(errno.EPERM, "Operation not permitted")) == BAD_DISK
    assert outage_of(OSError(errno.EMFILE, "Too many open files")) == FILES
    assert outage_of(OSError(errno.ENFILE, "Too many open files in system")) == FILES
    assert outage_of(FileNotFoundError(errno.ENOENT, "No such file")) is None


def test_an_outage_is_found_behind_the_error_that_it_caused():
    error = ValueError("could not be read")
    error.__cause__ = OSError(errno.ENOSPC, "No space left on device")

    assert outage_of(error) == DISK


# --- through the pages ---


@pytest.fixture
def study(transactional_db):
    return make_study(candidates=2)


@pytest.fixture
def save(client, study):
    """`save(**fields)`: Alice sends her rating of the first pair, the same one each time."""
    client.force_login(study.alice)
    client.raise_request_exception = False
    fields = {
        "save_id": str(uuid.uuid4()),
        "based_on": "0",
        "scheme_version": "1",
        "answer": "similar",
        "own_reason": "",
        # Long, so that the database needs new pages for it.
        "note": "So it is. " * 400,
        "active_seconds": "3",
    }
    address = reverse("annotation:rate-pair", args=[study.seat("alice").public_id, 1])

    def send(**headers):
        return client.post(address, fields, headers=headers)

    return send


def assert_unavailable(response, outage):
    assert response.status_code == 503
    assert int(response["Retry-After"]) in range(1, 16)
    assert outage.sentence in response.content.decode()


def assert_nothing_is_kept():
    assert not Rating.objects.exists()
    assert not Event.objects.filter(verb__contains="rat", subject_type="annotation.rating").exists()


@pytest.fixture
def full_disk(study):
    """A SQLite database that may not grow; calling it makes room again."""
    with connection.cursor() as cursor:
        cursor.execute("VACUUM")
        cursor.execute("PRAGMA page_count")
        [pages] = cursor.fetchone()
        cursor.execute(f"PRAGMA max_page_count = {pages}")

        def make_room():
            with connection.cursor() as other:
                other.execute("PRAGMA max_page_count = 1000000")

        yield make_room
    make_room()


@pytest.mark.sqlite_only
@pytest.mark.both
def test_a_save_on_a_full_disk_is_refused_whole_and_taken_when_there_is_room(save, full_disk):
    assert_unavailable(save(), DISK)
    assert_nothing_is_kept()

    full_disk()

    assert save(**HTMX).status_code == 200
    assert Rating.objects.count() == RatingRevision.objects.count() == 1


@pytest.mark.sqlite_only
@pytest.mark.both
def test_a_script_gets_the_sentence_alone(save, full_disk):
    response = save(**HTMX)

    assert_unavailable(response, DISK)
    assert response.content.decode() == DISK.sentence
    assert response["Content-Type"].startswith("text/plain")


@pytest.mark.sqlite_only
@pytest.mark.both
def test_a_database_that_another_program_holds_is_busy(save, monkeypatch):
    monkeypatch.setattr(transactions, "PATIENCE_SECONDS", 0)
    other = connections["default"].copy()
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA busy_timeout = 20")
    try:
        with other.cursor() as cursor:
            cursor.execute("BEGIN IMMEDIATE")

        assert_unavailable(save(), BUSY)
    finally:
        other.close()
        connection.close()  # with its own timeout again

    assert_nothing_is_kept()
    assert save(**HTMX).status_code == 200


@pytest.mark.postgres_only
def test_save_into_a_database_that_is_read_only_is_refused_until_it_takes_changes(save):
    session = "SET SESSION CHARACTERISTICS AS TRANSACTION READ"
    with connection.cursor() as cursor:
        cursor.execute(f"{session} ONLY")

    response = save(**HTMX)

    with connection.cursor() as cursor:
        cursor.execute(f"{session} WRITE")
    assert_unavailable(response, READ_ONLY)
    assert_nothing_is_kept()
    assert save(**HTMX).status_code == 200


@pytest.mark.postgres_only
def test_a_connection_that_the_server_ends_is_503_and_the_next_request_is_answered(save):
    connection.ensure_connection()
    other = connections["default"].copy()
    with other.cursor() as cursor:
        process = connection.connection.info.backend_pid
        cursor.execute("SELECT pg_terminate_backend(%s, 5000)", [process])
    other.close()

    assert_unavailable(save(), DATABASE)

    connection.close()  # as a web server does after each request that lost it
    assert save(**HTMX).status_code == 200
    assert Rating.objects.count() == 1


@pytest.mark.both
def test_a_save_whose_commit_was_not_answered_may_be_sent_again(save, monkeypatch):
    """Its outcome is not known: here the commit happened and the answer to it was lost."""
    commit = connections["default"]._commit

    def lose_the_answer():
        commit()
        raise database_error("the server closed the connection", DriverError(None))

    with monkeypatch.context() as network:
        network.setattr(connections["default"], "_commit", lose_the_answer)
        assert_unavailable(save(), DATABASE)

    response = save(**HTMX)

    assert response.status_code == 200
    assert Rating.objects.count() == RatingRevision.objects.count() == 1


@pytest.mark.both
@pytest.mark.django_db
def test_an_error_of_the_program_stays_one(client, monkeypatch):
    monkeypatch.setattr("config.views.health", None)
    client.raise_request_exception = False

    assert client.get("/healthz").status_code == 500


def test_what_fails_outside_a_view_is_503_too(monkeypatch):
    """As an upload whose file cannot be written while its CSRF token is looked for."""
    request = RequestFactory().post("/import/")
    try:
        raise OSError(errno.ENOSPC, "No space left on device")
    except OSError:
        response = server_error(request)

    assert_unavailable(response, DISK)


def test_too_many_open_files_are_503_though_no_template_can_be_opened(monkeypatch):
    def fail(*args):
        raise OSError(errno.EMFILE, "Too many open files")

    monkeypatch.setattr("config.views.render_to_string", fail)
    try:
        fail()
    except OSError:
        response = server_error(RequestFactory().get("/"))

    assert_unavailable(response, FILES)


@pytest.mark.django_db
def test_an_upload_that_the_disk_cannot_take_is_503_and_one_warning(monkeypatch, lines):
    def refuse(*args):
        raise OSError(errno.ENOSPC, "No space left on device")

    for handler in (MemoryFileUploadHandler, TemporaryFileUploadHandler):
        monkeypatch.setattr(handler, "receive_data_chunk", refuse)
    client = Client(enforce_csrf_checks=True, raise_request_exception=False)
    client.get("/sign-in/")

    response = client.post("/sign-in/", {"file": BytesIO(b"text")})

    assert_unavailable(response, DISK)
    assert "Not right now" in response.content.decode()
    [line] = [line for line in lines if " INFO " not in line]
    assert line.endswith("503 for POST accounts:sign-in: [Errno 28] No space left on device")


@pytest.mark.django_db
def test_who_signs_out_while_nothing_can_be_stored_is_signed_out_in_the_browser(
    client, monkeypatch
):
    def refuse(*args, **kwargs):
        raise database_error("database or disk is full", Exception())

    client.force_login(make_user("Alice"))
    monkeypatch.setattr(SessionStore, "delete", refuse)
    monkeypatch.setattr(SessionStore, "save", refuse)

    response = client.post("/sign-out/")

    assert_unavailable(response, DISK)
    assert "You are signed out in this browser" in response.content.decode()
    assert response.cookies["sessionid"].value == ""
    assert client.get("/").status_code == 302


def test_a_command_says_in_a_sentence_that_the_database_is_away(tmp_path):
    done = subprocess.run(
        [sys.executable, "manage.py", "verify_integrity"],
        cwd=ROOT,
        env={
            "PATH": os.environ["PATH"],
            "FACETWISE_STATE": str(tmp_path),
            "DATABASE_URL": f"sqlite:///{tmp_path}/no/such/folder/facetwise.sqlite3",
        },
        capture_output=True,
        text=True,
    )

    assert done.returncode == 1
    assert done.stderr == f"{DATABASE.sentence} (unable to open database file)\n"
