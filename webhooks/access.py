"""Access to hooks and what they sent, for leads of the collection alone."""

from uuid import UUID

from django.db.models import Exists, OuterRef, QuerySet

from accounts.models import User
from annotation.models import Batch, Pair, Seat
from audit.models import Event
from datasets.access import get_for, no_object
from datasets.models import Collection, Membership, Role
from webhooks.models import Delivery, Hook


def get_hook(user: User, public_id: UUID) -> tuple[Hook, Membership]:
    return get_for(user, Role.LEAD, Hook.objects, public_id)


def get_delivery(user: User, public_id: UUID) -> tuple[Delivery, Membership]:
    delivery, member = get_for(
        user, Role.LEAD, Delivery.objects, public_id, path="hook__collection"
    )
    if not visible_deliveries(user, member.collection).filter(pk=delivery.pk).exists():
        raise no_object()
    return delivery, member


def visible_deliveries(user: User, collection: Collection) -> QuerySet[Delivery]:
    """What the hooks of a collection were sent, without what is about an unfinished batch in which
    this lead rates or rated. That was sent while the batch was finished; a seat was returned since.
    """
    deliveries = Delivery.objects.filter(hook__collection=collection)
    blind = Batch.objects.filter(collection=collection).blind_to(user)
    if not blind.exists():
        return deliveries
    batches = blind.values("pk")
    hidden = Event.objects.with_ids(pair_id=Pair, seat_id=Seat).filter(
        Exists(Pair.objects.filter(batch__in=batches, public_id=OuterRef("pair_id")))
        | Exists(Seat.objects.filter(batch__in=batches, public_id=OuterRef("seat_id"))),
        pk=OuterRef("event"),
    )
    return deliveries.filter(~Exists(hidden))
