import errno
import threading
import uuid
from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.db import (
    DatabaseError,
    OperationalError,
    ProgrammingError,
    connection,
    transaction,
)
from django.utils import timezone
from kombu.exceptions import OperationalError as BrokerError

from accounts.models import User
from audit.request_ids import current_request_id, working_for
from jobs import actions, registry, running
from jobs.models import Job
from jobs.registry import JobError, JobLostError, Run

pytestmark = pytest.mark.django_db


@pytest.fixture
def sent(monkeypatch):
    """Public ids of the jobs that the broker was given."""
    taken = []
    monkeypatch.setattr(running.run_in_worker, "delay", taken.append)
    return taken


@pytest.fixture
def queued(alice, handle, sent):
    """`queued(function)`: a waiting job that will call that function."""

    def enqueue(function):
        handle(function)
        return actions.enqueue(kind="count", params={"to": 3}, by=alice)

    return enqueue


def test_enqueue_tells_the_broker_only_after_the_commit(
    queued, sent, django_capture_on_commit_callbacks
):
    with django_capture_on_commit_callbacks(execute=True):
        job = queued(lambda run: {})
        assert sent == []

    assert sent == [str(job.public_id)]
    job.refresh_from_db()
    assert job.sent_at is not None


def test_a_job_keeps_its_collection_and_the_request_that_began_it(alice, handle, sent):
    handle(lambda run: {"request": str(current_request_id())})
    collection, request = uuid.uuid4(), uuid.uuid4()
    with working_for(request):
        job = actions.enqueue(kind="count", params={}, by=alice, collection=collection)

    assert (job.collection, job.request_id) == (collection, request)
    assert running.run_job(job.public_id).result == {"request": str(request)}
    nobodys = actions.enqueue(kind="count", params={}, by=None)
    assert running.run_job(nobodys.public_id).result == {"request": str(nobodys.public_id)}


def test_sending_and_taking_a_job_leave_the_others_waiting(queued, sent):
    other, job = queued(lambda run: {}), queued(lambda run: {})

    actions.send(job)
    running.claim(job.public_id)

    other.refresh_from_db()
    assert (other.state, other.attempts, other.sent_at) == ("queued", 0, None)
    assert sent == [str(job.public_id)]


def test_a_request_ends_well_where_its_job_cannot_be_sent(
    queued, monkeypatch, django_capture_on_commit_callbacks
):
    def fail(public_id):
        raise RuntimeError("a fault that nobody foresaw")

    monkeypatch.setattr(running.run_in_worker, "delay", fail)

    with django_capture_on_commit_callbacks(execute=True):
        job = queued(lambda run: {})

    job.refresh_from_db()
    assert (job.state, job.sent_at) == ("queued", None)


def test_enqueue_refuses_an_unknown_kind(alice):
    with pytest.raises(ValueError, match="No handler for jobs of kind 'dance'"):
        actions.enqueue(kind="dance", params={}, by=alice)

    assert Job.objects.count() == 0


def test_a_kind_of_job_has_one_handler(monkeypatch):
    monkeypatch.setattr(registry, "HANDLERS", {})
    register = registry.job_handler("count", title="Counting")
    register(print)
    register(print)

    with pytest.raises(ValueError, match="Two handlers for jobs of kind 'count'"):
        register(repr)


def test_a_dead_broker_leaves_the_job_waiting_and_the_sweep_sends_it(
    queued, sent, monkeypatch, django_capture_on_commit_callbacks
):
    def refuse(public_id):
        raise BrokerError("connection refused")

    with monkeypatch.context() as broker:
        broker.setattr(running.run_in_worker, "delay", refuse)
        with django_capture_on_commit_callbacks(execute=True):
            job = queued(lambda run: {})
        assert actions.sweep() == []
    job.refresh_from_db()
    assert (job.state, job.sent_at) == ("queued", None)

    assert actions.sweep() == [job]

    assert sent == [str(job.public_id)]


def test_a_job_hands_its_handler_params_and_person_and_keeps_the_result(queued, alice):
    seen = {}

    def count(run):
        seen.update(run.params, by=run.by)
        return {"url": "/counted/"}

    job = running.run_job(queued(count).public_id)

    assert seen == {"to": 3, "by": alice}
    assert (job.state, job.result, job.error) == ("done", {"url": "/counted/"}, "")
    assert job.finished_at is not None


def test_a_redelivered_message_runs_a_finished_job_no_second_time(queued):
    calls = []
    job = queued(lambda run: calls.append(1))

    running.run_job(job.public_id)
    again = running.run_job(job.public_id)

    assert (calls, again) == ([1], None)


def test_a_message_without_a_job_does_nothing():
    assert running.run_job("7e5ab6a0-0000-4000-8000-000000000000") is None


def test_a_known_failure_is_shown_with_its_sentence_and_first_hundred_details(queued):
    def fail(run):
        raise JobError("The folder is not whole.", [f"line {n}" for n in range(250)])

    job = running.run_job(queued(fail).public_id)

    assert (job.state, job.error) == ("failed", "The folder is not whole.")
    assert job.result["errors"] == [f"line {n}" for n in range(100)]
    assert job.result["error_count"] == 250


def test_a_validation_error_is_shown_with_its_sentence(queued):
    def fail(run):
        raise ValidationError("A grade is outside the scale.")

    job = running.run_job(queued(fail).public_id)

    assert (job.state, job.error) == ("failed", "A grade is outside the scale.")


def test_an_unknown_failure_shows_no_details_but_logs_them(queued, caplog):
    def fail(run):
        raise KeyError("secret of the house")

    job = running.run_job(queued(fail).public_id)

    assert job.state == "failed"
    assert "secret of the house" not in job.error
    assert str(job.public_id) in job.error
    assert "secret of the house" in caplog.text


def test_a_failure_inside_the_effect_undoes_the_effect(queued):
    def fail(run):
        with run.effect():
            User.objects.create_user("ghost@example.org", name="Ghost")
            raise JobError("Not today.")

    job = running.run_job(queued(fail).public_id)

    assert (job.state, job.error) == ("failed", "Not today.")
    assert not User.objects.filter(email="ghost@example.org").exists()


def test_the_effect_ends_the_job_in_its_own_transaction(queued, caplog):
    def count(run):
        with run.effect() as result:
            result["url"] = "/counted/"
            assert Job.objects.get(pk=run.job.pk).state == "running"
        assert Job.objects.get(pk=run.job.pk).state == "done"

    job = running.run_job(queued(count).public_id)

    assert (job.state, job.result) == ("done", {"url": "/counted/"})
    assert "taken over" not in caplog.text


def test_a_worker_that_was_taken_for_dead_has_no_effect(queued):
    def slow(run):
        stop_heart(run.job)
        actions.sweep()
        second = running.claim(run.job.public_id)
        assert second.attempts == 2
        with run.effect():
            User.objects.create_user("ghost@example.org", name="Ghost")

    job = running.run_job(queued(slow).public_id)

    assert (job.state, job.attempts) == ("running", 2)
    assert not User.objects.filter(email="ghost@example.org").exists()


def test_a_worker_that_lost_the_job_does_not_even_begin_its_effect(queued):
    job = running.claim(queued(lambda run: {}).public_id)
    Job.objects.filter(pk=job.pk).update(attempts=2)
    begun = []

    with pytest.raises(JobLostError), Run(job).effect():
        begun.append("effect")

    assert begun == []


def test_a_done_job_has_all_of_its_progress(queued):
    def count(run):
        run.progress(1, 3, "Counting")

    job = running.run_job(queued(count).public_id)

    assert (job.progress_done, job.progress_total) == (3, 3)


def test_progress_tells_a_worker_that_it_lost_the_job(queued):
    job = running.claim(queued(lambda run: {}).public_id)
    Job.objects.filter(pk=job.pk).update(attempts=2)

    with pytest.raises(JobLostError):
        Run(job).progress(1, 10, "Counting")


def test_progress_is_written_at_a_new_stage_and_seldom_within_one(
    queued, django_assert_num_queries
):
    job = running.claim(queued(lambda run: {}).public_id)
    attempt = Run(job)

    with django_assert_num_queries(2):
        attempt.progress(0, 1000, "Reading")
        for done in range(1000):
            attempt.progress(done)
        attempt.progress(1000, stage="Writing")

    job = Job.objects.get(pk=job.pk)
    assert (job.stage, job.progress_done, job.progress_total) == ("Writing", 1000, 1000)


def test_a_long_stage_is_kept_as_far_as_there_is_room(queued):
    job = running.claim(queued(lambda run: {}).public_id)

    Run(job).progress(stage="x" * 300)

    assert Job.objects.get(pk=job.pk).stage == "x" * 200


def stop_heart(job, *, hours=1):
    long_ago = timezone.now() - timedelta(hours=hours)
    Job.objects.filter(pk=job.pk).update(heartbeat_at=long_ago)


# Its last beat lies ahead where the clock was set back after it.
@pytest.mark.parametrize("hours", [1, -1])
def test_the_sweep_requeues_a_job_whose_worker_died(queued, sent, hours):
    job = running.claim(queued(lambda run: {"url": "/counted/"}).public_id)
    stop_heart(job, hours=hours)

    assert actions.sweep() == [job]
    running.run_job(job.public_id)

    job.refresh_from_db()
    assert (job.state, job.attempts, sent) == ("done", 2, [str(job.public_id)])


def test_a_job_that_is_taken_from_a_dead_worker_begins_anew(queued, sent, monkeypatch):
    def refuse(public_id):
        raise BrokerError("connection refused")

    job = queued(lambda run: {})
    actions.send(job)
    job = running.claim(job.public_id)
    Job.objects.filter(pk=job.pk).update(stage="Reading", progress_done=7)
    stop_heart(job)
    monkeypatch.setattr(running.run_in_worker, "delay", refuse)

    assert actions.sweep() == []

    job.refresh_from_db()
    assert (job.state, job.stage, job.progress_done) == ("queued", "", 0)
    assert (job.attempts, job.sent_at) == (1, None)


def test_the_sweep_sends_the_oldest_first_until_the_broker_is_away(queued, monkeypatch):
    jobs, offered = [queued(lambda run: {}) for _ in range(3)], []

    def take_the_first(public_id):
        offered.append(public_id)
        if len(offered) > 1:
            raise BrokerError("connection refused")

    monkeypatch.setattr(running.run_in_worker, "delay", take_the_first)

    assert actions.sweep() == jobs[:1]
    assert offered == [str(job.public_id) for job in jobs[:2]]


def test_the_sweep_leaves_a_beating_job_alone(queued):
    job = running.claim(queued(lambda run: {}).public_id)

    assert actions.sweep() == []

    job.refresh_from_db()
    assert (job.state, job.attempts) == ("running", 1)


def test_the_sweep_leaves_a_job_that_has_ended_alone(queued):
    for function in (lambda run: {}, lambda run: 1 / 0):
        stop_heart(running.run_job(queued(function).public_id))

    assert actions.sweep() == []

    assert list(Job.objects.order_by("id").values_list("state", flat=True)) == ["done", "failed"]


def test_a_job_that_keeps_killing_its_worker_fails_with_a_sentence(queued):
    job = queued(lambda run: {})
    for _ in range(3):
        job = running.claim(job.public_id)
        stop_heart(job)
        actions.sweep()

    job.refresh_from_db()
    assert job.state == "failed"
    assert "broke off 3 times" in job.error


@pytest.mark.parametrize(
    "error",
    [
        OperationalError("server closed the connection"),
        DatabaseError("server closed the connection"),
        OSError(errno.ENOSPC, "No space left on device"),
        PermissionError(errno.EACCES, "Permission denied"),
        OSError(errno.EMFILE, "Too many open files"),
    ],
)
def test_a_job_that_loses_the_database_or_the_disk_gets_another_attempt(queued, error):
    def fail(run):
        raise error

    job = running.run_job(queued(fail).public_id)

    assert job.state == "running"
    stop_heart(job)
    assert actions.sweep() == [job]


@pytest.fixture
def failing_claims(monkeypatch):
    """`failing_claims(error, ...)`: the next claims of jobs fail so; returns a list of the pauses
    of a worker meanwhile, which take no time."""

    def fail_with(*errors):
        left, pauses, claim = list(errors), [], running.claim

        def failing(public_id):
            if left:
                raise left.pop(0)
            return claim(public_id)

        monkeypatch.setattr(running, "claim", failing)
        monkeypatch.setattr(running.time, "sleep", pauses.append)
        return pauses

    return fail_with


def test_a_message_outlasts_a_full_disk(queued, failing_claims):
    job = queued(lambda run: {})
    pauses = failing_claims(*[OperationalError("database or disk is full")] * 3)

    assert running.run_job(job.public_id).state == "done"
    assert len(pauses) == 3


def test_a_message_of_a_disk_that_stays_full_is_left_to_the_sweep(
    queued, failing_claims, monkeypatch
):
    job = queued(lambda run: {})
    monkeypatch.setattr(running, "RESEND_AFTER", timedelta(seconds=-1))
    pauses = failing_claims(OperationalError("database or disk is full"))

    with pytest.raises(OperationalError):
        running.run_job(job.public_id)

    assert pauses == []
    assert actions.sweep() == [job]


def test_an_error_of_the_program_is_not_waited_for(queued, failing_claims):
    job = queued(lambda run: {})
    pauses = failing_claims(ProgrammingError("no such column"))

    with pytest.raises(ProgrammingError):
        running.run_job(job.public_id)

    assert pauses == []


@pytest.mark.parametrize("minutes", [2, -60])
def test_a_sent_job_is_sent_again_only_when_its_message_seems_lost(queued, sent, minutes):
    job = queued(lambda run: {})
    actions.send(job)
    assert actions.sweep() == []

    Job.objects.filter(pk=job.pk).update(sent_at=timezone.now() - timedelta(minutes=minutes))

    assert actions.sweep() == [job]


def test_a_starting_worker_is_sent_every_waiting_job(queued, sent):
    job = queued(lambda run: {})
    actions.send(job)

    assert actions.sweep(at_start=True) == [job]


def test_the_heart_beats_while_a_handler_is_busy(queued, settings, monkeypatch):
    settings.JOB_HEARTBEAT_SECONDS = 0.01
    beaten = threading.Event()
    # A real beat, from another connection, would not see this test's job: the job is not committed.
    monkeypatch.setattr(Run, "beat", lambda run: beaten.set())

    def busy(run):
        assert beaten.wait(timeout=60)

    job = running.run_job(queued(busy).public_id)

    assert job.state == "done"


@pytest.mark.django_db(transaction=True)
def test_of_many_workers_on_one_job_exactly_one_has_the_effect(queued, stress):
    workers = stress(4, 16)
    start = threading.Barrier(workers)
    names = []

    def count(run):
        with run.effect():
            names.append(threading.current_thread().name)
            User.objects.create_user("effect@example.org", name="Effect")

    def work(public_id):
        try:
            start.wait(timeout=60)
            running.run_job(public_id)
        finally:
            connection.close()

    job = queued(count)
    threads = [threading.Thread(target=work, args=[job.public_id]) for _ in range(workers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    job.refresh_from_db()
    assert (job.state, job.attempts, len(names)) == ("done", 1, 1)
    assert User.objects.filter(email="effect@example.org").count() == 1


@pytest.mark.django_db(transaction=True)
def test_an_eager_job_is_done_when_enqueue_returns(alice, handle, eager_jobs):
    handle(lambda run: {"url": "/counted/"})

    job = actions.enqueue(kind="count", params={}, by=alice)

    job.refresh_from_db()
    assert (job.state, job.result) == ("done", {"url": "/counted/"})


def test_a_job_in_a_transaction_that_fails_never_existed(alice, handle, sent):
    handle(lambda run: {})

    with transaction.atomic():
        actions.enqueue(kind="count", params={}, by=alice)
        transaction.set_rollback(True)

    assert (Job.objects.count(), sent) == (0, [])
