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
                one,
                charts.heat_table(one.crossed.counts.tolist(), scale),
                charts.crossed_bar(one.crossed),
            )
            for one in report.together
        ],
        "page": page,
        "crossings": [
            (
                one,
                charts.heat_table(one.crossed.counts.tolist(), scale) if one.crossed else [],
                selection.filters.address(query=one.query, relevant=given),
            )
            for one in page.object_list
        ],
        "gold_bars": [(one, charts.grade_bar(one.counts)) for one in report.gold],
        "rated_bars": [(one, charts.grade_bar(one.counts)) for one in report.rated],
        "not_yet": report.done.not_yet,
        "own_controls": [relevance_control(report.relevance)] if report.crossings else [],
    }
    return show(request, selection, ROUTE, "agreement/facets.html", context, relevant=given)
