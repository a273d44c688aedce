"""A large pool from runs, made by the worker."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.urls import reverse

from annotation.pooling.draw import Way
from audit.refusals import raised_as
from datasets.access import get_lead_of, leads_now
from datasets.models import Run
from imports.pooling.actions import JOB, make_pool
from jobs.registry import JobError, job_handler


@job_handler(JOB, title="Pool from runs", may_open=leads_now, page="imports:runs-pool", tab="runs")
def pool_from_runs(run):
    """Running it twice does no harm: a pool that is made already changes nothing."""
    member = get_lead_of(run)
    params, collection = run.params, member.collection
    runs, whole = (_runs(collection, params[name]) for name in ("runs", "whole"))

    @contextmanager
    def effect() -> Iterator[dict[str, Any]]:
        with run.effect() as result:
            yield result
            result["url"] = reverse("annotation:assign", args=[collection.slug])
            result["message"] = "The pool is made. Its new pairs wait for a batch."

    run.progress(stage="Reading the runs")
    with raised_as(JobError):
        outcome = make_pool(
            collection=collection,
            runs=runs,
            whole=whole,
            way=Way(params["way"]),
            size=params["size"],
            seed=params["seed"],
            by=run.by,
            progress=run.progress,
            effect=effect,
        )
    page = reverse("imports:runs-pool", args=[collection.slug])
    return {"url": page, "message": outcome.sentence}


def _runs(collection, public_ids):
    runs = Run.objects.filter(system__collection=collection, public_id__in=public_ids)
    by_id = {str(run.public_id): run for run in runs.select_related("system")}
    if len(by_id) != len(set(public_ids)):
        raise JobError("A run was removed after this pool was asked for. Look at the pool again.")
    return [by_id[public_id] for public_id in public_ids]
