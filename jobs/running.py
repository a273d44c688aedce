"""Running a job: claiming it, its heartbeat, and how it ends."""

import contextvars
import errno
import logging
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from typing import Any
from uuid import UUID

from celery import shared_task
from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import DatabaseError, InterfaceError, OperationalError, connection
from django.db.models import F
from django.db.models.functions import Now

from audit.request_ids import working_for
from jobs.models import Job
from jobs.registry import SHOWN_ERRORS, JobError, JobLostError, Run, handler_for

logger = logging.getLogger(__name__)

# A message that no worker took for so long counts as lost. Sending it twice is harmless; the time
# only keeps a long queue from filling with copies.
RESEND_AFTER = timedelta(minutes=1)
CLAIM_PAUSE_SECONDS = 2
GENERIC_ERROR = (
    "This stopped because of an error in Facetwise itself. "
    "Try again; if it happens again, tell the administrator the number of this job: {public_id}."
)
# A full, failing or forbidden disk, a bucket that is away (config/bucket.py), too many open files.
PASSING_ERRNOS = {
    *(errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO, errno.EACCES, errno.EPERM),
    *(errno.EMFILE, errno.ENFILE),
}


def claim(public_id: UUID | str) -> Job | None:
    """Take a queued job, or None when it is not queued (any more)."""
    claimed_count = Job.objects.filter(public_id=public_id, state=Job.State.QUEUED).update(
        state=Job.State.RUNNING,
        attempts=F("attempts") + 1,
        started_at=Now(),
        heartbeat_at=Now(),
    )
    return (
        Job.objects.select_related("created_by").get(public_id=public_id) if claimed_count else None
    )


def run_job(public_id: UUID | str) -> Job | None:
    """Run a queued job to its end; does nothing for a job that is not queued.

    Returns the job as it stands afterwards, or None where there was nothing to do.
    """
    job = _claim_when_it_may(public_id)
    if job is None:
        return None
    with working_for(job.request_id or job.public_id):
        _run_to_its_end(job)
    job.refresh_from_db()
    return job


@shared_task(name="jobs.run")
def run_in_worker(public_id: str) -> None:
    run_job(public_id)


def _claim_when_it_may(public_id: UUID | str) -> Job | None:
    """`claim`, again and again while database or disk fail: the message is gone once a worker has
    it, and no sweep sends another before it counts as lost."""
    last = time.monotonic() + RESEND_AFTER.total_seconds()
    while True:
        try:
            return claim(public_id)
        except Exception as error:
            if not _may_pass(error) or time.monotonic() > last:
                raise
            logger.warning("Job %s cannot be claimed yet: %s", public_id, error)
            if not connection.in_atomic_block:
                connection.close()  # which may be what was lost
            time.sleep(CLAIM_PAUSE_SECONDS)


def _run_to_its_end(job: Job) -> None:
    run = Run(job)
    try:
        with beating(run):
            result = handler_for(job.kind).function(run)
            if not run.has_effect:
                run.finish(result or {})
    except JobLostError:
        logger.warning("Job %s, attempt %d, was taken over; stopped.", job, job.attempts)
    except JobError as error:
        fail(job, error.sentence, error.errors)
    except ValidationError as error:
        fail(job, " ".join(error.messages))
    except Exception as error:
        if _may_pass(error):
            # The failure itself could hardly be written now. The heart has stopped beating: the
            # sweep gives the job another attempt.
            logger.exception("Job %s, attempt %d, lost the database or disk.", job, job.attempts)
        else:
            logger.exception("Job %s failed.", job)
            fail(job, GENERIC_ERROR.format(public_id=job.public_id))


def _may_pass(error: Exception) -> bool:
    """Whether this is about the database or a disk, and not about the job."""
    if isinstance(error, OSError):
        return error.errno in PASSING_ERRNOS
    # `DatabaseError` itself is how psycopg2 tells of a server that went away in the middle.
    return isinstance(error, (OperationalError, InterfaceError)) or type(error) is DatabaseError


def fail(job: Job, sentence: str, errors: Sequence[Any] = ()) -> None:
    """End an attempt with a sentence and, at most, the first hundred details."""
    details = {"errors": list(errors[:SHOWN_ERRORS]), "error_count": len(errors)} if errors else {}
    Job.objects.claimed(job).update(
        state=Job.State.FAILED, error=sentence, result=details, finished_at=Now(), stage=""
    )


@contextmanager
def beating(run: Run) -> Iterator[None]:
    """Keep the job's heartbeat fresh from a thread of its own, while a handler is busy.

    The thread dies with the process, which is the point.
    """
    stop = threading.Event()

    def beat() -> None:
        while not stop.wait(settings.JOB_HEARTBEAT_SECONDS):
            try:
                run.beat()
            except JobLostError:
                break  # the handler learns it at its next progress or effect
            except DatabaseError as error:
                logger.warning("Heartbeat of job %s: %s", run.job, error)
        connection.close()

    context = contextvars.copy_context()
    thread = threading.Thread(
        target=context.run, args=[beat], name=f"heartbeat-{run.job.pk}", daemon=True
    )
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()
