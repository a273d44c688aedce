"""All open seats of somebody who leaves, given to another or freed."""

from django.contrib import messages
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods

from accounts.outcomes import refusal_in
from annotation.assigning.actions.hand_over import hand_over as hand_seats_over
from annotation.assigning.actions.hand_over import open_seats
from annotation.assigning.forms import HandOverForm
from annotation.assigning.seats import assignable_members
from datasets.access import get_membership, of_member
from datasets.models import Membership, Role
from formats.words import counted


@require_http_methods(["GET", "HEAD", "POST"])
def hand_over(request, slug, public_id):
    member = get_membership(request.user, slug, Role.LEAD)
    holder = get_object_or_404(Membership, collection=member.collection, public_id=public_id)
    others = [
        candidate
        for candidate in assignable_members(member.collection)
        if candidate.pk != holder.pk
    ]
    form = HandOverForm(request.POST or None, people=others)
    done = None
    if form.is_valid():
        with refusal_in(form):
            done = _hand_over(request, form, holder)
    if done and not done.kept_seats:
        return redirect("annotation:assign", slug)
    context = {
        **of_member(member),
        "holder": holder,
        "seats": open_seats(holder=holder, seen_by=request.user),
        "form": form,
        "kept_seats": done.kept_seats if done else [],
    }
    status = 422 if request.method == "POST" and done is None else 200
    return render(request, "annotation/hand_over.html", context, status=status)


def _hand_over(request, form, holder):
    """The seats that changed hands and those that could not."""
    to, reason = form.chosen, form.cleaned_data["reason"]
    done = hand_seats_over(holder=holder, to=to, by=request.user, reason=reason)
    if count := len(done.seats):
        whither = f"to {to}" if to else "back, and nobody holds them"
        messages.success(request, f"{counted(count, 'seat')} given {whither}.")
    return done
