"""How long rating takes, and how much of it is left."""

from django.contrib.auth.decorators import login_required
from django.views.decorators.http import require_safe

from agreement.pages import charts
from agreement.pages.frame import ask, show
from agreement.subjects.time.figures import RECENT_DAYS, time_of
from datasets.models import Membership

ROUTE = "agreement:time"


@login_required
@require_safe
def time(request, slug):
    asked = ask(request, slug)
    found = time_of(asked)
    names = dict(Membership.objects.filter(collection=asked.collection).values_list("pk", "name"))
    longest = max(
        ((one.spent.hours or 0) + (one.forecast.hours or 0) for one in found.people), default=0
    )
    context = {
        "found": found,
        "rows": [
            (names[one.pk], one, charts.hours_bar(one, longest) if longest else None)
            for one in found.people
        ],
        "has_bars": bool(longest),
        "adjudicators": [(names[one.pk], one) for one in found.adjudicators],
        "periods": [one for one in found.periods if one.answers or one.decisions],
        "plot": charts.periods_plot(found.periods),
        "today": asked.everything.read_at.date(),
        "recent_days": RECENT_DAYS,
        "chooses_by_rating": bool(
            asked.filters.annotator
            or asked.filters.since
            or asked.filters.until
            or asked.filters.version
        ),
    }
    return show(request, asked, ROUTE, "agreement/time.html", context)
