"""The page on which a lead uploads files, sees a dry run, and imports them."""

import json

from django.conf import settings
from django.http import Http404
from django.shortcuts import redirect, render
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import HttpResponseClientRefresh

from accounts.downloads import CSV, attached
from annotation.templatetags.annotation_words import file_size
from audit.refusals import Invalid, Refused
from datasets import uploads
from datasets.access import get_membership, of_member
from datasets.models import Import, Role
from formats.strict import BadTextError, check_storable
from imports import drafts, page, page_settings, templates
from imports.kinds import all_kinds
from imports.pooling.moving import KIND as POOL
from imports.run import added_in_words
from imports.summaries import rates_in, readable
from jobs.models import Job

SHOWN_IMPORTS = 20


# Exempt only until the size is known: the check for the token reads the whole body.
@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def import_data(request, slug):
    member = get_membership(request.user, slug, Role.LEAD)
    if request.method != "POST":
        return _page(request, member)
    size = uploads.size_of(request)
    if size > settings.FACETWISE_MAX_UPLOAD:
        return _page(request, member, too_large=size, status=413)
    return _add_files(request, member)


@csrf_protect
def _add_files(request, member):
    files = request.FILES.getlist("files") + request.FILES.getlist("folder")
    try:
        draft = drafts.add_files(
            collection=member.collection,
            by=request.user,
            files=files,
            paths=_paths(request, files),
        )
    except Refused as refused:
        return _page(request, member, refused=str(refused), status=refused.status)
    drafts.check(draft=draft, by=request.user)
    return redirect("imports:import", member.collection.slug)


def _paths(request, files):
    """The paths of the files inside a chosen folder, where a script told them all."""
    try:
        paths = json.loads(request.POST.get("paths") or "[]")
    except (ValueError, RecursionError):
        return []
    is_for_each = isinstance(paths, list) and len(paths) == len(files)
    return paths if is_for_each and all(isinstance(path, str) for path in paths) else []


@require_POST
def check(request, slug):
    """Change how the files are read, or take one off the list, and look at them again."""
    member, draft = _draft(request, slug)
    if draft is None:
        return redirect("imports:import", slug)
    if name := request.POST.get("remove"):
        draft = drafts.remove_file(draft=draft, name=name)
    else:
        settings = page_settings.settings_from(draft, request.POST)
        if (scale := request.POST.get("turn")) is not None:
            settings = page_settings.with_scale_reversed(settings, draft.report, scale)
        try:
            check_storable(settings)
        except BadTextError as error:
            return _page(request, member, refused=error.sentence, status=422)
        draft = drafts.change_settings(draft=draft, settings=settings)
    drafts.check(draft=draft, by=request.user)
    return redirect("imports:import", slug)


@require_POST
def start(request, slug):
    member, draft = _draft(request, slug)
    if draft is None:
        return redirect("imports:import", slug)
    try:
        drafts.start_import(draft=draft, by=request.user)
    except Invalid as refused:
        return _page(request, member, refused=str(refused), status=422)
    return redirect("imports:import", slug)


@require_POST
def clear(request, slug):
    """Take all files off the list."""
    member = get_membership(request.user, slug, Role.LEAD)
    if draft := drafts.draft_of(member.collection, request.user):
        drafts.discard(draft=draft)
    return redirect("imports:import", slug)


@require_safe
def problems(request, slug):
    """All problems of the last look at the files, as a table."""
    _, draft = _draft(request, slug)
    text = page.problems_as_csv(page.readable_problems(draft, request.user) if draft else [])
    return attached(text, CSV, "problems.csv")


@require_safe
def template(request, slug, table):
    """A table to fill in, with the columns that the collection's scheme asks for."""
    member = get_membership(request.user, slug, Role.LEAD)
    if table not in templates.NAMES:
        raise Http404
    return attached(templates.table(table, member.collection), CSV, f"{table}.csv")


def _draft(request, slug):
    member = get_membership(request.user, slug, Role.LEAD)
    return member, drafts.draft_of(member.collection, request.user)


def _page(request, member, *, too_large=0, refused="", status=200):
    collection = member.collection
    draft, job = _draft_and_job(collection, request.user)
    if request.htmx and not (job and job.is_active):
        # What the page waited for is done: what stands around it has changed, too.
        return HttpResponseClientRefresh()
    context = {
        **of_member(member),
        "draft": draft,
        "job": job if job and (job.is_active or job.state == Job.State.FAILED) else None,
        "kinds": [kind for kind in all_kinds().values() if not kind.is_by_id],
        "templates": templates.NAMES,
        "max_upload": settings.FACETWISE_MAX_UPLOAD,
        "too_large": too_large and file_size(too_large),
        "refused": refused,
        "imports": _imports(collection, request.user),
        "last_job": _last_import(request, collection) if draft is None else None,
    }
    if draft:
        context |= {
            "report": draft.report,
            "files": page.files_shown(draft),
            "columns": page.columns_shown(draft),
            "people": page.people_shown(draft),
            "grades": page.grades_shown(draft),
            "problems": page.problems_shown(draft, request.user, request.GET.get("file", "")),
            "credits": page.credits_shown(draft, collection),
            "chosen": draft.report.get("settings", {}),
            "has_facets": collection.scheme.has_facets,
        }
    return render(request, "imports/page.html", context, status=status)


def _imports(collection, user):
    """The newest imports, each with what it added, as far as this lead may read it."""
    rates = rates_in(collection, user)
    imports = collection.imports.filter(state=Import.State.ACTIVE).exclude(kind=POOL)
    imports = list(imports.select_related("created_by")[:SHOWN_IMPORTS])
    for imported in imports:
        imported.summary = readable(imported.summary, rates=rates)
    return [(imported, added_in_words(imported.summary)) for imported in imports]


def _draft_and_job(collection, user):
    """The draft as it stands while, or after, its job does what it does."""
    draft = drafts.draft_of(collection, user)
    job = Job.objects.filter(public_id=draft.job).first() if draft and draft.job else None
    if job and not job.is_active:
        # It may have ended after the draft was read, which then is from before its end.
        draft = drafts.draft_of(collection, user)
    return draft, job


def _last_import(request, collection):
    """The import that this lead started last, for the report of its result."""
    return (
        Job.objects.filter(
            collection=collection.public_id, created_by=request.user, kind=drafts.IMPORT
        )
        .order_by("-pk")
        .first()
    )
