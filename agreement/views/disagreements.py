"""Where raters part, by how much, and what the adjudicator did with it."""

from django.contrib.auth.decorators import login_required
from django.views.decorators.http import require_safe

from agreement import charts
from agreement.reports.disagreements import DECIDED, Outcome, disagreements_of
from agreement.reports.overview import rows_chosen
from agreement.reports.table import report_of
from agreement.reports.uncertainty import rows_of
from agreement.statistics import disagreement_in_all
from agreement.views.frame import ask, show

ROUTE = "agreement:disagreements"


@login_required
@require_safe
def disagreements(request, slug):
    asked = ask(request, slug)
    report = report_of(asked.collection, asked.of_all_facets, asked.filters)
    facet, _ = rows_chosen(asked, report)
    rows = rows_of(report)
    wording = asked.collection.scheme.current.wording
    found = disagreements_of(
        report.before,
        [(row.key, row.name, row.disagreement) for row in rows],
        facet=facet.key,
        causes={cause["key"]: cause["name"] for cause in wording.get("causes", [])},
    )
    distances = sorted(disagreement_in_all(row.disagreement for row in rows).by_distance)
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
        "distances": [f"{distance:g}" for distance in distances],
        "bars": [(part, charts.distance_bar(part.disagreement, distances)) for part in found.parts],
        "outcome_bars": [(part, charts.outcome_bar(part.outcomes)) for part in found.parts],
    }
    return show(request, asked, ROUTE, "agreement/disagreements.html", context)
