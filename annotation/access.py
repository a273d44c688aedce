"""One loader per object: who may open it, and the answer to everybody else.

Not a member: 404. A member whose roles never allow it: 403. A role that allows it, but not on
this object: 404, as if it did not exist.
"""

from uuid import UUID

from django.db.models import F, OuterRef, QuerySet, Subquery
from django.http import Http404

from accounts.models import User
from annotation.models import Batch, Pair, Rating, Scheme, SchemeVersion, Seat, Tenure
from audit.statements import Select
from datasets.access import get_for, no_object
from datasets.models import Collection, Membership, Role, Topic
from datasets.models.imports import active

# Of a seat or a pair: the version of the scheme that new ratings are made under.
CURRENT_VERSION = Subquery(
    SchemeVersion.objects.filter(scheme=OuterRef("batch__collection__scheme"))
    .order_by("-number")
    .values("pk")[:1]
)
OF_A_COLLECTION = ["description", "licence", "source", "citation", "extra", "pseudonym_key"]
OF_A_COLLECTION += ["idle_hours", "lead_idle_hours", "leads_need_second_factor", "created_at"]
OF_A_HOLDER = ["external_id", "readable_id", "created_at"]


def seats_at_work(user: User | int) -> QuerySet[Seat]:
    """The seats that a person holds, with batch, collection and scheme at hand, and `version_id`,
    which is CURRENT_VERSION."""
    return (
        Seat.objects.of(user)
        .select_related("batch__collection__scheme", "holder")
        # What no page of a seat shows: every save would fetch it.
        .defer(
            *("batch__drawn", "batch__created_at"),
            *(f"batch__collection__{name}" for name in OF_A_COLLECTION),
            *(f"holder__{name}" for name in OF_A_HOLDER),
        )
        .filter(active("batch__"))
        .annotate(version_id=CURRENT_VERSION)
    )


SEAT = Select(
    lambda user, public_id: seats_at_work(user).filter(public_id=public_id).order_by(), int, UUID
)


class TakenBack(Http404):
    """The seat was this member's, until a lead took it back or gave it to somebody else."""


def get_seat(user: User, public_id: UUID) -> Seat:
    """The seat of its present holder, as of `seats_at_work`. Whoever held it before is told so."""
    seat = SEAT.first(user.pk, public_id)
    if seat is not None:
        return seat
    held = Tenure.objects.filter(
        active("batch__"),
        seat__public_id=public_id,
        member__user=user,
        member__removed_at=None,
    )
    if held.exclude(seat__holder=F("member")).exists():
        raise TakenBack("A lead took this seat back.")
    raise Http404("There is no such seat.")


def get_scheme(collection: Collection) -> Scheme:
    """404 as long as nobody has given the collection one."""
    if not hasattr(collection, "scheme"):
        raise Http404("The collection has no scheme yet.")
    return collection.scheme


def get_batch_for_lead(user: User, public_id: UUID) -> tuple[Batch, Membership]:
    return get_for(user, Role.LEAD, Batch.objects, public_id)


def get_seat_for_lead(user: User, public_id: UUID) -> tuple[Seat, Membership]:
    seat, member = get_for(user, Role.LEAD, Seat.objects, public_id, path="batch__collection")
    if not Batch.objects.filter(pk=seat.batch_id).exists():
        raise no_object()
    return seat, member


def get_topic_for_lead(user: User, public_id: UUID) -> tuple[Topic, Membership]:
    return get_for(user, Role.LEAD, Topic.objects, public_id)


def get_pair_for_lead(user: User, public_id: UUID) -> tuple[Pair, Membership]:
    """A pair with what a lead may see of it; not one of a batch they themselves are rating.

    The role is asked first: an annotator is told the same before and after a batch is finished.
    """
    pairs = Pair.objects.select_related("document", "batch", "side_text")
    pair, member = get_for(user, Role.LEAD, pairs, public_id, path="topic__collection")
    _refuse_hidden(pair.pk, user)
    return pair, member


def get_flag_for_lead(user: User, public_id: UUID) -> tuple[Rating, Membership]:
    """A rating with a flag, as `get_pair_for_lead` gives a pair."""
    path = "pair__topic__collection"
    rating, member = get_for(user, Role.LEAD, Rating.objects, public_id, path=path)
    _refuse_hidden(rating.pair_id, user)
    return rating, member


def _refuse_hidden(pair: int, lead: User) -> None:
    if not Pair.objects.visible_to_lead(lead).filter(pk=pair).exists():
        raise no_object()
