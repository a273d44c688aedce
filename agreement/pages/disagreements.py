"""Where raters part, by how much, and what the adjudicator did with it."""

from django.contrib.auth.decorators import login_required
from django.views.decorators.http import require_safe

from agreement.pages import charts
from agreement.pages.frame import get_selection, show
from agreement.subjects.disagreements.figures import DECIDED, Outcome, disagreements_shown

ROUTE = "agreement:disagreements"


@login_required
@require_safe
def disagreements(request, slug):
    selection = get_selection(request, slug)
    shown = disagreements_shown(selection)
    report, facet, figures = shown.report, shown.facet, shown.found
    context = {
        "report": report,
        "facet": facet,
        "found": figures,
        "rest": [
            (
                outcome.value,
                next(p for p in figures.parts if p.key == facet.key).outcomes.counts[outcome],
            )
            for outcome in (Outcome.EXCLUDED, Outcome.RULE, Outcome.OPEN)
        ],
        "decided_words": [outcome.value for outcome in DECIDED],
        "other_words": [Outcome.EXCLUDED, Outcome.RULE, Outcome.OPEN],
        "confusion": charts.heat_table(figures.confusion.tolist(), report.scale.names),
        "scale": report.scale.names,
        "distances": [f"{distance:g}" for distance in shown.distances],
        "bars": [
            (part, charts.distance_bar(part.disagreement, shown.distances))
            for part in figures.parts
        ],
        "outcome_bars": [(part, charts.outcome_bar(part.outcomes)) for part in figures.parts],
    }
    return show(request, selection, ROUTE, "agreement/disagreements.html", context)
