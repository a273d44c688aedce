"""The balanced plan: shown first, applied as it was shown."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from annotation.assigning.actions.assign import apply_plan
from annotation.assigning.plan import propose
from annotation.assigning.seats import assignable_members
from annotation.models import Batch, Seat
from audit.refusals import Invalid, Refused
from datasets.access import get_membership
from datasets.models import Role


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def plan(request, slug):
    member = get_membership(request.user, slug, Role.LEAD)
    error, status = "", 200
    given = request.POST if "chosen" in request.POST else request.GET
    if "plan" in request.POST:
        try:
            assignments = _read(request.POST.get("plan", ""), member.collection)
            apply_plan(assignments=assignments, by=request.user)
        except Refused as refused:
            error, status = str(refused), refused.status
        else:
            seats = "seat" if len(assignments) == 1 else "seats"
            messages.success(request, f"{len(assignments):,} {seats} assigned.")
            return redirect("annotation:assign", slug)
    proposal = propose(member, _choice(given, member.collection), in_plan=_batch_choice(given))
    context = {
        "collection": member.collection,
        "member": member,
        "proposal": proposal,
        "plan": " ".join(f"{seat.public_id}:{to.public_id}" for seat, to in proposal.placements),
        "error": error,
    }
    return render(request, "annotation/plan.html", context, status=status)


def _batch_choice(given):
    """Which batches the lead ticked; all where none is."""
    ticked = set(given.getlist("batch"))
    return lambda batch: not ticked or str(batch.public_id) in ticked


def _choice(given, collection):
    """Whom the lead ticked. At first all whose only work is to rate, if they are enough: who
    adjudicates as well may not decide what they rated, and a lead who rates sees less."""
    if "chosen" in given:
        ticked = set(given.getlist("person"))
        return lambda member: str(member.public_id) in ticked

    def only_rates(member):
        return not (member.is_adjudicator or member.is_lead)

    raters = [member for member in assignable_members(collection) if only_rates(member)]
    return only_rates if len(raters) >= collection.scheme.overlap else lambda member: True


def _read(text, collection):
    """[(seat, member)] from `seat:member seat:member`, public ids, as the page sends it."""
    batches = Batch.objects.filter(collection=collection)
    seats = Seat.objects.filter(batch__in=batches).select_related("batch")
    seat_of = {str(seat.public_id): seat for seat in seats}
    member_of = {str(member.public_id): member for member in assignable_members(collection)}
    try:
        entries = [entry.split(":") for entry in text.split()]
        assignments = [(seat_of[seat], member_of[member]) for seat, member in entries]
    except (KeyError, ValueError):
        raise Invalid(
            "Somebody in this plan is no annotator any more. Nothing was assigned; look at the "
            "new plan."
        ) from None
    if not assignments:
        raise Invalid("The plan assigns no seat.")
    return assignments
