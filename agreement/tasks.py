"""Intervals of large studies, computed in the background."""

from collections.abc import Callable

from django.http import QueryDict

from agreement.actions import KIND
from agreement.study.asking import Asked, asked_by
from agreement.study.intervals import Wanted, compute_missing
from agreement.subjects.overview.overview import overview_of, rows_chosen
from agreement.subjects.overview.report import report_of
from agreement.subjects.queries.figures import queries_wanted
from datasets.access import leads_now
from datasets.models import Membership
from jobs.registry import JobError, job_handler


def _overview(asked: Asked) -> list[Wanted]:
    return overview_of(asked).wanted


def _queries(asked: Asked) -> list[Wanted]:
    report = report_of(asked.collection, asked.of_all_facets, asked.filters)
    _, topics = rows_chosen(asked, report)
    return queries_wanted(report, topics)


# What a page wants, by the name that it gives itself.
WANTED: dict[str, Callable[[Asked], list[Wanted]]] = {
    "overview": _overview,
    "queries": _queries,
}


@job_handler(KIND, title="Intervals of agreement figures", may_open=leads_now)
def compute_intervals(run):
    """Running it twice does no harm: what is known is not computed again."""
    member = (
        Membership.objects.leads()
        .select_related("collection__scheme")
        .filter(collection__public_id=run.job.collection, user=run.by)
        .first()
    )
    if member is None:
        raise JobError("You no longer lead this collection.")
    run.progress(stage="Reading ratings")
    asked = asked_by(member, run.by, QueryDict(run.params["address"]))
    wanted = WANTED[run.params["page"]](asked)
    run.progress(stage="Resampling")
    compute_missing(member.collection, wanted, progress=run.progress)
    return {"url": run.params["url"], "message": "The intervals are ready."}
