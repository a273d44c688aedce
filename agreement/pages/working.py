"""The page of one figure's working, and the ratings it was computed from."""

from importlib.metadata import version

from django.http import Http404
from django.views.decorators.http import require_safe

from accounts.downloads import CSV, attached
from accounts.parameters import one_of
from agreement.pages.frame import get_selection, here, page_of, show
from agreement.study.intervals import known_or_queued
from agreement.study.scales import AFTER, BEFORE, OF_BOTH, measure_of, measures_of
from agreement.subjects.overview.inputs import ratings_csv
from agreement.subjects.overview.methods import LIBRARIES
from agreement.subjects.overview.working import values_table, working_of
from agreement.tables.crossed import heat_table

ROUTE = "agreement:working"


@require_safe
def working(request, slug):
    selection = get_selection(request, slug)
    scale = selection.chosen.scale
    parameters = {
        "measure": measure_of(request.GET, measures_of(scale).keys, OF_BOTH.keys),
        "when": one_of(request.GET, "when", [BEFORE, AFTER]),
        "topic": request.GET.get("topic", ""),
    }
    try:
        figure_working = working_of(
            selection,
            measure=parameters["measure"],
            when=parameters["when"],
            topic=parameters["topic"],
        )
    except KeyError:
        raise Http404("There is no such topic.") from None
    url = here(selection, ROUTE, **parameters)
    [intervals], job = known_or_queued(selection, "overview", [figure_working.wanted], url=url)
    pairs_list = "rated" if parameters["when"] == BEFORE else "settled"
    page = page_of(request, figure_working.topics)
    context = {
        "working": figure_working,
        "went_in": selection.unit.of_queries(len(figure_working.topics), figure_working.queries),
        "interval": intervals and intervals[parameters["measure"]],
        "job": job,
        "comparisons": [
            (comparison, heat_table(comparison.table, scale.words))
            for comparison in figure_working.comparisons
        ],
        "summary_words": selection.unit.summary(figure_working.kind),
        "versions": [(name, version(name)) for name in LIBRARIES],
        "when": parameters["when"],
        "pairs_list": pairs_list,
        "page": page,
        "values": values_table(selection, figure_working, page.object_list, pairs_list),
        "topic_key": parameters["topic"],
        "measure_key": parameters["measure"],
    }
    return show(request, selection, ROUTE, "agreement/working.html", context, **parameters)


@require_safe
def ratings(request, slug):
    selection = get_selection(request, slug)
    return attached(ratings_csv(selection), CSV, f"{selection.collection.slug}-ratings.csv")
