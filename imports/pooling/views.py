"""The page on which a lead makes a pool from runs."""

from urllib.parse import urlencode

from django.contrib import messages
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from annotation.pooling.chart import sizes_chart
from annotation.pooling.forms import PoolForm, in_short
from annotation.pooling.preview import preview, unjudged_of
from annotation.pooling.reading import poolable_runs, read_material
from audit.refusals import Refused
from datasets.access import get_membership, of_member
from datasets.models import Level, Ranking, Role
from datasets.runs.access import get_run
from formats.whole_numbers import whole_number
from imports.pooling import actions

MAX_DEPTH = 1_000
# More than this takes longer than a page may.
ROWS_AT_ONCE = 5_000
# Gunicorn reads a line of 4,094 bytes at most; each run that is named takes 41.
LONGEST_ADDRESS = 4_000
# Documents of a ranking that is taken whole, about.
USUAL_LENGTH = 100


@require_http_methods(["GET", "HEAD", "POST"])
def runs_pool(request, slug):
    """The preview of a pool, by its address; POST makes it, or counts it again: at its address,
    or at once where it names too many runs for one.

    What was chosen since the figures were counted is shown first, and made by a second press.
    """
    member = get_membership(request.user, slug, Role.LEAD)
    by_level = poolable_runs(member.collection)
    level = _level(request, by_level)
    parameters = request.POST if request.method == "POST" else request.GET
    form = PoolForm(parameters, runs=by_level.get(level, []))
    if not by_level or not form.is_valid():
        return _page(request, member, by_level, level, form, status=422 if form.errors else 200)
    if request.method != "POST":
        return _page(request, member, by_level, level, form)
    shown = request.POST.get("shown")
    if request.POST.get("do") == "count" or (shown and shown != in_short(form.chosen)):
        if request.POST.get("do") != "count":
            messages.info(request, "You chose another pool. Look at its figures, then make it.")
        address = f"{reverse('imports:runs-pool', args=[slug])}?{_as_address(form)}"
        if len(address) <= LONGEST_ADDRESS:
            return redirect(address)
        return _page(request, member, by_level, level, form)
    try:
        if is_large(form.chosen):
            job = actions.start_pool(collection=member.collection, by=request.user, **form.chosen)
            return redirect(job)
        outcome = actions.make_pool(collection=member.collection, by=request.user, **form.chosen)
    except Refused as refused:
        form.add_error(None, str(refused))
        return _page(request, member, by_level, level, form, status=refused.status)
    say = messages.info if outcome.changes_nothing else messages.success
    say(request, outcome.sentence)
    return redirect("annotation:assign" if outcome.pairs else "imports:runs-pool", slug)


def _as_address(form):
    """The fields of the form as parameters of an address, which names no run where all are
    ticked."""
    has_all = form.runs.keys() <= set(form.data.getlist("run"))
    names = [name for name in ("level", *form.fields) if not (name == "run" and has_all)]
    return urlencode(
        [(name, value) for name in names for value in form.data.getlist(name) if value]
    )


def is_large(pool):
    """Whether the runs put more into the pool than can be written while somebody waits."""
    rankings = Ranking.objects.filter(run__in=pool["runs"])
    whole_count = rankings.filter(run__in=pool["whole"]).count()
    partial = rankings.count() - whole_count
    return partial * pool["size"] + whole_count * USUAL_LENGTH > ROWS_AT_ONCE


def _level(request, by_level):
    chosen = request.GET.get("level") or request.POST.get("level")
    if chosen in by_level:
        return chosen
    return max(by_level, key=lambda level: len(by_level[level]), default=Level.TOPICS)


def _page(request, member, by_level, level, form, *, status=200):
    collection = member.collection
    context = {
        **of_member(member),
        "levels": [(key, Level(key).label) for key in by_level],
        "level": level,
        "form": form,
    }
    if by_level and not (form.errors and set(form.errors) != {"__all__"}):
        context |= _figures(collection, request.user, by_level[level], form)
    return render(request, "annotation/pooling/pool.html", context, status=status)


def _figures(collection, user, runs, form):
    pool = form.chosen
    material = read_material(collection, runs)
    view = preview(collection=collection, material=material, user=user, **pool)
    depth = min(pool["size"], MAX_DEPTH)
    return {
        "chosen": pool,
        "shown": in_short(pool),
        "preview": view,
        "matrix": _matrix(view.overlap, form.runs, pool),
        "not_chosen": [run for run in runs if run not in pool["runs"]],
        "chart": sizes_chart(
            view.chosen.size.by_topic, median=view.median_size, large=view.large_topics
        ),
        "depth": depth,
        "unjudged": unjudged_of(material, runs, depth),
    }


def _matrix(table, runs, pool):
    """Rows for the page: (run, its key, whether it is whole, cells, documents that it adds alone,
    share of the most that any adds)."""
    by_label = {run.label: (key, run) for key, run in runs.items()}
    top = max((count for row in table.shared for count in row if count is not None), default=0) or 1
    most = max(table.alone, default=0) or 1
    rows = []
    for label, shared, alone in zip(table.runs, table.shared, table.alone, strict=True):
        key, run = by_label[label]
        cells = [
            (other, value, None if value is None else min(int(value / top * 5), 4))
            for other, value in zip(table.runs, shared, strict=True)
        ]
        rows.append((run, key, run in pool["whole"], cells, alone, round(100 * alone / most)))
    return rows


@require_POST
def draw_unjudged(request, public_id):
    """Hand out what nobody judged of a run's first documents, in one batch."""
    run, member = get_run(request.user, public_id)
    depth = whole_number(request.POST.get("depth", ""), most=MAX_DEPTH)
    back = reverse("imports:runs-pool", args=[member.collection.slug])
    if not depth:
        messages.error(request, f"Choose a depth between 1 and {MAX_DEPTH:,}.")
        return redirect(back)
    try:
        batch = actions.draw_unjudged(
            collection=member.collection, run=run, depth=depth, by=request.user
        )
    except Refused as refused:
        messages.error(request, str(refused))
        return redirect(back)
    return redirect("annotation:batch", batch.public_id)
