"""A sample that was drawn elsewhere, such as a published one: its pairs by their identifiers."""

from django.contrib import messages
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from annotation.sampling.elsewhere.actions import hand_out_chosen
from annotation.sampling.elsewhere.forms import GivenPairsForm
from audit.refusals import Refused
from datasets.access import get_membership, of_member
from datasets.models import Role


@require_http_methods(["GET", "HEAD", "POST"])
def given_pairs(request, slug):
    member = get_membership(request.user, slug, Role.LEAD)
    collection = member.collection
    status = 200
    form = GivenPairsForm(initial={"overlap": collection.scheme.overlap})
    if request.method == "POST":
        form = GivenPairsForm(request.POST)
        status = 422
        if form.is_valid():
            try:
                batch = hand_out_chosen(collection=collection, by=request.user, **form.cleaned_data)
            except Refused as refused:
                form.add_error("pairs", str(refused))
                status = refused.status
            else:
                messages.success(request, f"{batch} is made. Give its seats below.")
                return redirect("annotation:batch", batch.public_id)
    context = of_member(member) | {"form": form}
    return render(request, "annotation/given.html", context, status=status)
