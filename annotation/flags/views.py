"""Flags: what annotators want talked about, and what a lead answers."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from annotation.flags.access import get_flag_for_lead
from annotation.flags.actions import answer_flag
from annotation.flags.forms import FlagAnswerForm
from annotation.flags.reports import flag_rows
from annotation.models import FlagAnswer
from audit.refusals import Invalid, Refused
from datasets.access import get_membership
from datasets.models import Role

SAID = {
    FlagAnswer.Kind.REPLY: "Your reply is kept. It reaches the annotator once their seat is "
    "handed in.",
    FlagAnswer.Kind.DISCUSSED: "The flag is marked as discussed.",
    FlagAnswer.Kind.RULE: "The rule stands in a new version of the guidelines.",
}


@login_required
@require_safe
def flags(request, slug):
    member = get_membership(request.user, slug, Role.LEAD)
    return _show(request, member)


def _show(request, member, *, status=200, **refused):
    shown = "all" if request.GET.get("show") == "all" else "open"
    rows = flag_rows(collection=member.collection, user=request.user)
    open_rows = [row for row in rows if row.is_open or row.has(refused.get("refused"))]
    context = {
        "collection": member.collection,
        "member": member,
        "rows": rows if shown == "all" else open_rows,
        "shown": shown,
        "open_count": sum(row.is_open for row in rows),
        "count": len(rows),
        **refused,
    }
    return render(request, "annotation/flags/flags.html", context, status=status)


@login_required
@require_POST
def answer(request, public_id):
    rating = get_flag_for_lead(request.user, public_id)
    collection = rating.pair.topic.collection
    form = FlagAnswerForm(request.POST)
    try:
        if not form.is_valid():
            raise Invalid(form.sentence)
        given = answer_flag(rating=rating, by=request.user, **form.cleaned_data)
    except Refused as refused:
        member = get_membership(request.user, collection.slug, Role.LEAD)
        more = {"refused": rating.pk, "refusal": str(refused), "form": form}
        return _show(request, member, status=refused.status, **more)
    messages.success(request, SAID[given.kind])
    return redirect("annotation:flags", collection.slug)
