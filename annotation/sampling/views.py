"""Drawing samples: seen first, then drawn as it was seen."""

import secrets

from django.contrib import messages
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from annotation.models import Batch
from annotation.sampling.actions import draw_sample
from annotation.sampling.drawing import strata
from annotation.sampling.forms import PRESETS, SampleForm
from annotation.sampling.strata import By, drawable_pairs
from audit.refusals import Refused
from datasets.access import get_membership, of_member
from datasets.models import Role


@require_http_methods(["GET", "HEAD", "POST"])
def samples(request, slug):
    """GET shows what a choice would draw, by its address; POST draws it."""
    member = get_membership(request.user, slug, Role.LEAD)
    collection = member.collection
    if request.method != "POST":
        return _page(request, member, _chosen(request, collection))
    form = SampleForm(request.POST)
    if not form.is_valid():
        return _page(request, member, form, status=422)
    try:
        drawn = draw_sample(collection=collection, by=request.user, **form.cleaned_data)
    except Refused as refused:
        form.add_error(None, str(refused))
        return _page(request, member, form, status=refused.status)
    size = form.cleaned_data["size"]
    batches = "one batch" if len(drawn) == 1 else f"{len(drawn):,} batches"
    messages.success(request, f"{size:,} pairs drawn into {batches}. Give their seats below.")
    if len(drawn) == 1:
        return redirect("annotation:batch", drawn[0].public_id)
    return redirect("annotation:assign", slug)


def _chosen(request, collection):
    """The form as the address fills it: from a preset, from its own fields, or not at all."""
    scheme = collection.scheme
    usual = {
        "overlap": scheme.overlap,
        "stratify": By.NOTHING,
        "parts": 1,
        "way": Batch.Way.BY_TOPIC,
        "seed": str(secrets.randbelow(10**8)),
    }
    preset = PRESETS.get(request.GET.get("preset", ""))
    if preset:
        return SampleForm(usual | preset)
    if request.GET:
        return SampleForm(request.GET)
    return SampleForm(initial=usual)


def _page(request, member, form, *, status=200):
    collection = member.collection
    is_complete = form.is_bound and form.is_valid()
    stratify = By(form.cleaned_data["stratify"]) if is_complete else By.NOTHING
    pairs = drawable_pairs(collection, stratify)
    size = form.cleaned_data["size"] if is_complete else 0
    context = {
        **of_member(member),
        "form": form,
        "presets": PRESETS.items(),
        "waiting": len(pairs),
        "size": size,
        "is_drawable": 1 <= size <= len(pairs),
        "is_stratified": stratify != By.NOTHING,
        "strata": strata(pairs, size) if 1 <= size <= len(pairs) else [],
        "samples": Batch.objects.filter(collection=collection, drawn__isnull=False),
    }
    return render(request, "annotation/samples.html", context, status=status)
