"""The page of disagreements: their values and distances, and the adjudicator's decisions."""

from django.views.decorators.http import require_safe

from agreement.pages.frame import get_selection, show
from agreement.subjects.disagreements.figures import Outcome, disagreements_shown
from agreement.subjects.disagreements.tables import makers_of

ROUTE = "agreement:disagreements"


@require_safe
def disagreements(request, slug):
    selection = get_selection(request, slug)
    shown = disagreements_shown(selection)
    report, facet = shown.report, shown.facet
    outcomes = next(part.outcomes for part in shown.figures.parts if part.key == facet.key)
    makers = makers_of(selection, request.GET) if facet.before.topics else {}
    context = {
        "report": report,
        "facet": facet,
        "has_order": shown.scale.is_ordinal,
        "tables": {key: make() for key, make in makers.items()},
        "rest": [
            (outcome.value, outcomes.counts[outcome])
            for outcome in (Outcome.EXCLUDED, Outcome.RULE, Outcome.OPEN)
        ],
    }
    return show(request, selection, ROUTE, "agreement/disagreements.html", context)
