"""The page of pools: their contents, and the relevance of what each source brought in."""

from django.views.decorators.http import require_safe

from agreement.pages.frame import get_selection, relevance_control, show
from agreement.subjects.pool.figures import pool_of
from agreement.subjects.pool.tables import makers_of

ROUTE = "agreement:pool"


@require_safe
def pool(request, slug):
    selection = get_selection(request, slug)
    report = pool_of(selection, request.GET)
    context = {
        "report": report,
        "tables": {key: make() for key, make in makers_of(selection, request.GET).items()},
        "not_yet": report.done.not_yet,
        "own_controls": [relevance_control(report.relevance)],
    }
    relevant = request.GET.get("relevant", "")
    return show(request, selection, ROUTE, "agreement/pool.html", context, relevant=relevant)
