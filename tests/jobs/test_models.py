import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from jobs.models import Job

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
