"""The page of time: the time spent on rating, and the time left."""

from django.views.decorators.http import require_safe

from agreement.pages.frame import get_selection, show
from agreement.subjects.time.figures import time_of
from agreement.subjects.time.given import RECENT_DAYS
from agreement.subjects.time.tables import makers_of
from datasets.models import Membership

ROUTE = "agreement:time"


@require_safe
def time(request, slug):
    selection = get_selection(request, slug)
    time_report = time_of(selection)
    members = Membership.objects.filter(collection=selection.collection)
    by_key = {member.pk: member for member in members.only("public_id", "name")}
    makers = makers_of(selection, request.GET, by_key)
    context = {
        "report": time_report,
        "tables": {key: make() for key, make in makers.items()},
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
