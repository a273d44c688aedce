"""Seats that change hands: one or thousands, in a few statements."""

from collections import defaultdict
from collections.abc import Iterable

from django.db.models import F

from accounts.models import User
from annotation.assigning.barring import Bar, Bars, Why, bars_of
from annotation.models import Batch, Pair, Seat, Tenure
from audit.actions import event, record_all
from audit.models import Event
from audit.refusals import Invalid, Locked, Refused
from audit.verbs import Verb
from datasets.models import Membership, Topic
from formats.grouping import grouped


class Barred(Refused):
    """The member may not take this seat: they held another one of the batch, have decided pairs of
    it, or could read its ratings."""


class SeatChanges:
    """Seats that change hands in one transaction, with one reason.

    Made, it locks all that decides on them. `give` takes a seat for a member or refuses; `write`
    writes what was taken. Part of the caller's transaction.
    """

    def __init__(
        self,
        seats: Iterable[Seat],
        members: Iterable[Membership | None],
        *,
        by: User | None,
        reason: str,
    ) -> None:
        self.by, self.reason = by, reason
        batch_ids = {seat.batch_id for seat in seats}
        batches = Batch.objects.select_related("collection").order_by("pk")
        self._batches = batches.select_for_update(no_key=True, of=("self",)).in_bulk(batch_ids)
        self._seats = _lock_seats(self._batches.values())
        self._locked_topics = lock_topics(self._batches.values())
        takers = {member.pk for member in members if member}
        # Their roles, after batches and seats and in one order: a change of roles waits, or has
        # been seen.
        members_in_order = Membership.objects.select_for_update(no_key=True).order_by("pk")
        self._members = members_in_order.in_bulk(takers)
        self._bars = _bars_of(self._batches.values()) if takers else {}
        self._taken: list[tuple[Seat, Membership | None]] = []

    def now(self, seat: Seat) -> Seat:
        """The seat as it is, locked."""
        return self._seats[seat.pk]

    def give(self, seat: Seat, member: Membership | None) -> None:
        """Take a seat as it is `now` for a member, or to be freed; nothing if it is theirs.

        Raises Locked, Invalid or Barred.
        """
        if topic := self._locked_topics.get(seat.batch_id):
            raise Locked(f"Topic {topic} is locked. Unlock it first.")
        if seat.holder_id == (member.pk if member else None):
            return
        if seat.handed_in_at:
            raise Locked("The seat is handed in. Return it before you give it to somebody else.")
        if member:
            member = self._members[member.pk]
            self._check(seat, member)
        if not self.reason.strip() and seat.ratings.exists():
            raise Invalid("The seat has ratings. Say why it changes hands.")
        if member:
            self._bars[seat.batch_id][member.pk] = Bar(Why.HELD, seat.pk)
        self._taken.append((seat, member))

    def write(self) -> list[Seat]:
        """Write the seats that were taken, with their tenures and their trail; returns them."""
        self._write_tenures()
        for member, seats in grouped((member, seat.pk) for seat, member in self._taken).items():
            Seat.objects.filter(pk__in=seats).update(holder=member, handovers=F("handovers") + 1)
        record_all([self._event(seat, member) for seat, member in self._taken])
        for seat, member in self._taken:
            seat.holder = member
            seat.handovers += 1
        return [seat for seat, _ in self._taken]

    def _check(self, seat: Seat, member: Membership) -> None:
        collection = self._batches[seat.batch_id].collection
        is_there = member.collection_id == collection.pk and not member.removed_at
        if not is_there or not member.is_annotator:
            raise Invalid(f"{member} is not an annotator of this collection.")
        bar = self._bars[seat.batch_id].get(member.pk)
        if bar and bar.seat != seat.pk:
            raise Barred(bar.sentence(member, seat.batch))

    def _write_tenures(self) -> None:
        """A tenure for each member who holds a seat for the first time."""
        stored = Tenure.objects.filter(batch__in={seat.batch_id for seat, _ in self._taken})
        known = set(stored.values_list("batch", "member"))
        Tenure.objects.bulk_create(
            Tenure(batch_id=seat.batch_id, seat=seat, member=member)
            for seat, member in self._taken
            if member and (seat.batch_id, member.pk) not in known
        )

    def _event(self, seat: Seat, member: Membership | None) -> Event:
        return event(
            Verb.ASSIGN_SEAT,
            seat,
            by=self.by,
            collection=self._batches[seat.batch_id].collection,
            before={"holder": seat.holder and seat.holder.public_id},
            after={"holder": member and member.public_id},
            reason=self.reason,
        )


def lock_topics(batches: Iterable[Batch]) -> dict[int, str]:
    """{batch: a topic of it that a lead has locked}, by ids; no topic of them all can be locked
    until the transaction ends."""
    pairs = Pair.objects.filter(batch__in=[batch.pk for batch in batches])
    topics = Topic.objects.filter(pk__in=pairs.values("topic")).order_by("pk")
    topics = topics.select_for_update(no_key=True, of=("self",))
    locked = {topic.pk: topic.external_id for topic in topics if topic.is_locked}
    if not locked:
        return {}
    held = pairs.filter(topic__in=locked).order_by("-topic").values_list("batch", "topic")
    return {batch: locked[topic] for batch, topic in held.distinct()}


def _lock_seats(batches: Iterable[Batch]) -> dict[int, Seat]:
    """All seats of the batches by id: this waits for ratings that are being saved, and a later one
    waits for this transaction."""
    by_id = {batch.pk: batch for batch in batches}
    seats = Seat.objects.filter(batch__in=by_id).select_related("holder").order_by("pk")
    locked = {seat.pk: seat for seat in seats.select_for_update(no_key=True, of=("self",))}
    for seat in locked.values():
        seat.batch = by_id[seat.batch_id]
    return locked


def _bars_of(batches: Iterable[Batch]) -> Bars:
    bars: Bars = defaultdict(dict)
    for collection, ids in grouped((batch.collection, batch.pk) for batch in batches).items():
        bars |= bars_of(collection, within=ids)
    return bars
