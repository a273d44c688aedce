"""Handing pairs out: batches and their seats. The balanced plan has a module of its own."""

import functools

from django.contrib import messages
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from accounts.fragments import render_page
from accounts.listing import chosen, listing
from annotation.access import get_batch_for_lead, get_seat_for_lead
from annotation.assigning.actions import assign as seats
from annotation.assigning.actions import batches, waive
from annotation.assigning.forms import OverlapForm, SeatForm, WaiverForm
from annotation.assigning.seats import (
    assignable_members,
    batch_rows,
    changeable_seat,
    listed_batches,
    loads,
)
from annotation.forms import ReasonForm, RefusedForm
from annotation.models import Batch
from annotation.progress.figures import Figures, percent, titles
from annotation.progress.pairs import list_pairs
from annotation.sampling.strata import drawn_as
from audit.refusals import Refused
from datasets.access import get_membership, of_member
from datasets.models import Role
from formats.records import MAX_OVERLAP
from formats.words import counted

WAYS = [
    (
        Batch.Way.BY_TOPIC,
        "One topic after the other",
        "All abstracts of a topic in turn: its question stays in mind, the abstract changes.",
    ),
    (
        Batch.Way.BY_DOCUMENT,
        "One abstract after the other",
        "An abstract is read once and judged under all its topics of this batch.",
    ),
]
# Batches on a page: each has a form for every seat.
PAGE_SIZE = 50
SHOWN = {"": "All", "free": "With a free seat", "held": "All seats held"}
ORDERS = {"name": ("by name", lambda batch: batch.name.casefold())}


@require_safe
def assign(request, slug):
    member = get_membership(request.user, slug, Role.LEAD)
    context = assign_context(request, member)
    return render_page(request, "annotation/assign.html", context, part="batches")


def assign_context(request, member):
    figures = Figures(member)
    shown = chosen(request.GET, "show", SHOWN)
    free = {
        pk: sum(seat.holder is None for seat in seats_of_batch)
        for pk, seats_of_batch in figures.seats.items()
    }
    waiting = [row for row in figures.pairs if row.batch is None]
    all_batches = listed_batches(member.collection)
    batches_of = {
        "": all_batches,
        "free": [batch for batch in all_batches if free.get(batch.pk)],
        "held": [batch for batch in all_batches if not free.get(batch.pk)],
    }
    searched = listing(
        batches_of[shown], request.GET, text=_text_of(figures), orders=ORDERS, size=PAGE_SIZE
    )
    return {
        **of_member(member),
        "scheme": member.collection.scheme,
        "judges_aspects": member.collection.scheme.current.judges_aspects,
        **searched.context(show=shown),
        "rows": batch_rows(figures, batches=_on(searched.page)),
        "shown": shown,
        "filters": [(key, label, len(batches_of[key])) for key, label in SHOWN.items()],
        "waiting": waiting,
        "waiting_pairs": sum(row.count for row in waiting),
        "free_seats": sum(free.values()),
        "people": load_rows(figures),
    }


def _on(page):
    """The batches on this page of the list, in its order."""
    batches = Batch.objects.in_bulk([batch.pk for batch in page])
    return [batches[batch.pk] for batch in page if batch.pk in batches]


def _text_of(figures):
    """The searchable text of a batch: its name, its topics' titles, the holders of its seats."""

    @functools.cache
    def title_of():
        return titles(figures.collection)

    def text(batch):
        topics = (title_of().get(pk, "") for pk in figures.sizes[batch.pk])
        holders = (seat.holder.name for seat in figures.seats[batch.pk] if seat.holder)
        return " ".join([batch.name, *topics, *holders])

    return text


def _place_in_list(batch):
    """The address of this batch on the page of all batches."""
    pks = list(Batch.objects.filter(collection=batch.collection).values_list("pk", flat=True))
    number = pks.index(batch.pk) // PAGE_SIZE + 1
    address = reverse("annotation:assign", args=[batch.collection.slug])
    query = f"?page={number}" if number > 1 else ""
    return f"{address}{query}#batch-{batch.public_id}"


def load_rows(figures):
    """(member, pairs in their seats, per cent of the largest load, whether they hold an open seat
    that the lead may hand over), by name."""
    load = loads(figures)
    with_open_seats = {
        seat.holder
        for batch, seats in figures.seats.items()
        for seat in seats
        if not seat.is_handed_in and batch not in figures.blind
    }
    people = {*assignable_members(figures.collection), *load}
    most = max(load.values(), default=0)
    return [
        (person, load[person], percent(load[person], most), person in with_open_seats)
        for person in sorted(people, key=lambda m: (m.name.casefold(), m.pk))
    ]


@require_POST
def make_batches(request, slug):
    member = get_membership(request.user, slug, Role.LEAD)
    new_batches = batches.make_batches(collection=member.collection, by=request.user)
    if new_batches:
        messages.success(request, f"{counted(len(new_batches), 'batch', 'batches')} made.")
    else:
        messages.info(request, "No pair is waiting for a batch.")
    return redirect("annotation:assign", slug)


@require_safe
def batch(request, public_id):
    batch_shown, member = get_batch_for_lead(request.user, public_id)
    return render(request, "annotation/batch.html", batch_context(request, member, batch_shown))


def batch_context(request, member, batch_shown, **more):
    [row] = batch_rows(Figures(member, batch=batch_shown), batch=batch_shown)
    pairs = batch_shown.pairs.visible_to_lead(request.user)
    if row.is_mixed:
        pairs = pairs.order_by("topic__position", "topic_id", "position", "pk")
    ordinals = [seat.seat.ordinal for seat in row.seats]
    scheme = member.collection.scheme
    listed = list_pairs(pairs, request.GET, scheme=scheme, user=request.user, ordinals=ordinals)
    return {
        **of_member(member),
        "row": row,
        "batch": row.batch,
        "overlap_choices": range(row.batch.overlap + 1, MAX_OVERLAP + 1),
        **listed.listing.context(),
        "pair_rows": listed.rows,
        "ordinals": ordinals,
        "ways": WAYS,
        "rule": scheme.rule_in_words,
        "drawn": drawn_as(row.batch),
    } | more


@require_POST
def assign_seat(request, public_id):
    """Give a seat, pass it on, or free it. With htmx the batch's row comes back."""
    seat, member = get_seat_for_lead(request.user, public_id)
    row = changeable_seat(member, seat)
    try:
        typed = SeatForm(request.POST).checked()
        seats.assign_shown(
            row=row,
            seat=seat,
            seen=typed["holder"],
            to=typed["member"],
            reason=typed["reason"],
            by=request.user,
        )
    except Refused as refused:
        return _seat_answer(request, member, seat, refused=refused)
    return _seat_answer(request, member, seat)


@require_POST
def return_seat(request, public_id):
    seat, member = get_seat_for_lead(request.user, public_id)
    row = changeable_seat(member, seat)
    form = ReasonForm(request.POST)
    try:
        seats.return_seat(seat=seat, by=request.user, **form.checked())
    except Refused as refused:
        return _seat_answer(request, member, seat, refused=refused)
    if row.is_fixed:
        messages.success(request, "The seat is free now, for somebody else to take.")
    else:
        messages.success(
            request, f"The seat is back with {row.seat.holder}, who reads your reason."
        )
    return redirect("annotation:batch", seat.batch.public_id)


@require_POST
def waive_reading(request, public_id):
    """Let somebody rate in a batch who could have read its ratings."""
    batch_shown, member = get_batch_for_lead(request.user, public_id)
    [row] = batch_rows(Figures(member), batch=batch_shown)
    form = WaiverForm(request.POST, members=row.waivable)
    try:
        waive.waive_reading(batch=batch_shown, by=request.user, **form.checked())
    except Refused as refused:
        return _batch_refused(request, member, batch_shown, refused, at="waiver")
    messages.success(request, f"{form.cleaned_data['member']} may take a seat of this batch.")
    return redirect("annotation:batch", public_id)


@require_POST
def raise_overlap(request, public_id):
    batch_shown, member = get_batch_for_lead(request.user, public_id)
    form = OverlapForm(request.POST)
    try:
        batches.raise_overlap(batch=batch_shown, by=request.user, **form.checked())
    except Refused as refused:
        return _batch_refused(request, member, batch_shown, refused, at="overlap")
    messages.success(request, f"The batch has {form.cleaned_data['overlap']} seats now.")
    return redirect("annotation:batch", public_id)


@require_POST
def set_way(request, public_id):
    """Switch the order in which the pairs of a batch are worked through."""
    batch_shown, member = get_batch_for_lead(request.user, public_id)
    try:
        batches.set_way(batch=batch_shown, way=request.POST.get("way", ""), by=request.user)
    except Refused as refused:
        return _batch_refused(request, member, batch_shown, refused, at="way")
    messages.success(request, "The way to work is saved. No rating is touched.")
    return redirect("annotation:batch", public_id)


def _batch_refused(request, member, batch_shown, refused, *, at):
    """The page of the batch with what was refused and the form as it was sent."""
    form = RefusedForm(at, str(refused), request.POST)
    context = batch_context(request, member, batch_shown, refused=form)
    return render(request, "annotation/batch.html", context, status=refused.status)


def _seat_answer(request, member, seat, *, refused=None):
    """The row of the batch for htmx; else the batch's page, or a redirect to where one was."""
    status = refused.status if refused else 200
    if request.htmx:
        figures = Figures(member)
        [row] = batch_rows(figures, batch=seat.batch)
        context = {
            "collection": member.collection,
            "row": row,
            "error": str(refused or ""),
            "is_answer": True,
            "people": load_rows(figures),
        }
        return render(request, "annotation/batch_row.html", context, status=status)
    if refused:
        return _batch_refused(request, member, seat.batch, refused, at=str(seat.public_id))
    if request.POST.get("page") == "assign":
        return redirect(_place_in_list(seat.batch))
    return redirect("annotation:batch", seat.batch.public_id)
