"""Who may look at a job, and at what of it."""

import pytest
from django.http import Http404

from accounts.models import User
from jobs.access import get_job_for, readable_errors
from jobs.models import Job
from jobs.registry import HANDLERS, Handler

pytestmark = pytest.mark.django_db


@pytest.fixture
def job(alice, monkeypatch):
    """A job of Alice's beside another; its handler opens it and reads `b` only as it is told."""

    def asks(user, job, *about):
        return job.params.get("opens", True) if not about else about != ("b",)

    handler = Handler("count", "Counting", lambda run: {}, may_open=asks, may_read=asks)
    monkeypatch.setitem(HANDLERS, "count", handler)
    Job.objects.create(kind="count", created_by=alice)
    return Job.objects.create(kind="count", created_by=alice)


def test_a_job_is_its_creators_as_long_as_its_handler_lets_them(job, alice):
    assert get_job_for(alice, job.public_id) == (job, True)

    Job.objects.filter(pk=job.pk).update(params={"opens": False})

    with pytest.raises(Http404):
        get_job_for(alice, job.public_id)


def test_a_handler_that_asks_nothing_shows_all_to_the_creator(job, alice, monkeypatch):
    monkeypatch.setitem(HANDLERS, "count", Handler("count", "Counting", lambda run: {}))
    job.result = {"errors": [{"text": "row 1", "about": "a"}]}

    assert get_job_for(alice, job.public_id) == (job, True)
    assert readable_errors(alice, job) == (["row 1"], True)


def test_a_job_of_a_kind_that_is_gone_stays_its_creators(job, alice):
    Job.objects.filter(pk=job.pk).update(kind="a kind of an earlier release")

    assert get_job_for(alice, job.public_id) == (job, True)


def test_a_site_admin_sees_the_job_of_another_from_outside(job):
    ada = User.objects.create_user("ada@example.org", name="Ada", is_site_admin=True)

    assert get_job_for(ada, job.public_id) == (job, False)


def test_details_that_somebody_may_not_read_are_left_out(job, alice):
    job.result = {"errors": [{"text": "row 1", "about": "a"}, "all", {"text": "x", "about": "b"}]}

    assert readable_errors(alice, job) == (["row 1", "all"], False)
    job.result["errors"].pop()
    assert readable_errors(alice, job) == (["row 1", "all"], True)
