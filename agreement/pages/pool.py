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
        "sources": [(source, charts.grade_bar(source.brought.counts)) for source in report.sources],
        "alone": [(source, charts.grade_bar(source.alone.counts)) for source in report.by_loss],
        "every_bar": charts.grade_bar(report.every.counts),
        "cited": [
            (part.name, [(*line, charts.grade_bar(line[1].counts)) for line in part.both])
            for part in report.cited
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
