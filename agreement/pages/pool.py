"""What the pools hold, and how relevant it was what each source brought in."""

from django.contrib.auth.decorators import login_required
from django.views.decorators.http import require_safe

from agreement.pages import charts
from agreement.pages.frame import get_selection, relevance_control, show
from agreement.subjects.pool.figures import Spread, pool_of

ROUTE = "agreement:pool"


@login_required
@require_safe
def pool(request, slug):
    selection = get_selection(request, slug)
    report = pool_of(selection, request.GET)
    scale = report.relevance.scale.names
    context = {
        "report": report,
        "scale": scale,
        "from_grade": f"{report.relevance.name}+",
        "shades": list(zip(scale, charts.grade_shades(len(scale)), strict=True)),
        "sources": [(one, charts.grade_bar(one.brought.counts)) for one in report.sources],
        "alone": [(one, charts.grade_bar(one.alone.counts)) for one in report.by_loss],
        "every_bar": charts.grade_bar(report.every.counts),
        "cited": [
            (one.name, [(*line, charts.grade_bar(line[1].counts)) for line in one.both])
            for one in report.cited
        ],
        "table": [
            (words, [(isinstance(cell, Spread), cell) for cell in cells])
            for words, cells in report.table
        ],
        "not_yet": report.done.not_yet,
        "own_controls": [relevance_control(report.relevance)],
    }
    given = request.GET.get("relevant", "")
    return show(request, selection, ROUTE, "agreement/pool.html", context, relevant=given)
