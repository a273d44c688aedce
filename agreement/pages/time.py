"""How long rating takes, and how much of it is left."""

from datetime import timedelta

from django.contrib.auth.decorators import login_required
from django.views.decorators.http import require_safe

from agreement.pages import charts
from agreement.pages.frame import get_selection, show
from agreement.subjects.time.figures import RECENT_DAYS, time_of
from datasets.models import Membership
from datasets.pseudonyms import pseudonym

ROUTE = "agreement:time"


@login_required
@require_safe
def time(request, slug):
    selection = get_selection(request, slug)
    time_report = time_of(selection)
    members = list(
        Membership.objects.filter(collection=selection.collection).only("public_id", "name")
    )
    names = {member.pk: member.name for member in members}
    keys = {member.pk: pseudonym(selection.collection, member) for member in members}
    longest = max(
        ((person.spent.hours or 0) + (person.forecast.hours or 0) for person in time_report.people),
        default=0,
    )
    length = timedelta(days=6 if time_report.by_week else 0)
    context = {
        "found": time_report,
        "rows": [
            (
                names[person.pk],
                keys[person.pk],
                person,
                charts.hours_bar(person, longest) if longest else None,
            )
            for person in time_report.people
        ],
        "axis": charts.plain_axis(0, longest, " h"),
        "has_bars": bool(longest),
        "adjudicators": [
            (names[adjudicator.pk], keys[adjudicator.pk], adjudicator)
            for adjudicator in time_report.adjudicators
        ],
        "periods": [
            (period, f"{period.start},{period.start + length}")
            for period in time_report.periods
            if period.answers or period.decisions
        ],
        "plot": charts.periods_plot(time_report.periods),
        "today": selection.everything.read_at.date(),
        "recent_days": RECENT_DAYS,
        "chooses_by_rating": bool(
            selection.filters.annotator
            or selection.filters.since
            or selection.filters.until
            or selection.filters.version
        ),
    }
    return show(request, selection, ROUTE, "agreement/time.html", context)
