"""/metrics: what a lab's monitor is told, and that nobody else is."""

import re
import threading
import uuid
from datetime import timedelta
from pathlib import Path

import httpx
import psutil
import pytest
from django.db import OperationalError, connections
from django.db.models.functions import Now
from django.urls import reverse
from prometheus_client.parser import text_string_to_metric_families

from config import metrics
from datasets.actions import change_programs
from jobs.models import Job, Pulse
from tests.factories.studies import make_study, make_user
from tests.factories.tokens import program_of
from tests.processes import wait_until

TOKEN = "a-token-of-the-laboratory"
BEARER = {"Authorization": f"Bearer {TOKEN}"}
RATING = {"method": "POST", "route": "annotation:rate-pair"}


@pytest.fixture
def fresh_rows(monkeypatch):
    """Counts that begin at 0."""
    monkeypatch.setattr(metrics, "rows", metrics.Rows(4))
    return metrics.rows


@pytest.fixture
def read(client, settings, fresh_rows):
    """`read()`: the samples that a monitor gets, by name and labels."""
    settings.METRICS_TOKEN = TOKEN

    def ask():
        response = client.get("/metrics", headers=BEARER)
        assert response["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8"
        return samples(response.content.decode())

    return ask


def samples(text):
    return {
        (sample.name, *sample.labels.values()): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def answer_of(study, **fields):
    return {
        "save_id": uuid.uuid4(),
        "based_on": 0,
        "scheme_version": 1,
        "answer": "similar",
        "own_reason": "",
        "note": "",
        "active_seconds": "3",
    } | fields


@pytest.mark.django_db
@pytest.mark.parametrize(
    "given", ["", "Bearer ", "Bearer wrong", TOKEN, f"Basic {TOKEN}", f"Bearer {TOKEN}x"]
)
def test_without_the_token_the_address_does_not_exist(client, settings, given):
    settings.METRICS_TOKEN = TOKEN

    assert client.get("/metrics", headers={"Authorization": given}).status_code == 404
    assert client.get("/metrics", headers=BEARER).status_code == 200


@pytest.mark.django_db
@pytest.mark.parametrize("given", ["Bearer ", "Bearer", "", f"Bearer {TOKEN}"])
def test_without_the_variable_nobody_has_the_token(client, settings, given):
    settings.METRICS_TOKEN = ""

    assert client.get("/metrics", headers={"Authorization": given}).status_code == 404


@pytest.mark.django_db
def test_saves_errors_and_their_times_are_counted(client, read):
    study = make_study()
    client.force_login(study.alice)
    address = reverse("annotation:rate-pair", args=[study.seat("alice").public_id, 1])

    client.post(address, answer_of(study))
    client.post(address, answer_of(study), headers={"HX-Request": "true"})  # stale
    client.get("/nowhere/")

    metrics_read = read()
    assert metrics_read["facetwise_saves_total", "rating", "page"] == 1
    assert metrics_read["facetwise_requests_total", "rating", "page", "3xx"] == 1
    assert metrics_read["facetwise_requests_total", "rating", "page", "409"] == 1
    assert metrics_read["facetwise_requests_total", "other", "page", "404"] == 1
    assert metrics_read["facetwise_request_seconds_count", "rating", "page"] == 2
    assert metrics_read["facetwise_request_seconds_bucket", "rating", "page", "+Inf"] == 2
    assert metrics_read["facetwise_request_seconds_sum", "rating", "page"] > 0


@pytest.mark.django_db
def test_what_programs_save_is_counted_apart_from_pages(read):
    study = make_study()
    change_programs(collection=study.collection, by=study.lena, programs_may_rate=True)
    alice, seat = program_of(study.members["alice"]), study.seat("alice").public_id
    address = f"/api/v1/collections/study/own-seats/{seat}/pairs/1"

    alice.get(address)
    alice.put(
        address,
        {"answer": "similar", "based_on": 0, "scheme_version": 1},
        content_type="application/json",
        headers={"Idempotency-Key": str(uuid.uuid4())},
    )

    metrics_read = read()
    assert metrics_read["facetwise_saves_total", "rating", "program"] == 1
    assert metrics_read["facetwise_saves_total", "rating", "page"] == 0
    assert metrics_read["facetwise_requests_total", "other", "program", "2xx"] == 1


@pytest.mark.parametrize(
    ("method", "route", "kind"),
    [
        ("POST", "api:hand-in", "hand_in"), ("POST", "api:case", "decision"),
        ("POST", "api:audit-pair", "decision"), ("GET", "api:case", "other"),
        ("POST", "annotation:hand-in", "hand_in"), ("POST", "annotation:home", "other"),
    ],
)  # fmt: skip
def test_what_is_sent_for_good_is_known_by_its_route(method, route, kind):
    assert metrics.kind_of(method, route) == kind


def test_each_time_falls_in_its_bucket_and_all_wider_ones(fresh_rows):
    for seconds in (0.004, 0.005, 0.3, 60):
        metrics.count(**RATING, status=200, seconds=seconds)

    metrics_read = samples("\n".join([*metrics._requests(), ""]))
    name, limits = "facetwise_request_seconds_bucket", ("0.005", "0.25", "0.5", "10", "+Inf")
    counts = [metrics_read[name, "rating", "page", limit] for limit in limits]
    assert counts == [2, 2, 3, 3, 4]


@pytest.mark.parametrize(
    ("status", "shown"), [(200, "2xx"), (302, "3xx"), (405, "4xx"), (409, "409"), (503, "503")]
)
def test_errors_that_tell_something_have_a_class_of_their_own(status, shown):
    assert metrics.status_of(status) == shown


@pytest.mark.django_db
def test_the_queue_and_the_last_beat_are_reported(read):
    assert read()["facetwise_oldest_job_age_seconds",] == 0
    Pulse.objects.beat(Pulse.Part.BEAT)
    for minutes in (1, 10):
        Job.objects.create(
            kind="count",
            created_by=make_user(f"Alice{minutes}"),
            created_at=Now() - timedelta(minutes=minutes),
        )

    metrics_read = read()

    assert metrics_read["facetwise_jobs", "queued"] == 2
    assert metrics_read["facetwise_jobs", "running"] == 0
    assert 600 <= metrics_read["facetwise_oldest_job_age_seconds",] < 700
    at = Pulse.objects.get(part="beat").at.timestamp()
    assert metrics_read["facetwise_last_beat_timestamp_seconds", "beat"] == pytest.approx(
        at, abs=0.01
    )
    assert metrics_read["facetwise_well", "beat"] == 1
    assert metrics_read["facetwise_well", "worker"] == 0


@pytest.mark.django_db
def test_a_monitor_is_answered_while_the_database_is_away(read, monkeypatch):
    def refuse(*args):
        raise OperationalError("gone")

    monkeypatch.setattr(connections["default"], "cursor", refuse)

    metrics_read = read()

    assert metrics_read["facetwise_well", "database"] == 0
    assert ("facetwise_jobs", "queued") not in metrics_read


def test_counting_writes_nothing_to_the_database(fresh_rows, django_assert_num_queries, db):
    with django_assert_num_queries(0):
        metrics.count(**RATING, status=200, seconds=0.1)


def test_no_count_is_lost_between_threads(fresh_rows):
    def work():
        for _ in range(2_000):
            metrics.count(**RATING, status=200, seconds=0.1)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert fresh_rows.sums()[metrics.CELLS["rating", "page", "status", "2xx"]] == 8_000


def test_a_row_is_handed_on_with_its_counts(fresh_rows):
    cell = metrics.CELLS["rating", "page", "status", "2xx"]
    row = fresh_rows.take()
    fresh_rows.use(row)
    fresh_rows.add({cell: 3})
    fresh_rows.free(row)

    rows = [fresh_rows.take() for _ in range(5)]

    assert sorted(rows) == [0, 0, 1, 2, 3]
    fresh_rows.use(row)
    fresh_rows.add({cell: 1})
    assert fresh_rows.sums()[cell] == 4


@pytest.mark.django_db(transaction=True)
def test_all_processes_of_the_web_server_are_counted_and_a_dead_one_is_not_forgotten(installation):
    site = installation(FACETWISE_METRICS_TOKEN=TOKEN, WEB_CONCURRENCY="3")
    process, url = site.start_web()

    def missing():
        metrics_read = samples(httpx.get(f"{url}/metrics", headers=BEARER).text)
        return metrics_read["facetwise_requests_total", "other", "page", "404"]

    for _ in range(30):
        httpx.get(f"{url}/nowhere/")
    assert missing() == 30

    workers = psutil.Process(process.popen.pid).children()
    workers[0].kill()
    wait_until(lambda: not workers[0].is_running(), "the death")
    for _ in range(5):
        httpx.get(f"{url}/nowhere/")

    assert missing() == 35


@pytest.mark.django_db
def test_the_documents_name_every_metric_with_its_labels(fresh_rows):
    Pulse.objects.create(part="beat", at=Now())
    deployment = (Path(__file__).parents[2] / "docs" / "deployment.md").read_text("utf-8")
    rows = re.findall(r"^\| `(facetwise_\w+)` \|([^|]*)\|", deployment, re.MULTILINE)
    labels_of = {
        family.name + ("_total" if family.type == "counter" else ""): {
            words
            for sample in family.samples
            for label, value in sample.labels.items()
            for words in (label, value)
        }
        for family in text_string_to_metric_families(metrics.exposition())
    }

    assert [name for name, _ in rows] == list(labels_of)
    for name, labels in rows:
        assert set(re.findall(r"`(\w+)`", labels)) <= labels_of[name], name
