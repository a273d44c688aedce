"""What a save finds when it holds its locks."""

from typing import Any
from uuid import UUID

from django.db.models import Exists, F, Q, QuerySet

from accounts.known_sessions import signed_in
from annotation.access import CURRENT_VERSION
from annotation.models import Pair, RatingRevision, Seat
from audit.statements import Select

SEAT = "batch__seats"
HOLDER = f"{SEAT}__holder"
SCHEME = "batch__collection__scheme"


def locked_seat(seat: int, *others: Any) -> QuerySet:
    # Without their order, which joins the batch: that is not to be locked.
    return Seat.objects.select_for_update(no_key=True).filter(pk=seat).order_by().values("pk")


def locked_pair(seat: int, pair: int, *others: Any) -> QuerySet:
    pairs = Pair.including_inactive.select_for_update(no_key=True)
    return pairs.filter(pk=pair).order_by().values("pk")


def pair_of_seat(
    seat: int, pair: int, save_id: UUID, edition: UUID, sign_in_digest: str
) -> QuerySet[Pair]:
    """The pair, if the seat's batch has it: a row for each rating that stands, or one without any.

    A row says who holds the seat, whether they may rate, and whether it is handed in. It has all
    that the walk through the seat and its wording follow from, and all that the pair is judged by:
    the batch's overlap, the scheme's rule, the topic's scale. `is_kept` is whether this save was
    kept before, `is_signed_in` whether the session is still the one that was read.
    """
    scale = f"{SCHEME}__scales"
    return (
        Pair.objects.filter(
            Q(**{f"{scale}__facet": ""}) | Q(**{f"{scale}__facet": F("topic__facet")}),
            **{"pk": pair, SEAT: seat},
        )
        .order_by()
        .annotate(
            holder=F(HOLDER),
            user=F(f"{HOLDER}__user"),
            is_annotator=F(f"{HOLDER}__is_annotator"),
            removed_at=F(f"{HOLDER}__removed_at"),
            handed_in_at=F(f"{SEAT}__handed_in_at"),
            handovers=F(f"{SEAT}__handovers"),
            seed=F(f"{SEAT}__seed"),
            way=F("batch__way"),
            version_id=CURRENT_VERSION,
            is_kept=Exists(RatingRevision.objects.filter(save_id=save_id)),
            is_signed_in=signed_in(edition, sign_in_digest),
            overlap=F("batch__overlap"),
            rule=F(f"{SCHEME}__rule"),
            scale=F(scale),
            distance=F(f"{scale}__distance"),
            rating=F("ratings"),
            rated_in=F("ratings__seat"),
            value=F("ratings__option__value"),
        )
    )


# Locks are taken in one order everywhere: batch, seat, pair. Under them a save that is sent again
# sees what it made the first time, and the last of the ratings sees all others.
STANDING = Select(pair_of_seat, int, int, UUID, UUID, str, locks=(locked_seat, locked_pair))
