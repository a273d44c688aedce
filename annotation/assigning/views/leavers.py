"""All open seats of somebody who leaves, given to another or freed."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from annotation.assigning.actions.hand_over import hand_over as hand_seats_over
from annotation.assigning.actions.hand_over import open_seats
from annotation.assigning.forms import HandOverForm
from annotation.assigning.seats import assignable_members
from audit.refusals import Refused
from datasets.access import get_membership
from datasets.models import Membership, Role


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def hand_over(request, slug, public_id):
    member = get_membership(request.user, slug, Role.LEAD)
    people = Membership.objects.filter(collection=member.collection)
    holder = people.filter(public_id=public_id).first()
    if holder is None:
        raise Http404("There is no such member.")
    others = [
        candidate
        for candidate in assignable_members(member.collection)
        if candidate.pk != holder.pk
    ]
    form = HandOverForm(request.POST or None, people=others)
    left, status = [], 200
    if request.method == "POST":
        status = 422
        if form.is_valid():
            try:
                done = hand_seats_over(
                    holder=holder,
                    to=form.chosen,
                    by=request.user,
                    reason=form.cleaned_data["reason"],
                )
            except Refused as refused:
                form.add_error(None, str(refused))
            else:
                to = f"to {form.chosen}" if form.chosen else "back, and nobody holds them"
                if done.seats:
                    count = len(done.seats)
                    messages.success(
                        request, f"{count:,} seat{'s' if count > 1 else ''} given {to}."
                    )
                if not done.left:
                    return redirect("annotation:assign", slug)
                left, status = done.left, 200
    context = {
        "collection": member.collection,
        "member": member,
        "holder": holder,
        "seats": open_seats(holder=holder, seen_by=request.user),
        "form": form,
        "left": left,
    }
    return render(request, "annotation/hand_over.html", context, status=status)
