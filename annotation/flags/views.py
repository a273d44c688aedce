"""Flags: what annotators want talked about, and what a lead answers."""

from django.contrib import messages
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from accounts.listing import listing
from annotation.access import get_flag_for_lead
from annotation.flags.actions import answer_flag
from annotation.flags.forms import FlagAnswerForm
from annotation.flags.reports import flag_rows, listed_flags, text_of_flags
from annotation.models import FlagAnswer
from audit.refusals import Refused
from datasets.access import get_membership, of_member
from datasets.models import Role

SAID = {
    FlagAnswer.Kind.REPLY: "Your reply is kept. It reaches the annotator once their seat is "
    "handed in.",
    FlagAnswer.Kind.DISCUSSED: "The flag is marked as discussed.",
    FlagAnswer.Kind.RULE: "The rule stands in a new version of the guidelines.",
}

# Each row has its ratings, its answers and a form.
PAGE_SIZE = 50


@require_safe
def flags(request, slug):
    return _show(request, get_membership(request.user, slug, Role.LEAD))


def _show(request, member, *, refused=None, status=200, **refusal):
    """The list; where an answer to the rating `refused` was refused, the page with its flag."""
    shown = "all" if request.GET.get("show") == "all" else "open"
    subject = {"collection": member.collection, "user": request.user}
    listed = listed_flags(**subject)
    wanted = [flag for flag in listed if shown == "all" or flag.is_open or refused in flag.ratings]
    parameters = request.GET
    if refused:
        places = (at for at, flag in enumerate(wanted) if refused in flag.ratings)
        parameters = {"page": str(next(places, 0) // PAGE_SIZE + 1)}
    text = text_of_flags(**subject) if parameters.get("words") else str
    searched = listing(wanted, parameters, text=text, size=PAGE_SIZE)
    # What was said of a pair is read for those on the page.
    page = searched.page
    page.object_list = flag_rows(**subject, pairs=[flag.pair for flag in page])
    context = {
        **of_member(member),
        **searched.context(show="all" if shown == "all" else ""),
        "rows": page,
        "shown": shown,
        "open_count": sum(flag.is_open for flag in listed),
        "count": len(listed),
        "refused": refused,
        **refusal,
    }
    return render(request, "annotation/flags/flags.html", context, status=status)


@require_POST
def answer(request, public_id):
    rating, member = get_flag_for_lead(request.user, public_id)
    form = FlagAnswerForm(request.POST)
    try:
        flag_answer = answer_flag(rating=rating, by=request.user, **form.checked())
    except Refused as refused:
        more = {"refusal": str(refused), "form": form, "status": refused.status}
        return _show(request, member, refused=rating.pk, **more)
    messages.success(request, SAID[flag_answer.kind])
    return redirect("annotation:flags", member.collection.slug)
