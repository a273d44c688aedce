"""Intervals of large studies, computed in the background."""

from collections.abc import Callable

from django.http import QueryDict

from agreement.study.intervals import KIND, Wanted, compute_missing
from agreement.study.selection import Selection, selection_of
from agreement.subjects.overview.overview import overview_of
from agreement.subjects.overview.report import report_for, rows_chosen
from agreement.subjects.queries import queries_wanted
from datasets.access import get_lead_of, leads_now
from jobs.registry import job_handler


def _queries(selection: Selection) -> list[Wanted]:
    report = report_for(selection)
    _, topics = rows_chosen(selection, report)
    return queries_wanted(report, topics)


# What a page wants, by the name that it gives itself.
WANTED: dict[str, Callable[[Selection], list[Wanted]]] = {
    "overview": lambda selection: overview_of(selection).wanted,
    "queries": _queries,
}


@job_handler(KIND, title="Intervals of agreement figures", may_open=leads_now, tab="agreement")
def compute_intervals(run):
    """Running it twice does no harm: what is known is not computed again."""
    member = get_lead_of(run)
    run.progress(stage="Reading ratings")
    selection = selection_of(member, run.by, QueryDict(run.params["address"]))
    wanted = WANTED[run.params["page"]](selection)
    run.progress(stage="Resampling")
    compute_missing(member.collection, wanted, progress=run.progress)
    return {"url": run.params["url"], "message": "The intervals are ready."}
