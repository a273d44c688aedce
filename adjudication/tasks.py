"""The import as a job, and what a worker tidies when it starts."""

from contextlib import contextmanager

from celery.signals import worker_ready
from django.db import connection
from django.urls import reverse

from adjudication.importing import import_csfcube, sweep_dead_imports
from audit.refusals import Refused
from datasets import uploads
from datasets.formats.csfcube.read import find_sources
from datasets.formats.problems import BadInputError
from datasets.models import Collection, Membership
from jobs.registry import JobError, job_handler


@job_handler("import-csfcube", title="Import of CSFCube files")
def import_upload(run):
    """Import an upload; its files are deleted once the job is done or refused.

    They stay when the worker dies or the database is away, because the job then runs again.
    """
    collection = Collection.objects.get(public_id=run.job.collection)
    token = run.params["upload"]
    page = reverse("datasets:import", args=[collection.slug])

    @contextmanager
    def effect():
        with run.effect() as result:
            result["url"] = page
            yield result

    try:
        if not Membership.objects.leads().filter(collection=collection, user=run.by).exists():
            raise JobError("Only a lead imports into a collection.")
        files = uploads.named_files(token)
        if not files:
            raise JobError("The uploaded files are not there any more. Upload them again.")
        outcome = import_csfcube(
            sources=find_sources(files),
            collection=collection,
            by=run.by,
            with_ratings=run.params["with_ratings"],
            progress=run.progress,
            effect=effect,
        )
    except BadInputError as error:
        uploads.discard(token)
        raise JobError(error.sentence, error.problems) from None
    except Refused as refused:
        uploads.discard(token)
        raise JobError(str(refused)) from None
    except JobError:
        uploads.discard(token)
        raise
    uploads.discard(token)
    return {"message": outcome.sentence, "url": page}


def tidy():
    """Delete what dead imports and lost uploads left behind."""
    sweep_dead_imports()
    uploads.sweep()


@worker_ready.connect
def tidy_at_start(**kwargs):
    tidy()
    # The worker's own process needs no database between two starts.
    connection.close()
