"""Whether relevance depends on the facet, and how grades spread over each."""

from django.contrib.auth.decorators import login_required
from django.views.decorators.http import require_safe

from agreement.pages import charts
from agreement.pages.frame import get_selection, page_of, relevance_control, show
from agreement.study.filters import ALL
from agreement.subjects.facets.figures import facets_of

ROUTE = "agreement:facets"


@login_required
@require_safe
def facets(request, slug):
    selection = get_selection(request, slug)
    report = facets_of(selection, request.GET)
    scale = report.relevance.scale.names
    given = request.GET.get("relevant", "")
    page = page_of(request, report.crossings)
    context = {
        "report": report,
        "scale": scale,
        "shades": list(zip(scale, charts.grade_shades(len(scale)), strict=True)),
        "chosen": "" if selection.filters.facet == ALL else selection.filters.facet,
        "together": [
            (
                two,
                charts.heat_table(two.crossed.counts.tolist(), scale),
                charts.crossed_bar(two.crossed),
            )
            for two in report.together
        ],
        "page": page,
        "crossings": [
            (
                crossing,
                charts.heat_table(crossing.crossed.counts.tolist(), scale)
                if crossing.crossed
                else [],
                selection.filters.address(query=crossing.query, relevant=given),
            )
            for crossing in page.object_list
        ],
        "gold_bars": [(graded, charts.grade_bar(graded.counts)) for graded in report.gold],
        "rated_bars": [(graded, charts.grade_bar(graded.counts)) for graded in report.rated],
        "not_yet": report.done.not_yet,
        "own_controls": [relevance_control(report.relevance)] if report.crossings else [],
    }
    return show(request, selection, ROUTE, "agreement/facets.html", context, relevant=given)
