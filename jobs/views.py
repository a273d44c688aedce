"""The page of a job."""

from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from jobs.access import get_job_for, readable_errors
from jobs.models import Job
from jobs.registry import handlers


@require_safe
def job_page(request: Any, public_id: UUID) -> HttpResponse:
    """A job and its progress; the page asks again every second until it is over."""
    job, is_theirs = get_job_for(request.user, public_id)
    handler = handlers().get(job.kind)
    context: dict[str, object] = {
        "job": job,
        "title": handler.title if handler else job.kind,
        "handler": handler,
        "is_theirs": is_theirs,
    }
    if is_theirs and job.state == Job.State.FAILED:
        errors, are_all = readable_errors(request.user, job)
        context |= {
            "errors": errors,
            "errors_are_all": are_all,
            "error_count": job.result.get("error_count", 0),
        }
    return render(request, "jobs/job.html" + ("#job" if request.htmx else ""), context)
