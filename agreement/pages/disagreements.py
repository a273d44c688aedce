"""Where raters part, by how much, and what the adjudicator did with it."""

from django.contrib.auth.decorators import login_required
from django.views.decorators.http import require_safe

from agreement.pages import charts
from agreement.pages.frame import ask, show
from agreement.subjects.disagreements.figures import DECIDED, Outcome, disagreements_asked

ROUTE = "agreement:disagreements"


@login_required
@require_safe
def disagreements(request, slug):
    asked = ask(request, slug)
    asks = disagreements_asked(asked)
    report, facet, found = asks.report, asks.facet, asks.found
    context = {
        "report": report,
        "facet": facet,
        "found": found,
        "rest": [
            (
                outcome.value,
                next(p for p in found.parts if p.key == facet.key).outcomes.counts[outcome],
            )
            for outcome in (Outcome.EXCLUDED, Outcome.RULE, Outcome.OPEN)
        ],
        "decided_words": [outcome.value for outcome in DECIDED],
        "other_words": [Outcome.EXCLUDED, Outcome.RULE, Outcome.OPEN],
        "confusion": charts.heat_table(found.confusion.tolist(), report.scale.names),
        "scale": report.scale.names,
        "distances": [f"{distance:g}" for distance in asks.distances],
        "bars": [
            (part, charts.distance_bar(part.disagreement, asks.distances)) for part in found.parts
        ],
        "outcome_bars": [(part, charts.outcome_bar(part.outcomes)) for part in found.parts],
    }
    return show(request, asked, ROUTE, "agreement/disagreements.html", context)
