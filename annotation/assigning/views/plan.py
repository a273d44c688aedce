"""The balanced plan: shown first, applied as it was shown."""

from django.contrib import messages
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from annotation.assigning.actions.assign import apply_plan
from annotation.assigning.plan import placements_of, propose
from audit.refusals import Invalid, Refused
from datasets.access import get_membership, of_member
from datasets.models import Role
from formats.words import counted


@require_http_methods(["GET", "HEAD", "POST"])
def plan(request, slug):
    member = get_membership(request.user, slug, Role.LEAD)
    error, status = "", 200
    parameters = request.POST if "chosen" in request.POST else request.GET
    if "plan" in request.POST:
        try:
            assignments = placements_of(member, _read(request.POST.get("plan", "")))
            apply_plan(assignments=assignments, by=request.user)
        except Refused as refused:
            error, status = str(refused), refused.status
        else:
            seats = counted(len(assignments), "seat")
            where = "Nobody is mailed: people see on their home page what is theirs."
            messages.success(request, f"{seats} assigned. {where}")
            return redirect("annotation:assign", slug)
    proposal = propose(
        member,
        # At first the usual people; whom the lead ticked after that, even if it is nobody.
        chosen_people=set(parameters.getlist("person")) if "chosen" in parameters else None,
        chosen_batches=set(parameters.getlist("batch")) or None,
    )
    context = {
        **of_member(member),
        "proposal": proposal,
        "plan": " ".join(f"{seat.public_id}:{to.public_id}" for seat, to in proposal.placements),
        "error": error,
    }
    return render(request, "annotation/plan.html", context, status=status)


def _read(text):
    """[(seat, member)] from `seat:member seat:member`, public ids, as the page sends it."""
    try:
        return [(seat, member) for seat, member in (entry.split(":") for entry in text.split())]
    except ValueError:
        raise Invalid("The plan cannot be read. Nothing was assigned.") from None
