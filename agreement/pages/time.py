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
    found = time_of(selection)
    members = list(
        Membership.objects.filter(collection=selection.collection).only("public_id", "name")
    )
    names = {member.pk: member.name for member in members}
    keys = {member.pk: pseudonym(selection.collection, member) for member in members}
    longest = max(
        ((one.spent.hours or 0) + (one.forecast.hours or 0) for one in found.people), default=0
    )
    context = {
        "found": found,
        "rows": [
            (names[one.pk], keys[one.pk], one, charts.hours_bar(one, longest) if longest else None)
            for one in found.people
        ],
        "axis": charts.plain_axis(0, longest, " h"),
        "has_bars": bool(longest),
        "adjudicators": [(names[one.pk], keys[one.pk], one) for one in found.adjudicators],
        "periods": [
            (one, f"{one.start},{one.start + timedelta(days=6 if found.by_week else 0)}")
            for one in found.periods
            if one.answers or one.decisions
        ],
        "plot": charts.periods_plot(found.periods),
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
