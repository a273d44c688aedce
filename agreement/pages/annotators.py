"""The page of annotators. Leads see names; whatever leaves the installation has pseudonyms."""

from django.views.decorators.http import require_safe

from agreement.pages.frame import Control, get_selection, show
from agreement.statistics import REGISTRY
from agreement.study.scales import measure_of
from agreement.subjects.annotators.figures import MEASURES, annotators_for, measures_between_two
from agreement.subjects.annotators.tables import makers_of
from agreement.tables.crossed import heat_key
from formats.grouping import grouped

ROUTE = "agreement:annotators"


@require_safe
def annotators(request, slug):
    selection = get_selection(request, slug)
    between_two = measures_between_two(selection.chosen.scale)
    measure = measure_of(request.GET, between_two, MEASURES)
    names = {member.pk: member.name for member in selection.choices.annotators.values()}
    report = annotators_for(selection, measure, names)
    makers = makers_of(selection, request.GET, names)
    context = {
        "report": report,
        "tables": {key: make() for key, make in makers.items()},
        "shades": heat_key(REGISTRY[measure].highest or 1.0),
        "no_drifts": _by_reason(report, names),
        "measure": measure,
        "measure_name": MEASURES[measure],
        "has_order": selection.chosen.scale.is_ordinal,
        "own_controls": [Control("measure", "Between two", list(between_two.items()), measure)],
    }
    return show(request, selection, ROUTE, "agreement/annotators.html", context, measure=measure)


def _by_reason(report, names):
    """[(why no drift is shown, names)]"""
    people = [person for person in report.people if person.no_drift]
    return list(grouped((person.no_drift, names[person.pk]) for person in people).items())
