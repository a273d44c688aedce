"""Enqueue, send and sweep jobs."""

import logging
from collections.abc import Mapping
from typing import Any
from uuid import UUID

from celery import current_app
from django.db import transaction
from django.db.models.functions import Now
from kombu.exceptions import KombuError

from audit.request_ids import current_request_id
from jobs.models import Job, lately
from jobs.registry import handler_for
from jobs.running import RESEND_AFTER, fail, run_in_worker

logger = logging.getLogger(__name__)

# An attempt ends without a word only when its worker dies. Three deaths are no accident.
MAX_ATTEMPTS = 3
DIED_ERROR = (
    "This broke off {attempts} times: the background worker was stopped, or the database, the disk "
    "or the store of files failed. Tell the administrator the number of this job: {public_id}."
)


def enqueue(
    *, kind: str, params: Mapping[str, Any], by: Any, collection: UUID | None = None
) -> Job:
    """Write a job and tell a worker once the transaction is committed.

    `by` is an account, or None. `params` must be JSON; `collection` is a collection's public id. A
    broker that is away fails nothing: the row waits for the next sweep.
    """
    handler_for(kind)
    job = Job.objects.create(
        kind=kind,
        params=params,
        created_by=by,
        collection=collection,
        request_id=current_request_id(),
    )
    transaction.on_commit(lambda: send(job), robust=True)
    return job


def broker_errors() -> tuple[type[BaseException], ...]:
    """The errors that sending a message may raise, a full Redis among them."""
    return KombuError, OSError, *current_app.connection_for_write().channel_errors


def send(job: Job) -> bool:
    """Tell a worker to look at the job; says whether the broker took the message."""
    try:
        run_in_worker.delay(str(job.public_id))
    except broker_errors() as error:
        logger.warning("Broker away (%s); job %s waits for the next sweep.", error, job)
        return False
    Job.objects.filter(pk=job.pk).update(sent_at=Now())
    return True


def sweep(*, at_start: bool = False) -> list[Job]:
    """Requeue running jobs whose worker died, and send queued jobs whose message was lost.

    At a worker's start every queued job is sent, since the messages of a broker without memory
    are gone with it. Returns the jobs that were sent.
    """
    silent = Job.objects.silent()
    for job in silent.filter(attempts__gte=MAX_ATTEMPTS):
        fail(job, DIED_ERROR.format(attempts=job.attempts, public_id=job.public_id))
    # Conditions and change are one statement, so that a heart that beats in between counts.
    silent.filter(attempts__lt=MAX_ATTEMPTS).update(
        state=Job.State.QUEUED, sent_at=None, stage="", progress_done=0
    )

    unsent = Job.objects.filter(state=Job.State.QUEUED)
    if not at_start:
        unsent = unsent.filter(~lately("sent_at", RESEND_AFTER))
    sent = []
    for job in unsent.order_by("id"):
        if not send(job):
            break  # the broker is away for the others too
        sent.append(job)
    return sent
