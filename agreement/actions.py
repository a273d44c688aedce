"""Have intervals computed."""

from collections.abc import Sequence

from agreement.statistics import Interval
from agreement.study.intervals import Wanted, known_intervals
from agreement.study.selection import Selection
from jobs.actions import enqueue
from jobs.models import Job

KIND = "agreement-intervals"


def known_or_queued(
    selection: Selection, page: str, wanted: Sequence[Wanted], *, url: str
) -> tuple[list[dict[str, Interval] | None], Job | None]:
    """The intervals in the order wanted, None for those that are not known yet, and the job that
    computes them; None where nothing is missing.

    `page` names the list of intervals in `agreement.tasks.WANTED`; `url` is where the job leads
    back to. A job that is at it already is not joined by another.
    """
    known, missing = known_intervals(selection.collection, wanted)
    if not missing:
        return known, None
    params = {"page": page, "address": selection.filters.address(), "url": url}
    job = (
        Job.objects.active()
        .filter(
            kind=KIND,
            collection=selection.collection.public_id,
            created_by=selection.viewer,
            params=params,
        )
        .first()
    )
    if job is None:
        job = enqueue(
            kind=KIND, params=params, by=selection.viewer, collection=selection.collection.public_id
        )
    return known, job
