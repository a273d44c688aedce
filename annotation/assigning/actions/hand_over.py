"""Giving away all open seats of somebody who leaves."""

from dataclasses import dataclass

from accounts.models import User
from annotation.assigning.actions.changes import SeatChanges
from annotation.models import Batch, Seat
from audit.refusals import Invalid, Refused
from audit.transactions import one_transaction
from datasets.models import Membership


@dataclass(frozen=True)
class HandedOver:
    """The seats that changed hands, and those that did not, each with why."""

    seats: list[Seat]
    kept_seats: list[tuple[Seat, str]]


def open_seats(*, holder: Membership, seen_by: User) -> list[Seat]:
    """The seats that a member holds and has not handed in. Batches in which the viewer rates are
    left out: there another lead decides."""
    blind = Batch.objects.filter(collection=holder.collection_id).blind_to(seen_by)
    seats = Seat.objects.open().filter(holder=holder).exclude(batch__in=blind.values("pk"))
    return list(seats.select_related("batch", "holder").order_by("batch", "ordinal"))


@one_transaction
def hand_over(*, holder: Membership, to: Membership | None, by: User, reason: str) -> HandedOver:
    """Give every open seat of one member to another, or free them with `to=None`.

    Seats of locked topics, and seats that the other may not take, stay where they are and are
    reported. Ratings keep their author. Raises Invalid without a reason.
    """
    if not reason.strip():
        raise Invalid("Say why the seats change hands; the reason is kept.")
    seats, kept_seats = open_seats(holder=holder, seen_by=by), []
    changes = SeatChanges(seats, [to], by=by, reason=reason.strip())
    for seat in map(changes.now, seats):
        if seat.holder_id != holder.pk:
            continue  # somebody else's meanwhile
        try:
            changes.give(seat, to)
        except Refused as refused:
            kept_seats.append((seat, str(refused)))
    return HandedOver(changes.write(), kept_seats)
