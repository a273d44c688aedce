"""Real workers on real brokers, killed and restarted."""

from contextlib import contextmanager

import pytest
from celery import current_app
from kombu import pools

from accounts.models import User
from jobs import actions
from jobs.models import Job
from tests.jobs import handlers  # noqa: F401 - registers the kinds of job
from tests.processes import Redis, wait_until

INCLUDE = ("--include", "tests.jobs.handlers")


@pytest.fixture(params=["folder", "redis"])
def site(request, installation, alice):
    """An installation on each kind of broker, to which this process sends too."""
    url = request.getfixturevalue("redis_url") if request.param == "redis" else ""
    site = installation(REDIS_URL=url, FACETWISE_JOB_STALE_SECONDS="2")
    with publishing_to(site):
        yield site


@contextmanager
def publishing_to(site):
    """Point this process's Celery at the broker of an installation."""
    conf = current_app.conf
    before = conf.broker_url, conf.broker_transport_options
    if site.env["REDIS_URL"]:
        conf.broker_url = site.env["REDIS_URL"]
        conf.broker_transport_options = {"socket_connect_timeout": 2, "max_retries": 0}
    else:
        messages = site.state / "broker" / "messages"
        messages.mkdir(parents=True, exist_ok=True)
        conf.broker_url = "folder://localhost"
        conf.broker_transport_options = {
            "data_folder_in": str(messages),
            "data_folder_out": str(messages),
            "control_folder": str(site.state / "broker" / "control"),
        }
    forget_connections()
    yield
    conf.broker_url, conf.broker_transport_options = before
    forget_connections()


def forget_connections():
    pools.reset()
    current_app._pool = None
    current_app.amqp._producer_pool = None


def enqueue(alice, folder, **params):
    return actions.enqueue(
        kind="tests-make-account", params={"folder": str(folder), **params}, by=alice
    )


def state(job):
    job.refresh_from_db()
    return job.state


def test_a_worker_takes_a_job_from_the_broker_and_does_it(site, alice, tmp_path):
    site.start_worker(*INCLUDE)

    job = enqueue(alice, tmp_path)

    job.refresh_from_db()
    assert job.sent_at is not None
    wait_until(lambda: state(job) == "done", f"the job; see {site.state}")
    assert job.result == {"url": "/made/"}
    assert User.objects.filter(email="effect@example.org").count() == 1


def test_jobs_that_waited_for_a_worker_are_done_when_one_comes(site, alice, tmp_path):
    job = enqueue(alice, tmp_path)
    assert state(job) == "queued"

    site.start_worker(*INCLUDE)

    wait_until(lambda: state(job) == "done", f"the job; see {site.state}")


def test_a_job_survives_the_kill_of_its_worker_with_one_effect(site, alice, tmp_path):
    worker = site.start_worker(*INCLUDE)
    job = enqueue(alice, tmp_path, hang=True)
    wait_until((tmp_path / "attempt-1").exists, f"the first attempt; see {site.state}")

    worker.kill()
    assert state(job) == "running"
    site.start_worker(*INCLUDE)

    wait_until(lambda: state(job) == "done", f"the second attempt; see {site.state}")
    assert job.attempts == 2
    assert User.objects.filter(email="effect@example.org").count() == 1


def test_a_job_enqueued_while_redis_is_down_is_done_when_it_is_back(installation, alice, tmp_path):
    redis = Redis(tmp_path)
    site = installation(REDIS_URL=redis.url, FACETWISE_JOB_STALE_SECONDS="2")
    try:
        with publishing_to(site):
            job = enqueue(alice, tmp_path)
            assert (state(job), job.sent_at) == ("queued", None)
            assert actions.send(job) is False

            redis.start()
            site.start_worker(*INCLUDE)

            wait_until(lambda: state(job) == "done", f"the job; see {site.state}")
    finally:
        redis.stop()
    assert Job.objects.count() == 1


def test_a_worker_goes_on_after_redis_was_away(installation, alice, tmp_path):
    redis = Redis(tmp_path)
    redis.start()
    site = installation(REDIS_URL=redis.url, FACETWISE_JOB_STALE_SECONDS="2")
    try:
        with publishing_to(site):
            site.start_worker(*INCLUDE)
            first = enqueue(alice, tmp_path)
            wait_until(lambda: state(first) == "done", f"the job; see {site.state}")
            User.objects.filter(email="effect@example.org").delete()

            redis.stop()
            second = enqueue(alice, tmp_path)
            redis.start()

            wait_until(lambda: state(second) == "done", f"the job; see {site.state}")
    finally:
        redis.stop()
