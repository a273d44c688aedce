"""How each annotator rates. Leads see names; whatever leaves the house has pseudonyms."""

from dataclasses import dataclass

from django.contrib.auth.decorators import login_required
from django.views.decorators.http import require_safe

from agreement.pages import charts
from agreement.pages.frame import Control, get_selection, one_of, show
from agreement.statistics import REGISTRY
from agreement.subjects.annotators.figures import MEASURES, Annotator, Two, annotators_for

ROUTE = "agreement:annotators"


@dataclass(frozen=True)
class Row:
    """A person with their cells of the matrix; None on the diagonal and where nothing is shared."""

    name: str
    key: str  # the pseudonym, by which lists are named
    person: Annotator
    cells: list[tuple[str, Two | None, str, str]]
    times: charts.TimeBox | None


@login_required
@require_safe
def annotators(request, slug):
    selection = get_selection(request, slug)
    measure = one_of(request, "measure", MEASURES)
    names = {member.pk: member.name for member in selection.choices.annotators.values()}
    keys = {member.pk: key for key, member in selection.choices.annotators.items()}
    annotators_report = annotators_for(selection, measure, names)
    highest = REGISTRY[measure].highest or 1.0
    longest = max(
        (person.times.upper for person in annotators_report.people if person.times), default=0
    )
    rows = [
        Row(
            names[person.pk],
            keys[person.pk],
            person,
            [
                (
                    names[other.pk],
                    two,
                    charts.heat_of(two, highest) if two else "",
                    f"{keys[person.pk]},{keys[other.pk]}",
                )
                for other in annotators_report.people
                for two in [annotators_report.matrix.get((person.pk, other.pk))]
            ],
            charts.time_box(person.times, longest) if person.times else None,
        )
        for person in annotators_report.people
    ]
    reach = max(
        (
            abs(person.leniency)
            for person in annotators_report.people
            if person.leniency is not None
        ),
        default=0,
    )
    context = {
        "found": annotators_report,
        "rows": rows,
        "shades": charts.heat_key(highest),
        "leniency_axis": charts.plain_axis(-reach, reach),
        "time_axis": charts.plain_axis(0, longest / 0.96, " s"),
        "has_times": any(row.times for row in rows),
        "leniencies": {
            person.pk: charts.leniency_bar(person.leniency, reach)
            for person in annotators_report.people
            if person.leniency is not None
        },
        "drifts": [
            (row.name, charts.drift_points(row.person.tenths)) for row in rows if row.person.tenths
        ],
        "no_drifts": _by_reason(rows),
        "measure": measure,
        "measure_name": MEASURES[measure],
        "own_controls": [Control("measure", "Between two", list(MEASURES.items()), measure)],
    }
    return show(request, selection, ROUTE, "agreement/annotators.html", context, measure=measure)


def _by_reason(rows):
    """[(why no drift is shown, names)]"""
    reasons = {}
    for row in rows:
        if row.person.no_drift:
            reasons.setdefault(row.person.no_drift, []).append(row.name)
    return list(reasons.items())
