"""Who may look at a job, and how much of it."""

from typing import Any
from uuid import UUID

from django.http import Http404
from django.shortcuts import get_object_or_404

from jobs.models import Job
from jobs.registry import handlers


def get_job_for(user: Any, public_id: UUID) -> tuple[Job, bool]:
    """`(job, is_theirs)`: the whole job for its creator, as long as they may; else as a site admin
    sees it.

    A site admin looks after the worker: they learn how far a job is and whether it failed, but
    nothing of what it read. To everybody else the job does not exist.
    """
    job = get_object_or_404(Job.objects.visible_to(user), public_id=public_id)
    handler = handlers().get(job.kind)
    is_theirs = job.created_by_id == user.pk and (handler is None or handler.may_open(user, job))
    if not is_theirs and not user.is_site_admin:
        raise Http404("There is no such job.")
    return job, is_theirs


def readable_errors(user: Any, job: Job, *, with_subjects: bool = True) -> tuple[list[str], bool]:
    """The details of a failed job that this person may read now, and whether those are all. Without
    those that are about something, for a program that may not read what they quote."""
    handler = handlers().get(job.kind)
    details = [
        detail if isinstance(detail, dict) else {"text": detail, "about": ""}
        for detail in job.result.get("errors", [])
    ]
    subjects = {detail["about"] for detail in details if detail["about"]}
    hidden = subjects
    if with_subjects:
        hidden = {about for about in subjects if handler and not handler.may_read(user, job, about)}
    texts = [detail["text"] for detail in details if detail["about"] not in hidden]
    return texts, not hidden
