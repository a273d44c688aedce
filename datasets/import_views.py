"""The page on which a lead brings files into a collection."""

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.shortcuts import redirect, render
from django.template.defaultfilters import filesizeformat
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_http_methods

from datasets import uploads
from datasets.access import get_membership
from datasets.import_forms import CsfcubeForm
from datasets.models import Import, Role
from jobs.actions import enqueue
from jobs.models import Job

JOB_KIND = "import-csfcube"


# Exempt only until the size is known: the check for the token reads the whole body.
@csrf_exempt
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def import_data(request, slug):
    member = get_membership(request.user, slug, Role.LEAD)
    if request.method != "POST":
        return _page(request, member, CsfcubeForm())
    size = int(request.META.get("CONTENT_LENGTH") or 0)
    if size > settings.FACETWISE_MAX_UPLOAD:
        return _page(request, member, CsfcubeForm(), too_large=size, status=413)
    return _start(request, member)


@csrf_protect
def _start(request, member):
    form = CsfcubeForm(request.POST, request.FILES)
    if not form.is_valid():
        return _page(request, member, form, status=422)
    token = uploads.keep(form.cleaned_data["files"])
    job = enqueue(
        kind=JOB_KIND,
        params={"upload": token, "with_ratings": form.cleaned_data["with_ratings"]},
        by=request.user,
        collection=member.collection.public_id,
    )
    return redirect(job)


def _page(request, member, form, *, too_large=0, status=200):
    collection = member.collection
    context = {
        "member": member,
        "collection": collection,
        "form": form,
        "max_upload": settings.FACETWISE_MAX_UPLOAD,
        "too_large": too_large and filesizeformat(too_large),
        "imports": collection.imports.filter(state=Import.State.ACTIVE).select_related(
            "created_by"
        )[:20],
        "jobs": Job.objects.visible_to(request.user)
        .active()
        .filter(collection=collection.public_id, kind=JOB_KIND),
    }
    return render(request, "datasets/import.html", context, status=status)
