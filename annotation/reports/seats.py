"""Batches with their seats, for handing them out."""

from collections import Counter, defaultdict
from dataclasses import dataclass

from annotation.models import Batch, Pair, Seat, Tenure
from annotation.reports.figures import SeatProgress, facet_names, titles
from datasets.models import Membership, Topic


@dataclass
class SeatRow:
    """A seat, its progress as far as the lead may know it, and who may take it now.

    The lead may not change a held seat of a batch they are blind to, except their own: even a
    refusal would tell how far the other annotator is. For the same reason a free seat there
    always asks for a reason.
    """

    seat: Seat
    progress: SeatProgress
    eligible: list[Membership]
    may_change: bool
    needs_reason: bool


@dataclass
class BatchRow:
    """`is_blind`: the lead rates or rated in the batch, which is not finished. `title` is that of
    its topic, or the batch's name where it has several."""

    batch: Batch
    title: str
    facets: list[tuple[str, str]]  # key, name
    pairs: int
    seats: list[SeatRow]
    is_blind: bool
    is_locked: bool
    topics: list[Topic]

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


def batch_rows(figures, *, batch=None):
    """All batches of the collection in their order, or the one."""
    collection = figures.collection
    title_of, facet_name_of = titles(collection), facet_names(collection.scheme)
    topics = {topic.pk: topic for topic in Topic.objects.filter(collection=collection)}
    barred = never_again(collection)
    members = assignable_members(collection)
    rows = []
    for one in figures.batches.values():
        if batch is not None and one.pk != batch.pk:
            continue
        of_batch = [topics[pk] for pk in figures.sizes[one.pk] if pk in topics]
        facets = {topic.facet: facet_name_of.get(topic.facet, topic.facet) for topic in of_batch}
        rows.append(
            BatchRow(
                batch=one,
                title=title_of.get(of_batch[0].pk, one.name) if len(of_batch) == 1 else one.name,
                facets=[(key, name) for key, name in facets.items() if key],
                pairs=figures.sizes[one.pk].total(),
                seats=[
                    _seat_row(figures, seat, members, barred[one.pk])
                    for seat in figures.seats[one.pk]
                ],
                is_blind=one.pk in figures.blind,
                is_locked=any(topic.is_locked for topic in of_batch),
                topics=of_batch,
            )
        )
    return rows


def _seat_row(figures, seat, members, barred):
    progress = figures.progress(seat)
    is_blind = seat.batch_id in figures.blind
    return SeatRow(
        seat=seat,
        progress=progress,
        eligible=[
            member
            for member in members
            if member.pk != seat.holder_id and barred.get(member.pk, seat.pk) == seat.pk
        ],
        may_change=not is_blind or seat.holder_id in (None, figures.member.pk),
        needs_reason=is_blind or bool(progress.rated),
    )


def loads(figures):
    """{member: pairs in the seats they hold}, a pair counted once for each seat."""
    load = Counter()
    for batch, seats in figures.seats.items():
        for seat in seats:
            if seat.holder:
                load[seat.holder] += figures.sizes[batch].total()
    return load


def never_again(collection):
    """{batch: {member: the one seat they may still take, or None}} of all who cannot take any.

    Who ever held a seat may only get that one again; who decided a pair of the batch gets none.
    """
    barred = defaultdict(dict)
    held = Tenure.objects.filter(batch__collection=collection)
    for batch, member, seat in held.values_list("batch", "member", "seat"):
        barred[batch][member] = seat
    decided = (
        Pair.objects.filter(batch__collection=collection, decisions__isnull=False)
        .order_by()
        .values_list("batch", "decisions__adjudicator")
        .distinct()
    )
    for batch, member in decided:
        barred[batch][member] = None
    return barred
