"""Flags: what annotators want talked about, and what a lead answers."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from accounts.listing import listing
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

# Each row has its ratings, its answers and a form.
PAGE_SIZE = 50


@login_required
@require_safe
def flags(request, slug):
    member = get_membership(request.user, slug, Role.LEAD)
    return _show(request, member)


def _show(request, member, *, status=200, **refused):
    shown = "all" if request.GET.get("show") == "all" else "open"
    rows = flag_rows(collection=member.collection, user=request.user)
    open_rows = [row for row in rows if row.is_open or row.has(refused.get("refused"))]
    shown_rows = rows if shown == "all" else open_rows
    parameters = _parameters(request, shown_rows, refused)
    searched = listing(shown_rows, parameters, text=_text_of, size=PAGE_SIZE)
    kept_fields = [("show", "all" if shown == "all" else "")]
    context = {
        "collection": member.collection,
        "member": member,
        "listing": searched,
        "rows": searched.page,
        "kept": kept_fields,
        "address": searched.address(**dict(kept_fields)),
        "shown": shown,
        "open_count": sum(row.is_open for row in rows),
        "count": len(rows),
        **refused,
    }
    return render(request, "annotation/flags/flags.html", context, status=status)


def _parameters(request, rows, refused):
    """Those of the address; after a refusal, the page on which the refused answer stands."""
    if not refused:
        return request.GET
    place = next((at for at, row in enumerate(rows) if row.has(refused["refused"])), 0)
    return {"page": str(place // PAGE_SIZE + 1)}


def _text_of(row):
    document = row.pair.document
    notes = " ".join(answer.rating.note for answer in row.ratings)
    return f"{document.title} {document.external_id} {row.query} {row.facet_name} {notes}"


@login_required
@require_POST
def answer(request, public_id):
    rating, member = get_flag_for_lead(request.user, public_id)
    form = FlagAnswerForm(request.POST)
    try:
        if not form.is_valid():
            raise Invalid(form.sentence)
        flag_answer = answer_flag(rating=rating, by=request.user, **form.cleaned_data)
    except Refused as refused:
        more = {"refused": rating.pk, "refusal": str(refused), "form": form}
        return _show(request, member, status=refused.status, **more)
    messages.success(request, SAID[flag_answer.kind])
    return redirect("annotation:flags", member.collection.slug)
