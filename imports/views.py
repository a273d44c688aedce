"""The page on which a lead brings files into a collection."""

from dataclasses import dataclass

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.shortcuts import redirect, render
from django.template.defaultfilters import filesizeformat
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_http_methods

from datasets import uploads
from datasets.access import get_membership
from datasets.models import Import, Role
from imports.forms import CsfcubeForm, DorisMaeForm
from jobs.actions import enqueue
from jobs.models import Job


@dataclass(frozen=True)
class Kind:
    """One form of files that can be imported; `key` also tells its job and its command."""

    key: str
    name: str
    form: type
    source: str  # the argument of its command

    @property
    def job_kind(self):
        return f"import-{self.key}"

    @property
    def command(self):
        return f"python manage.py import_{self.key.replace('-', '_')} {self.source}"


KINDS = {
    kind.key: kind
    for kind in [
        Kind("csfcube", "CSFCube release", CsfcubeForm, "FOLDER"),
        Kind("doris-mae", "DORIS-MAE file", DorisMaeForm, "FILE"),
    ]
}


# Exempt only until the size is known: the check for the token reads the whole body.
@csrf_exempt
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def import_data(request, slug):
    member = get_membership(request.user, slug, Role.LEAD)
    kind = KINDS.get(request.GET.get("kind")) or _usual_kind(member.collection)
    if request.method != "POST":
        return _page(request, member, kind, kind.form())
    size = uploads.size_of(request)
    if size > settings.FACETWISE_MAX_UPLOAD:
        return _page(request, member, kind, kind.form(), too_large=size, status=413)
    return _start(request, member, kind)


def _usual_kind(collection):
    """What the collection's scheme is for: aspects of queries, or facets of papers."""
    # Schemes are a floor above; the reverse relation is known here without importing them.
    scheme = getattr(collection, "scheme", None)
    judges_aspects = scheme is not None and not scheme.facets.exists()
    return KINDS["doris-mae" if judges_aspects else "csfcube"]


@csrf_protect
def _start(request, member, kind):
    form = kind.form(request.POST, request.FILES)
    if not form.is_valid():
        return _page(request, member, kind, form, status=422)
    token = uploads.keep(form.cleaned_data["files"])
    job = enqueue(
        kind=kind.job_kind,
        params={"upload": token, **form.options},
        by=request.user,
        collection=member.collection.public_id,
    )
    return redirect(job)


def _page(request, member, kind, form, *, too_large=0, status=200):
    collection = member.collection
    context = {
        "member": member,
        "collection": collection,
        "form": form,
        "kind": kind,
        "kinds": KINDS.values(),
        "max_upload": settings.FACETWISE_MAX_UPLOAD,
        "too_large": too_large and filesizeformat(too_large),
        "imports": collection.imports.filter(state=Import.State.ACTIVE).select_related(
            "created_by"
        )[:20],
        "jobs": Job.objects.visible_to(request.user)
        .active()
        .filter(
            collection=collection.public_id,
            kind__in=[kind.job_kind for kind in KINDS.values()],
        ),
    }
    return render(request, "imports/page.html", context, status=status)
