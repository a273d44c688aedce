"""Batches with their seats, for handing them out."""

from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import combinations

from annotation.models import Batch, Tenure
from annotation.planning import BatchNeed
from annotation.reports.figures import SeatProgress, facet_names, titles
from datasets.models import Membership, Topic


@dataclass
class BatchRow:
    """`former` are the ids of all who hold or ever held a seat; `is_blind`: the lead is one."""

    batch: Batch
    title: str
    facets: list[tuple[str, str]]  # key, name
    pairs: int
    seats: list[SeatProgress]
    former: set[int]
    eligible: list[Membership]
    is_blind: bool
    is_locked: bool
    topics: list[Topic]

    @property
    def has_free_seat(self):
        return any(seat.seat.holder is None for seat in self.seats)


def assignable_members(collection):
    """Annotators who can sign in and so can rate, by name."""
    return list(Membership.objects.annotators().filter(collection=collection, user__is_active=True))


def batch_rows(figures, *, batch=None):
    """All batches of the collection in their order, or the one."""
    collection = figures.collection
    title_of, facet_name_of = titles(collection), facet_names(collection.scheme)
    topics = {topic.pk: topic for topic in Topic.objects.filter(collection=collection)}
    former = _former_holders(collection)
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
                title=title_of.get(of_batch[0].pk, one.name) if of_batch else one.name,
                facets=[(key, name) for key, name in facets.items() if key],
                pairs=figures.sizes[one.pk].total(),
                seats=[figures.progress(seat) for seat in figures.seats[one.pk]],
                former=former[one.pk],
                eligible=[member for member in members if member.pk not in former[one.pk]],
                is_blind=one.pk in figures.blind,
                is_locked=any(topic.is_locked for topic in of_batch),
                topics=of_batch,
            )
        )
    return rows


def loads(figures):
    """{member: pairs in the seats they hold}, a pair counted once for each seat."""
    load = Counter()
    for batch, seats in figures.seats.items():
        for seat in seats:
            if seat.holder:
                load[seat.holder] += figures.sizes[batch].total()
    return load


def needs(figures):
    """What a balanced plan has to staff: batches with free seats, none of a locked topic."""
    locked = set(
        Topic.objects.filter(collection=figures.collection)
        .exclude(locked_at=None)
        .values_list("pk", flat=True)
    )
    former = _former_holders(figures.collection)
    found = []
    for batch, seats in figures.seats.items():
        free = [seat for seat in seats if seat.holder is None]
        if free and not locked & set(figures.sizes[batch]):
            found.append(
                BatchNeed(
                    key=batch,
                    size=figures.sizes[batch].total(),
                    free_ordinals=[seat.ordinal for seat in free],
                    held_by=former[batch],
                    sitting=[seat.holder_id for seat in seats if seat.holder],
                )
            )
    return found


def together(figures):
    """{two members: batches in which both hold a seat}."""
    met = Counter()
    for seats in figures.seats.values():
        holders = sorted(seat.holder_id for seat in seats if seat.holder)
        met.update(frozenset(two) for two in combinations(holders, 2))
    return met


def _former_holders(collection):
    former = defaultdict(set)
    for batch, member in Tenure.objects.filter(batch__collection=collection).values_list(
        "batch_id", "member_id"
    ):
        former[batch].add(member)
    return former
