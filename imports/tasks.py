"""Imports as jobs, and the cleaning at a worker's start."""

from contextlib import contextmanager

from celery.signals import worker_ready
from django.db import connection
from django.urls import reverse

from annotation.models import Batch
from datasets import uploads
from datasets.access import get_lead_of, leads_now
from formats.words import counted
from imports import checking, drafts, unattended
from imports.kinds import all_kinds
from imports.models import Draft
from imports.pooling import tasks as pooling  # noqa: F401 - its handler registers itself
from imports.run import carry_out, sweep_dead_imports
from jobs.models import Job
from jobs.registry import JobError, job_handler


def is_not_blind(user, job, topic_id):
    """Whether no batch of this topic is one in which this person still rates."""
    batches = Batch.objects.filter(
        collection__public_id=job.collection, pairs__topic__external_id=topic_id
    )
    return not batches.blind_to(user).exists()


OF_THE_PAGE = {
    "may_open": leads_now,
    "may_read": is_not_blind,
    "page": "imports:import",
    "tab": "import",
}


@job_handler(drafts.CHECK, title="Check of files for an import", **OF_THE_PAGE)
def check_draft(run):
    """Look at a draft's files and keep the report with it; nothing else is written."""
    draft = _draft_of(run)
    report = checking.report_on(draft, run.by, run.progress)
    with run.effect() as result:
        # Files that were changed meanwhile are looked at by a job of their own.
        Draft.objects.filter(pk=draft.pk, revision=run.params["revision"]).update(
            report=report, report_revision=run.params["revision"]
        )
        count = report["problem_count"]
        result["message"] = f"{counted(count, 'problem') if count else 'No problems'}."
        result["url"] = _page(draft.collection)


@job_handler(drafts.IMPORT, title="Import of files", **OF_THE_PAGE)
def import_draft(run):
    """Import a draft as it was checked; its files go with it.

    They stay when the worker dies or the database is away, because the job then runs again.
    """
    draft = _draft_of(run)
    if draft.revision != run.params["revision"]:
        raise JobError("The files were changed after this import was asked for. Check them again.")
    get_lead_of(run)
    page = _page(draft.collection)

    @contextmanager
    def effect():
        with run.effect() as result:
            result["url"] = page
            yield result
            if report["settings"].get("keep", True) and report["columns_key"]:
                drafts.keep_matching(draft=draft, by=run.by)
            drafts.discard(draft=draft)

    report = draft.report
    kind = all_kinds()[report["format"]]
    with checking.as_job_error(), checking.uploaded_files(draft.token, draft.files) as files:
        moving = kind.moving(files, draft.collection, run.by, report["settings"], run.progress)
        outcome = carry_out(moving, progress=run.progress, effect=effect)
    if outcome.imported is None:
        with run.effect() as result:
            result |= {"message": outcome.sentence, "url": page}
            drafts.discard(draft=draft)


@job_handler(unattended.IMPORT, title="Import by program", **OF_THE_PAGE)
def import_upload(run):
    unattended.bring_in(run)


def _draft_of(run):
    draft = Draft.objects.filter(public_id=run.params["draft"], created_by=run.by).first()
    if draft is None:
        raise JobError("The files are not there any more. Bring them again.")
    return draft


def _page(collection):
    return reverse("imports:import", args=[collection.slug])


def tidy():
    """Delete the rows of dead imports, and lost uploads."""
    sweep_dead_imports()
    uploads.sweep(keep=tokens_of_jobs())


def tokens_of_jobs():
    """The uploads that jobs still read, however long they have waited for a worker."""
    active = Job.objects.active()
    of_programs = active.filter(kind=unattended.IMPORT).values_list("params", flat=True)
    of_pages = Draft.objects.filter(job__in=active.values("public_id"))
    return {*of_pages.values_list("token", flat=True), *(params["token"] for params in of_programs)}


@worker_ready.connect
def tidy_at_start(**kwargs):
    tidy()
    # The worker's own process needs no database between two starts.
    connection.close()
