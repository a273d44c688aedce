"""The export as a job, and the cleaning at a worker's start."""

from contextlib import contextmanager

from celery.signals import worker_ready
from django.db import connection
from django.urls import reverse

from audit.refusals import raised_as
from datasets import stores
from datasets.access import leads_now
from datasets.models import Collection
from evaluation.definitions.reading import chosen_protocol
from evaluation.sources.choices import source_named
from jobs.registry import JobError, job_handler
from releases.actions import make_export
from releases.models import Export


@job_handler("export", title="Export", may_open=leads_now, page="releases:exports", tab="exports")
def export(run):
    collection = Collection.objects.get(public_id=run.job.collection)

    @contextmanager
    def effect():
        with run.effect() as result:
            result["url"] = reverse("releases:exports", args=[collection.slug])
            yield result

    run.progress(stage="Reading, writing and comparing the files")
    params = dict(run.params)
    try:
        source = source_named(
            collection,
            params.pop("values", "gold"),
            mapping=params.pop("mapping", ""),
            least=params.pop("least", ""),
        )
        protocol = chosen_protocol(collection, params.pop("protocol", ""))
    except ValueError as error:
        raise JobError(f"{error} Choose again on the page of exports.") from None
    with raised_as(JobError):
        make_export(
            collection=collection,
            by=run.by,
            effect=effect,
            source=source,
            protocol=protocol,
            **params,
        )


def tidy():
    """Delete the files that an export left when its worker died."""
    export_ids = {
        str(public_id) for public_id in Export.objects.values_list("public_id", flat=True)
    }
    stores.sweep(Export.store(), keep=export_ids)
    stores.sweep_scratch()


@worker_ready.connect
def tidy_at_start(**kwargs):
    tidy()
    # The worker's own process needs no database between two starts.
    connection.close()
