"""Batches with their seats, for handing them out."""

from collections import Counter
from dataclasses import dataclass, field, fields
from datetime import datetime
from functools import cached_property
from operator import attrgetter
from typing import NamedTuple
from uuid import UUID

from django.http import Http404

from annotation.assigning.barring import Bar, Why, bars_of
from annotation.models import Batch, Seat, Waiver
from annotation.progress.figures import (
    CountedSeat,
    Figures,
    SeatProgress,
    facet_names,
    titles,
    titles_of,
)
from datasets.models import Membership, Topic

# With more members than these, a list of batches does not name them for each seat: the page of a
# batch does.
MOST_LISTED = 25
AS_COUNTED = attrgetter(*(part.name for part in fields(CountedSeat)))


@dataclass(slots=True)
class ShownSeat(CountedSeat):
    """A seat with what pages show of it."""

    public_id: UUID
    handed_in_at: datetime | None
    return_reason: str


@dataclass
class SeatRow:
    """A seat, its progress as far as the lead may know it, and who may take it.

    The lead may not change a held seat of a batch they are blind to, except their own: even a
    refusal would tell how far the other annotator is. For the same reason a free seat there
    always asks for a reason. `is_fixed`: its holder, a lead, could read the batch once it was
    finished; `is_own`: the holder is this lead.
    """

    seat: ShownSeat
    progress: SeatProgress
    may_change: bool
    needs_reason: bool
    is_fixed: bool
    is_own: bool
    members: list[Membership] = field(repr=False)
    bars: dict[int, Bar] = field(repr=False)

    @cached_property
    def eligible(self) -> list[Membership]:
        """Who may take it, by name."""
        return [member for member in self.members if _may_take(self.seat, member, self.bars)]

    @property
    def has_eligible(self) -> bool:
        return any(_may_take(self.seat, member, self.bars) for member in self.members)

    @property
    def lists_eligible(self) -> bool:
        """Whether they are few enough to be named in a list of batches."""
        return len(self.members) <= MOST_LISTED


@dataclass
class BarredMember:
    """An annotator who may take no seat of a batch, and why, for the lead to read."""

    member: Membership
    sentence: str
    may_be_waived: bool


class ListedBatch(NamedTuple):
    """What a list of batches is searched and ordered by."""

    pk: int
    name: str


@dataclass
class BatchRow:
    """`is_blind`: the lead rates or rated in the batch, which is not finished. `title` is that of
    its topic, or the batch's name where it has several. A lead waives nothing in a batch they are
    blind to and sees no waivers of it: either would show that somebody has rated."""

    batch: Batch
    title: str
    facets: list[tuple[str, str]]  # key, name; without one that is not shown
    pairs: int
    seats: list[SeatRow]
    is_blind: bool
    is_locked: bool
    topics: list[Topic]
    barred: list[BarredMember]
    waivers: list[Waiver]

    @property
    def waivable(self):
        return [bar.member for bar in self.barred if bar.may_be_waived]

    @property
    def is_mixed(self):
        """Whether its pairs are of several topics, as those of a sample are."""
        return len(self.topics) > 1

    @property
    def has_free_seat(self):
        return any(row.seat.holder is None for row in self.seats)


def assignable_members(collection):
    """Annotators who can sign in and so can rate, by name."""
    return list(Membership.objects.annotators().filter(collection=collection, user__is_active=True))


def listed_batches(collection):
    """Those of the collection, in its order."""
    batches = Batch.objects.filter(collection=collection)
    return [ListedBatch(*row) for row in batches.values_list(*ListedBatch._fields)]


def shown_seats(figures, within=None):
    """{batch: its seats in their order} of the collection, or of the batches `within`."""
    seats = Seat.objects.filter(batch__collection=figures.collection)
    if within is not None:
        seats = seats.filter(batch__in=within)
    shown = {
        pk: more
        for pk, *more in seats.values_list("pk", "public_id", "handed_in_at", "return_reason")
    }
    return {
        batch: [
            ShownSeat(*AS_COUNTED(seat), *shown[seat.pk]) for seat in of_batch if seat.pk in shown
        ]
        for batch, of_batch in figures.seats.items()
    }


def batch_rows(figures, *, batch=None, batches=None, bars=None):
    """Rows of all batches in their order, of some, or of the one; with `bars` where known."""
    collection = figures.collection
    facet_name_of = facet_names(collection.scheme)
    if batches is None:
        batches = figures.batches.values() if batch is None else [figures.batches[batch.pk]]
    topics, within = Topic.objects.filter(collection=collection), None
    if batch is not None or len(batches) < len(figures.collection_of):
        within = [each.pk for each in batches]
        topics = topics.filter(pk__in={pk for each in batches for pk in figures.sizes[each.pk]})
    topics = {topic.pk: topic for topic in topics}
    title_of = titles(collection) if within is None else titles_of(topics)
    if bars is None:
        bars = bars_of(collection, within=within, viewer=figures.member, blind=figures.blind)
    waivers = _waivers(figures, batch)
    members = assignable_members(collection)
    seats_of = shown_seats(figures, within)
    rows = []
    for row_batch in batches:
        of_batch = [topics[pk] for pk in figures.sizes[row_batch.pk] if pk in topics]
        keys = dict.fromkeys(topic.facet for topic in of_batch)
        rows.append(
            BatchRow(
                batch=row_batch,
                title=title_of.get(of_batch[0].pk, row_batch.name)
                if len(of_batch) == 1
                else row_batch.name,
                facets=[(key, facet_name_of[key]) for key in keys if key in facet_name_of],
                pairs=figures.whole_sizes[row_batch.pk],
                seats=[
                    _seat_row(figures, seat, members, bars[row_batch.pk])
                    for seat in seats_of.get(row_batch.pk, [])
                ],
                is_blind=row_batch.pk in figures.blind,
                is_locked=any(topic.is_locked for topic in of_batch),
                topics=of_batch,
                barred=_barred(figures, row_batch, members, bars[row_batch.pk]),
                waivers=[waiver for waiver in waivers if waiver.batch_id == row_batch.pk],
            )
        )
    return rows


def _waivers(figures, batch):
    """Waivers in the batches that the lead is not blind to, or in the one."""
    batches = [batch.pk] if batch else figures.collection_of
    waivers = Waiver.objects.filter(batch__collection=figures.collection)
    return [
        waiver
        for waiver in waivers.select_related("member", "given_by", "batch")
        if waiver.batch_id in batches and waiver.batch_id not in figures.blind
    ]


def _barred(figures, batch, members, bars):
    """Annotators who may take none of the seats. Who holds or held one is left out: the page shows
    that already."""
    shown = {pk: bar for pk, bar in bars.items() if bar.why is not Why.HELD}
    if not shown:
        return []
    return [
        BarredMember(
            member,
            bar.sentence(member, batch),
            may_be_waived=bar.why is Why.COULD_READ
            and batch.pk not in figures.blind
            and member.pk != figures.member.pk,
        )
        for member in members
        if (bar := shown.get(member.pk))
    ]


def _may_take(seat, member, bars):
    bar: Bar | None = bars.get(member.pk)
    return member.pk != seat.holder_id and (bar is None or bar.seat == seat.pk)


def _seat_row(figures, seat, members, bars):
    progress = figures.progress(seat)
    is_blind = seat.batch_id in figures.blind
    bar = bars.get(seat.holder_id)
    return SeatRow(
        seat=seat,
        progress=progress,
        may_change=not is_blind or seat.holder_id in (None, figures.member.pk),
        needs_reason=is_blind or bool(progress.rated),
        is_fixed=bool(bar and bar.why is Why.FIXED),
        is_own=seat.holder_id == figures.member.pk,
        members=members,
        bars=bars,
    )


def changeable_seat(member, seat):
    """The row of a seat that this lead may change; 404 for the others, as if there were none."""
    [row] = batch_rows(Figures(member, batch=seat.batch), batch=seat.batch)
    [of_seat] = [row_seat for row_seat in row.seats if row_seat.seat.pk == seat.pk]
    if not of_seat.may_change:
        raise Http404("There is no such seat.")
    return of_seat


def loads(figures):
    """{member: pairs in the seats they hold}, a pair counted once for each seat."""
    load, holders = Counter(), {}
    for batch, seats in figures.seats.items():
        for seat in seats:
            if seat.holder_id:
                holders[seat.holder_id] = seat.holder
                load[seat.holder_id] += figures.whole_sizes[batch]
    return Counter({holders[pk]: pairs for pk, pairs in load.items()})
