"""The pages of systems and runs: upload, list, report."""

from django.contrib import messages
from django.shortcuts import redirect, render
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_http_methods, require_POST

from accounts.listing import listing
from accounts.outcomes import refusal_in
from datasets.access import get_membership, of_member
from datasets.actions import change_scoring_guard
from datasets.models import Level, Role, Run
from datasets.runs import actions, uploading
from datasets.runs.access import get_run
from datasets.runs.files import add_runs, read_runs
from datasets.runs.forms import GuardForm, RunsForm, SystemForm
from datasets.runs.levels import ids_of
from datasets.runs.report import coverage, gaps_of, with_lists
from datasets.runs.strangers import strangers_in_words
from formats.problems import BadInputError

# The orders of runs besides that of their names.
ORDERS = {
    "newest": ("newest first", lambda run: -run.created_at.timestamp()),
    "lists": ("most lists first", lambda run: -run.list_count),
}


def _text_of(run):
    system = run.system
    return f"{system.name} {run.tag} {system.get_kind_display()} {system.model_family}"


# Exempt only until the size is known: the check for the token reads the whole body.
@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def runs(request, slug):
    member = get_membership(request.user, slug, Role.LEAD)
    if request.method != "POST":
        return _page(request, member, RunsForm())
    if uploading.is_too_large(request):
        return _page(request, member, RunsForm(), is_too_large=True, status=413)
    return _upload(request, member)


@csrf_protect
def _upload(request, member):
    form = RunsForm(request.POST, request.FILES)
    if not form.is_valid():
        return _page(request, member, form, status=422)
    options = {name: value for name, value in form.cleaned_data.items() if name != "files"}
    try:
        with uploading.opened(form.cleaned_data["files"]) as files:
            runs = read_runs(files)
            stored = add_runs(collection=member.collection, runs=runs, by=request.user, **options)
    except BadInputError as bad:
        return _page(request, member, form, bad=bad, status=422)
    for run in runs:
        if run.remark:
            messages.info(request, run.remark)
    new = [upload.run for upload in stored if upload.is_new]
    if new:
        messages.success(request, f"{len(new):,} stored: {', '.join(map(str, new))}.")
        for run in new:
            if sentence := strangers_in_words(run.report):
                messages.warning(request, f"{run}: {sentence}")
    for upload in stored:
        if upload.further_count:
            messages.info(
                request,
                f"{upload.run} was there already and has rankings of further "
                f"{upload.run.get_level_display()} now: {upload.further_count:,}.",
            )
    if unchanged_runs := [upload.run for upload in stored if not upload.is_new]:
        messages.info(
            request, f"There already, so nothing changed: {', '.join(map(str, unchanged_runs))}."
        )
    if len(stored) == 1:
        return redirect("datasets:run", stored[0].run.public_id)
    return redirect("datasets:runs", member.collection.slug)


def _page(request, member, form, *, status=200, **more):
    collection = member.collection
    rows = Run.objects.filter(system__collection=collection).select_related("system")
    rows = with_lists(rows, collection).order_by("system__name", "tag")
    searched = listing(rows, request.GET, text=_text_of, orders=ORDERS)
    counts = {str(level): len(ids_of(collection, level)) for level in list(Level)[:2]}
    context = {
        **of_member(member),
        "form": form,
        **searched.context(),
        "runs": [(run, [*run.oddities, *gaps_of(run, counts)]) for run in searched.page],
        "counts": counts,
        "judgment_sets": collection.judgment_sets.all(),
        "guard": GuardForm(instance=collection),
        "max_upload": uploading.limit(),
    } | more
    return render(request, "datasets/runs/runs.html", context, status=status)


@require_POST
def set_guard(request, slug):
    member = get_membership(request.user, slug, Role.LEAD)
    form = GuardForm(request.POST)
    form.is_valid()  # a box is ticked or not
    change_scoring_guard(collection=member.collection, by=request.user, **form.cleaned_data)
    messages.success(request, "Saved.")
    return redirect("datasets:runs", slug)


@require_http_methods(["GET", "HEAD", "POST"])
def run(request, public_id):
    """The report of a run; POST changes what is noted of its system."""
    row, member = get_run(request.user, public_id)
    form = SystemForm(request.POST or None, instance=row.system)
    if request.method != "POST":
        return _report(request, member, row, form)
    if form.is_valid():
        with refusal_in(form, "key"):
            actions.change_system(system=row.system, by=request.user, **form.cleaned_data)
            messages.success(request, "Saved.")
            return redirect("datasets:run", public_id)
    row.system.refresh_from_db()
    return _report(request, member, row, form, status=422)


def _report(request, member, row, form, *, status=200):
    context = {**of_member(member), "run": row, "form": form, "coverage": coverage(row)}
    return render(request, "datasets/runs/run.html", context, status=status)


@require_POST
def remove_run(request, public_id):
    row, member = get_run(request.user, public_id)
    actions.remove_run(run=row, by=request.user)
    messages.success(request, f"Removed: {row}. Pools keep the documents that came from it.")
    return redirect("datasets:runs", member.collection.slug)
