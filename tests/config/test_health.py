"""/healthz: what is well, said to anyone, and why not, said to who holds the token."""

import sqlite3
from contextlib import closing
from datetime import timedelta

import pytest
from django.db import OperationalError, connection, connections
from django.db.models.functions import Now

from accounts.models import User
from config import health
from jobs.models import Job, Pulse

TOKEN = "a token of the laboratory's monitor"
BEARER = {"Authorization": f"Bearer {TOKEN}"}

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def look_again(monkeypatch):
    """Every question looks at the disk anew."""
    monkeypatch.setattr(health, "PROBE_SECONDS", 0)


@pytest.fixture
def background():
    """A worker, its clock and the broker are well."""
    Pulse.objects.beat(*Pulse.Part)


def silence(*parts, minutes=5):
    Pulse.objects.filter(part__in=parts).update(at=Now() - timedelta(minutes=minutes))


def test_all_is_well(client, background):
    for address in ("/healthz", "/healthz?all"):
        response = client.get(address)

        assert (response.status_code, response.content) == (200, b"ok\n")


# The last pulse lies ahead where the clock was set back after it.
@pytest.mark.parametrize("minutes", [5, -60])
@pytest.mark.parametrize("part", Pulse.Part.values)
def test_a_silent_part_is_named_while_rating_goes_on(client, background, part, minutes):
    silence(part, minutes=minutes)

    response = client.get("/healthz")
    assert (response.status_code, response.content.decode()) == (200, f"not well: {part}\n")
    assert client.get("/healthz?all").status_code == 503
    assert client.get("/healthz?all=0").status_code == 200


def test_parts_that_never_started_are_named(client):
    response = client.get("/healthz?all")

    assert (response.status_code, response.content) == (503, b"not well: beat, broker, worker\n")


def test_a_worker_that_is_busy_with_a_long_job_is_well(client, background):
    silence("worker")
    job = Job.objects.create(
        kind="count",
        state="running",
        attempts=1,
        started_at=Now(),
        heartbeat_at=Now(),
        created_by=User.objects.create_user("alice@example.org"),
    )
    assert client.get("/healthz?all").content == b"ok\n"

    Job.objects.filter(pk=job.pk).update(heartbeat_at=Now() - timedelta(minutes=5))
    assert client.get("/healthz?all").content == b"not well: worker\n"


def test_a_database_that_is_away_is_503_without_details(client, monkeypatch, settings):
    def refuse(*args):
        raise OperationalError("password of the database is wrong")

    settings.METRICS_TOKEN = TOKEN
    monkeypatch.setattr(connections["default"], "cursor", refuse)

    response = client.get("/healthz")

    assert (response.status_code, response.content) == (503, b"not well: database\n")
    assert b"password" in client.get("/healthz", headers=BEARER).content


@pytest.mark.postgres_only
def test_a_database_that_takes_no_changes_is_503(client, background):
    with connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION READ ONLY")

    response = client.get("/healthz")

    assert (response.status_code, response.content.decode()) == (503, "not well: database\n")


@pytest.mark.sqlite_only
def test_a_database_that_another_program_holds_is_503_once_no_part_can_leave_a_sign(
    client, file_of_its_own, monkeypatch
):
    monkeypatch.setattr(health, "LOCK_SECONDS", 0.1)
    Pulse.objects.beat(*Pulse.Part)
    with closing(sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        answers = [client.get("/healthz").content]
        other.rollback()
        silence("beat", "broker", "worker")
        other.execute("BEGIN IMMEDIATE")
        response = client.get("/healthz")
        other.rollback()
    answers += [response.content, client.get("/healthz").content]

    assert response.status_code == 503
    assert answers == [
        b"ok\n",
        b"not well: beat, broker, database, worker\n",
        b"not well: beat, broker, worker\n",
    ]


def test_a_disk_on_which_nothing_can_be_written_is_503(client, background, settings, monkeypatch):
    settings.METRICS_TOKEN = TOKEN

    def refuse(**options):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(health.tempfile, "TemporaryFile", refuse)

    response = client.get("/healthz")

    assert (response.status_code, response.content) == (503, b"not well: disk\n")
    assert b"No space left on device" in client.get("/healthz", headers=BEARER).content


def test_the_disk_is_not_written_to_at_every_question(client, background, monkeypatch):
    client.get("/healthz")
    monkeypatch.setattr(health, "PROBE_SECONDS", 3600)
    monkeypatch.setattr(health.tempfile, "TemporaryFile", None)

    assert client.get("/healthz").content == b"ok\n"


@pytest.mark.parametrize("given", ["", "Bearer ", "Bearer wrong", f"Basic {TOKEN}"])
def test_reasons_are_shown_to_nobody_without_the_token(client, settings, given):
    settings.METRICS_TOKEN = TOKEN

    response = client.get("/healthz", headers={"Authorization": given})

    assert response.content == b"not well: beat, broker, worker\n"
    assert b"never heard of" in client.get("/healthz", headers=BEARER).content


def test_without_the_variable_no_token_is_the_right_one(client, settings):
    settings.METRICS_TOKEN = ""

    response = client.get("/healthz", headers={"Authorization": "Bearer "})

    assert response.content == b"not well: beat, broker, worker\n"
