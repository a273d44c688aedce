"""Every query as a dot with its interval, the ones to act on first."""

from django.contrib.auth.decorators import login_required
from django.views.decorators.http import require_safe

from agreement import charts
from agreement.intervals import compute_missing
from agreement.reports import MEASURE_NAMES
from agreement.reports.overview import rows_chosen
from agreement.reports.queries import SORTS, differing, in_order, queries_wanted
from agreement.reports.table import report_of
from agreement.views.frame import Control, ask, one_of, page_of, show

ROUTE = "agreement:queries"


@login_required
@require_safe
def queries(request, slug):
    asked = ask(request, slug)
    measure = one_of(request, "measure", MEASURE_NAMES)
    sort = one_of(request, "sort", SORTS)
    report = report_of(asked.collection, asked.of_all_facets, asked.filters)
    facet, topics = rows_chosen(asked, report)
    page = page_of(request, in_order(topics, sort, measure))
    shown = list(page.object_list)
    # A page of queries is few enough to be resampled at once.
    wanted = queries_wanted(report, shown)
    known = compute_missing(asked.collection, wanted)
    rated = [one.topic.number for one in shown if one.before]
    intervals = {
        number: one.restored(known[one.key])[measure]
        for number, one in zip(rated, wanted, strict=True)
    }
    tables = {
        number: charts.heat_table(
            report.before.confusion([number]).tolist(), asked.everything.scale.names
        )
        for number in rated
    }
    context = {
        "report": report,
        "facet": facet,
        "page": page,
        "plot": charts.plot(facet, shown, measure, intervals, tables),
        "differing": {one.topic.number: differing(one) for one in shown},
        "scale": asked.everything.scale.names,
        "measures": MEASURE_NAMES,
        "measure": measure,
        "measure_name": MEASURE_NAMES[measure],
        "own_controls": [
            Control("measure", "Chart", list(MEASURE_NAMES.items()), measure),
            Control("sort", "Sorted", list(SORTS.items()), sort),
        ],
    }
    return show(
        request, asked, ROUTE, "agreement/queries.html", context, measure=measure, sort=sort
    )
