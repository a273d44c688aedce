"""Every topic as a dot with its interval, the ones to act on first."""

from urllib.parse import parse_qsl

from django.views.decorators.http import require_safe

from accounts.listing import listing
from accounts.parameters import one_of
from agreement.pages.frame import AT_A_TIME, Control, get_selection, here, show
from agreement.study.intervals import known_or_queued
from agreement.study.scales import OF_BOTH, measure_of
from agreement.subjects.overview.report import report_for, rows_chosen
from agreement.subjects.queries import SORTS, in_order, makers_of, queries_wanted

ROUTE = "agreement:queries"


@require_safe
def queries(request, slug):
    selection = get_selection(request, slug)
    sort = one_of(request.GET, "sort", SORTS)
    report = report_for(selection)
    facet, topics = rows_chosen(selection, report)
    names = facet.titles.names
    measure = measure_of(request.GET, names, OF_BOTH.names)
    searched = listing(
        in_order(topics, sort, measure),
        # The order is among the filters of this page, as `sort`.
        request.GET,
        text=lambda figures: f"{figures.topic.title} {figures.topic.key}",
        size=AT_A_TIME,
    )
    shown = list(searched.page.object_list)
    choices = {"measure": measure, "sort": sort}
    parameters = {**choices, "words": searched.words}
    url = here(selection, ROUTE, **parameters)
    requests = queries_wanted(report, shown)
    intervals, job = known_or_queued(selection, "queries", requests, url=url)
    makers = makers_of(selection, request.GET, (shown, intervals))
    context = {
        "report": report,
        "job": job,
        "facet": facet,
        "page": searched.page,
        "listing": searched,
        "all_address": selection.filters.address(**choices),
        "kept": parse_qsl(selection.filters.address(**choices)),
        "tables": {key: make() for key, make in makers.items()},
        "measure_name": names[measure],
        "over_all": facet.before.measures.get(measure),
        "own_controls": [
            Control("measure", "Chart", list(names.items()), measure),
            Control("sort", "Sorted", list(SORTS.items()), sort),
        ],
    }
    return show(request, selection, ROUTE, "agreement/queries.html", context, **parameters)
