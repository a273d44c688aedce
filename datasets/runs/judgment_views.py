"""The pages of judgments that were made elsewhere: upload, list, export as qrels."""

from django.contrib import messages
from django.shortcuts import redirect, render
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.downloads import attached
from accounts.listing import listing
from accounts.outcomes import refusal_in
from audit.refusals import Refused
from datasets.access import get_membership, of_member
from datasets.models import Role
from datasets.runs import judgments, uploading
from datasets.runs.access import get_judgment_set
from datasets.runs.forms import JudgmentSetForm, JudgmentsForm
from datasets.runs.levels import known_ids
from datasets.runs.reading import literals_of
from formats.problems import BadInputError, Problem, Problems
from formats.trec.qrels import read_qrels

SHOWN_GRADES = 30

# The orders of sets besides their own.
ORDERS = {"newest": ("newest first", lambda row: -row.created_at.timestamp())}


def _text_of(row):
    return f"{row.name} {row.file_name}"


# Exempt only until the size is known: the check for the token reads the whole body.
@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def judgment_sets(request, slug):
    member = get_membership(request.user, slug, Role.LEAD)
    if request.method != "POST":
        return _page(request, member, JudgmentsForm())
    if uploading.is_too_large(request):
        return _page(request, member, JudgmentsForm(), is_too_large=True, status=413)
    return _upload(request, member)


@csrf_protect
def _upload(request, member):
    form = JudgmentsForm(request.POST, request.FILES)
    if not form.is_valid():
        return _page(request, member, form, status=422)
    try:
        read_set = read_judgments(form)
        stored = judgments.add_judgments(
            collection=member.collection,
            judgments=read_set,
            level=form.cleaned_data["level"],
            by=request.user,
        )
    except BadInputError as bad:
        return _page(request, member, form, bad=bad, status=422)
    except Refused as refused:
        form.add_error(None, str(refused))
        return _page(request, member, form, status=refused.status)
    if read_set.remark:
        messages.info(request, read_set.remark)
    if stored.is_new:
        messages.success(request, f"Stored: {stored.judgment_set}.")
    else:
        messages.info(request, "These judgments are there already. Nothing changed.")
    return redirect("datasets:judgment-set", stored.judgment_set.public_id)


def read_judgments(form):
    """The judgments of a valid form; raises BadInputError with what is wrong in the file."""
    problems = Problems()
    name, note = form.cleaned_data["name"], form.cleaned_data["note"]
    with uploading.opened(form.cleaned_data["files"]) as files:
        if len(files) != 1:
            remedy = "A set of judgments is one file. Upload them one by one."
            raise BadInputError([Problem("the upload", "", f"{len(files)} files.", remedy)], 1)
        (file,) = files
        judgments = read_qrels(file, problems, name=name, level="topic", note=note)
        problems.raise_any()
    return judgments


def _page(request, member, form, *, status=200, **more):
    rows = member.collection.judgment_sets.select_related("created_by")
    searched = listing(rows, request.GET, text=_text_of, orders=ORDERS)
    context = {
        **of_member(member),
        "form": form,
        **searched.context(),
        "max_upload": uploading.limit(),
    } | more
    return render(request, "datasets/runs/judgments.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
def judgment_set(request, public_id):
    """The page of a set of judgments; POST changes its name and the note on its scale."""
    row, member = get_judgment_set(request.user, public_id)
    form = JudgmentSetForm(request.POST or None, instance=row)
    if request.method == "POST" and form.is_valid():
        with refusal_in(form, "key"):
            judgments.change_judgments(judgment_set=row, by=request.user, **form.cleaned_data)
            messages.success(request, "Saved.")
            return redirect("datasets:judgment-set", public_id)
    if form.errors:
        row.refresh_from_db()
    literals = literals_of(row)
    grades = judgments.grade_counts(literals)
    context = {
        **of_member(member),
        "judgment_set": row,
        "form": form,
        "subjects": len(literals),
        "known": len(known_ids(member.collection, row.level, literals.keys())),
        "judged": sum(map(len, literals.values())),
        "grades": grades[:SHOWN_GRADES],
        "more_grades": len(grades) - SHOWN_GRADES,
        "fits_qrels": not judgments.grade_in_words(grade for grade, _ in grades),
    }
    status = 422 if form.errors else 200
    return render(request, "datasets/runs/judgment_set.html", context, status=status)


@require_safe
def qrels(request, public_id):
    """The set as qrels, each grade as it was written."""
    row, _ = get_judgment_set(request.user, public_id)
    text = judgments.qrels_text(literals_of(row))
    return attached(text, "text/plain; charset=utf-8", f"qrels-{row.public_id}.txt")


@require_POST
def remove(request, public_id):
    row, member = get_judgment_set(request.user, public_id)
    judgments.remove_judgments(judgment_set=row, by=request.user)
    messages.success(request, f"Removed: {row}.")
    return redirect("datasets:judgments", member.collection.slug)
