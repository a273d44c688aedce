from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from jobs.models import SILENCE, Job, Pulse

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    "fields",
    [
        {"state": "queued"},
        {
            "state": "running",
            "attempts": 1,
            "started_at": timezone.now(),
            "heartbeat_at": timezone.now(),
        },
        {"state": "done", "finished_at": timezone.now()},
        {"state": "failed", "finished_at": timezone.now(), "error": "No."},
    ],
)
def test_a_job_may_be_in_each_of_its_states(fields):
    assert Job.objects.create(kind="count", **fields).pk


@pytest.mark.parametrize(
    ("fields", "constraint"),
    [
        ({"state": "lost"}, "jobs_job_(state_known|finished_has_time)"),
        ({"state": "running"}, "jobs_job_running_has_heartbeat"),
        ({"state": "done"}, "jobs_job_finished_has_time"),
        ({"state": "queued", "finished_at": timezone.now()}, "jobs_job_finished_has_time"),
        ({"state": "failed", "finished_at": timezone.now()}, "jobs_job_failed_has_error"),
        (
            {"state": "done", "finished_at": timezone.now(), "error": "No."},
            "jobs_job_failed_has_error",
        ),
    ],
)
def test_the_database_refuses_a_state_without_what_belongs_to_it(fields, constraint):
    with pytest.raises(IntegrityError, match=constraint), transaction.atomic():
        Job.objects.create(kind="count", **fields)


ENDED = {"finished_at": timezone.now()}
RUNNING = {"state": "running", "attempts": 1, "started_at": timezone.now()}


def test_what_waits_or_runs_is_active_and_only_a_fresh_heart_beats():
    waiting = Job.objects.create(kind="count")
    now, long_ago = timezone.now(), timezone.now() - timedelta(hours=1)
    fresh, silent = (
        Job.objects.create(kind="count", heartbeat_at=at, **RUNNING) for at in (now, long_ago)
    )
    Job.objects.create(kind="count", state="done", **ENDED)
    Job.objects.create(kind="count", state="failed", error="No.", **ENDED)

    assert set(Job.objects.active()) == {waiting, fresh, silent}
    assert list(Job.objects.beating()) == [fresh]


def test_a_part_is_fresh_from_its_beat_on_until_it_falls_silent():
    Pulse.objects.beat(Pulse.Part.BEAT, Pulse.Part.WORKER)
    Pulse.objects.filter(part="worker").update(at=timezone.now() - 2 * SILENCE)

    assert [pulse.part for pulse in Pulse.objects.fresh()] == ["beat"]

    Pulse.objects.beat(Pulse.Part.WORKER)
    assert {pulse.part for pulse in Pulse.objects.fresh()} == {"beat", "worker"}
