"""The page on which a lead makes exports and downloads them."""

from django.http import FileResponse, Http404
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from datasets.access import get_membership, of_member
from datasets.models import Role
from jobs.actions import enqueue
from jobs.models import Job
from releases.access import get_export, visible_exports
from releases.checks import checks
from releases.differences import beside_earlier
from releases.formats.registry import GRADED
from releases.forms import ExportForm

JOB_KIND = "export"
SHOWN_EXPORTS = 50
CONTENT_TYPES = {
    "txt": "text/plain; charset=utf-8",
    "csv": "text/csv; charset=utf-8",
    "tsv": "text/tab-separated-values; charset=utf-8",
    "json": "application/json",
    "jsonl": "application/jsonl",
    "zip": "application/zip",
}


@require_http_methods(["GET", "HEAD", "POST"])
def exports(request, slug):
    member = get_membership(request.user, slug, Role.LEAD)
    if request.method != "POST":
        return _page(request, member, ExportForm(collection=member.collection, by=request.user))
    form = ExportForm(request.POST, collection=member.collection, by=request.user)
    if not form.is_valid():
        return _page(request, member, form, status=422)
    if form.wants_complete_gold and checks(member.collection, request.user).lacks_gold:
        return _page(request, member, form, status=409, is_refused=True)
    job = enqueue(
        kind=JOB_KIND,
        params=form.params,
        by=request.user,
        collection=member.collection.public_id,
    )
    return redirect(job)


def _page(request, member, form, *, status=200, is_refused=False):
    collection = member.collection
    # With one that the last of those shown is compared with.
    exports = list(visible_exports(request.user, collection, newest=SHOWN_EXPORTS + 1))
    context = {
        **of_member(member),
        "form": form,
        "checks": checks(collection, request.user),
        "is_refused": is_refused,
        "exports": beside_earlier(exports)[:SHOWN_EXPORTS],
        "has_older_exports": len(exports) > SHOWN_EXPORTS,
        "graded_formats": GRADED,
        "jobs": Job.objects.visible_to(request.user)
        .active()
        .filter(collection=collection.public_id, kind=JOB_KIND),
    }
    return render(request, "releases/exports.html", context, status=status)


@require_safe
def download(request, public_id, name):
    """One file of an export, by a name that the export lists; never shown in the browser."""
    return file_of(get_export(request.user, public_id), name)


def file_of(export, name):
    """One file of an export, as what is saved and never shown; 404 where there is none."""
    names = {file["name"] for file in export.files} | {export.archive_name}
    if name not in names:
        raise Http404("There is no such file in this export.")
    try:
        file = export.store().open(export.stored_name(name))
    except FileNotFoundError:
        raise Http404("The file is not on this server any more. Make the export again.") from None
    saved_name = export.saved_name if name == export.archive_name else name
    base, _, suffix = saved_name.rpartition("/")[2].rpartition(".")
    return FileResponse(
        file,
        as_attachment=True,
        filename=f"{base}.{suffix}",
        content_type=CONTENT_TYPES[suffix],
        headers={"X-Content-Type-Options": "nosniff"},
    )
