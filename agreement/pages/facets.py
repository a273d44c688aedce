"""Whether relevance depends on the facet, and how grades spread over each."""

from django.views.decorators.http import require_safe

from agreement.pages.frame import get_selection, page_of, relevance_control, show
from agreement.subjects.facets.figures import facets_of
from agreement.subjects.facets.tables import makers_of

ROUTE = "agreement:facets"


@require_safe
def facets(request, slug):
    selection = get_selection(request, slug)
    report = facets_of(selection, request.GET)
    relevant = request.GET.get("relevant", "")
    page = page_of(request, report.crossings)
    makers = makers_of(selection, request.GET, page.object_list)
    context = {
        "report": report,
        "tables": {key: make() for key, make in makers.items()},
        "together": [(two, makers[two.key]()) for two in report.together],
        "page": page,
        "not_yet": report.done.not_yet,
        "own_controls": [relevance_control(report.relevance)] if report.crossings else [],
    }
    return show(request, selection, ROUTE, "agreement/facets.html", context, relevant=relevant)
