"""Imports as jobs, and what a worker tidies when it starts."""

from contextlib import contextmanager

from celery.signals import worker_ready
from django.db import connection
from django.urls import reverse

from annotation.models import Batch
from audit.refusals import Refused
from datasets import uploads
from datasets.access import leads_now
from datasets.models import Collection, Membership
from formats.csfcube.read import find_sources
from formats.problems import BadInputError
from imports.csfcube.importing import import_csfcube
from imports.doris_mae.importing import import_doris_mae
from imports.run import sweep_dead_imports
from jobs.registry import JobError, job_handler


def is_not_blind(user, job, topic_id):
    """Whether no batch of this topic is one in which this person still rates."""
    batches = Batch.objects.filter(
        collection__public_id=job.collection, pairs__topic__external_id=topic_id
    )
    return not batches.blind_to(user).exists()


READERS = {"may_open": leads_now, "may_read": is_not_blind}


@job_handler("import-csfcube", title="Import of CSFCube files", **READERS)
def import_csfcube_upload(run):
    return _import_upload(run, _csfcube)


@job_handler("import-doris-mae", title="Import of a DORIS-MAE file", **READERS)
def import_doris_mae_upload(run):
    return _import_upload(run, _doris_mae)


def _csfcube(files, params, **common):
    return import_csfcube(
        sources=find_sources(files), with_ratings=params["with_ratings"], **common
    )


def _doris_mae(files, params, **common):
    [(name, path)] = files
    return import_doris_mae(
        path=path, name=name, model=params["model"], run=params["run"], **common
    )


def _import_upload(run, bring_in):
    """Import an upload; its files are deleted once the job is done or refused.

    They stay when the worker dies or the database is away, because the job then runs again.
    `bring_in(files, params, collection=, by=, progress=, effect=)` is the import of a kind.
    """
    collection = Collection.objects.get(public_id=run.job.collection)
    token = run.params["upload"]
    page = reverse("imports:import", args=[collection.slug])

    @contextmanager
    def effect():
        with run.effect() as result:
            result["url"] = page
            yield result

    try:
        if not Membership.objects.leads().filter(collection=collection, user=run.by).exists():
            raise JobError("Only a lead imports into a collection.")
        with uploads.named_files(token) as files:
            if not files:
                raise JobError("The uploaded files are not there any more. Upload them again.")
            outcome = bring_in(
                files,
                run.params,
                collection=collection,
                by=run.by,
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
