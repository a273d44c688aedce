"""Seats and their holders, from assignment to hand-in."""

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.db.models.functions import Now

from accounts.models import User
from annotation.assigning.actions.changes import SeatChanges, lock_topics
from annotation.assigning.seats import SeatRow
from annotation.models import Batch, Pair, Seat, Tenure
from annotation.rating.settle import lock_pairs, settle
from annotation.reading.text_hashes import judged_texts
from audit.actions import record
from audit.refusals import Invalid, Locked, NotAllowed, Refused, Stale
from audit.transactions import locked, one_transaction
from audit.verbs import Verb
from datasets.models import Membership


class Unfinished(Refused):
    """Pairs of the seat have no answer yet; `count` is how many."""

    def __init__(self, message: str, *, count: int) -> None:
        super().__init__(message)
        self.count = count


UNKNOWN = object()


@one_transaction
def assign_seat(
    *, seat: Seat, member: Membership | None, by: User, reason: str = "", seen_holder: Any = UNKNOWN
) -> Seat:
    """Give a seat to a member, or free it with `member=None`.

    Ratings of an earlier holder keep their author; the successor rates only what is unrated. Who
    ever held a seat of the batch holds no other in it, but may be given the same one again. A seat
    with ratings changes hands only with a reason. `seen_holder` is the holder (or None) that the
    lead had in view. Raises Stale when the seat has another holder by now.
    """
    changes = SeatChanges([seat], [member], by=by, reason=reason)
    seat = changes.now(seat)
    if seen_holder is not UNKNOWN and seat.holder != seen_holder:
        raise _taken(seat.holder)
    changes.give(seat, member)
    changes.write()
    return seat


def assign_shown(
    *, row: SeatRow, seat: Seat, seen: UUID | None, to: UUID | None, reason: str, by: User
) -> Seat:
    """Give a seat, or free it, as a lead does who reads its row; `seen`, the holder in view, and
    `to` are public ids. Raises Stale or Invalid by what this lead may know of the seat."""
    holder = row.seat.holder
    if seen != (holder and holder.public_id):
        raise _taken(holder)
    takers = {member.public_id: member for member in [*row.eligible, holder] if member}
    if to is not None and to not in takers:
        raise Invalid(
            "This person cannot take the seat: not an annotator, a rater of the batch already, or "
            "one who could have read its ratings."
        )
    if row.needs_reason and not reason.strip():
        raise Invalid("Say why the seat changes hands.")
    member = takers[to] if to else None
    return assign_seat(seat=seat, member=member, by=by, reason=reason, seen_holder=holder)


def _taken(holder: Membership | None) -> Stale:
    return Stale(f"{holder or 'Nobody'} holds this seat now. Nothing was changed.")


@one_transaction
def apply_plan(*, assignments: Iterable[tuple[Seat, Membership]], by: User) -> list[Seat]:
    """Assign many free seats, `[(seat, member), ...]`, all of them or none.

    Raises Stale when one of them has been taken since the plan was made.
    """
    in_order = sorted(
        assignments, key=lambda assignment: (assignment[0].batch_id, assignment[0].ordinal)
    )
    seats, members = [seat for seat, _ in in_order], [member for _, member in in_order]
    if len({seat.pk for seat in seats}) < len(seats):
        raise Invalid("The plan gives a seat twice. Nothing was assigned.")
    changes = SeatChanges(seats, members, by=by, reason="balanced plan")
    for seat in seats:
        if (now := changes.now(seat)).holder is not None:
            raise Stale(f"{now} was taken meanwhile. Nothing was assigned.")
    for seat, member in in_order:
        changes.give(changes.now(seat), member)
    return changes.write()


@one_transaction
def hand_in(*, seat: Seat, by: User) -> Seat:
    """Close a seat whose every pair is answered; the last one of a batch settles its pairs."""
    batch, seat = lock_seat(seat)
    if seat.holder is None or seat.holder.user_id != by.pk:
        raise NotAllowed("This seat is held by somebody else.")
    if seat.handed_in_at:
        return seat
    unrated = batch.pairs.exclude(ratings__seat=seat).count()
    if unrated:
        pairs = "pair has" if unrated == 1 else "pairs have"
        raise Unfinished(f"{unrated:,} {pairs} no answer yet.", count=unrated)
    Seat.objects.filter(pk=seat.pk).update(handed_in_at=Now(), return_reason="")
    seat.refresh_from_db(fields=["handed_in_at", "return_reason"])
    record(
        Verb.HAND_IN_SEAT,
        seat,
        by=by,
        collection=batch.collection,
        after={"texts": judged_texts(batch.pk)} | _completion(batch),
    )
    settle_batch(batch)
    return seat


def _completion(batch: Batch) -> dict[str, Any]:
    """The trail's note on a hand-in that completes its batch, as the trail does not count seats. A
    hand-in that completes nothing takes as many statements."""
    seats = list(batch.seats.values_list("handed_in_at", flat=True))
    pairs = batch.pairs.count()
    if None in seats:
        return {}
    return {"completed_batch": completion(batch, pairs, len(seats))}


def completion(batch: Batch, pairs: int, seats: int) -> dict[str, Any]:
    return {"batch": str(batch.public_id), "pairs": pairs, "seats": seats}


@one_transaction
def return_seat(*, seat: Seat, by: User, reason: str) -> Seat:
    """Give a whole handed-in seat back to its holder; its batch leaves the adjudicator's queue.

    Decisions that stand keep standing; consensus gold is withdrawn until the seat is handed in
    again. The seat of somebody who could read the batch's ratings is freed instead, and not by
    themselves: their own ratings are fixed, and the seat is returned for somebody else.
    """
    batch, seat = lock_seat(seat)
    refuse_if_locked(batch)
    if not reason.strip():
        raise Invalid("Say why the seat is returned; its holder reads it.")
    holder = seat.holder
    if holder is None or not seat.handed_in_at:
        raise Refused("The seat is not handed in, so its holder can still change every rating.")
    seat.handed_in_at, seat.return_reason = None, reason.strip()
    if could_read(seat):
        if holder.user_id == by.pk:
            raise Refused(OWN_SEAT_IS_FIXED)
        seat.holder, seat.return_reason = None, ""
        seat.handovers += 1
    seat.save(update_fields=["holder", "handovers", "handed_in_at", "return_reason"])
    record(
        Verb.RETURN_SEAT,
        seat,
        by=by,
        collection=batch.collection,
        before={"holder": holder.public_id},
        after={"holder": seat.holder and seat.holder.public_id},
        reason=reason,
    )
    settle_batch(batch)
    return seat


OWN_SEAT_IS_FIXED = (
    "You can read the ratings of this batch since it was finished, so your own are fixed. Another "
    "lead may return the seat, to give it to somebody else."
)


def could_read(seat: Seat) -> bool:
    """Whether the holder could read others' ratings at a moment when the whole batch was handed in:
    as a lead, or as an adjudicator of what they had not rated."""
    tenures = Tenure.objects.filter(seat=seat, member=seat.holder_id)
    return tenures.exclude(could_read_since=None).exists()


def settle_batch(batch: Batch) -> None:
    """Settle every pair of a locked batch."""
    settle(lock_pairs(Pair.including_inactive.filter(batch=batch)), batch=batch)


def lock_seat(seat: Seat) -> tuple[Batch, Seat]:
    """The batch and the seat, both locked, read afresh."""
    batch = Batch.objects.select_for_update(no_key=True, of=("self",)).get(pk=seat.batch_id)
    return batch, locked(seat)


def refuse_if_locked(batch: Batch) -> None:
    """Refuse when a lead has locked one of the batch's topics; none can be locked meanwhile."""
    for topic in lock_topics([batch]).values():
        raise Locked(f"Topic {topic} is locked. Unlock it first.")
