"""Access to hooks, for leads of the collection alone."""

from uuid import UUID

from django.http import Http404

from accounts.models import User
from datasets.access import get_membership
from datasets.models import Membership, Role
from webhooks.models import Delivery, Hook


def get_hook(user: User, public_id: UUID) -> tuple[Hook, Membership]:
    hook = Hook.objects.select_related("collection").filter(public_id=public_id).first()
    if hook is None:
        raise Http404("There is no such webhook.")
    return hook, get_membership(user, hook.collection.slug, Role.LEAD)


def get_delivery(user: User, public_id: UUID) -> tuple[Delivery, Membership]:
    deliveries = Delivery.objects.select_related("hook__collection")
    delivery = deliveries.filter(public_id=public_id).first()
    if delivery is None:
        raise Http404("There is no such delivery.")
    return delivery, get_membership(user, delivery.hook.collection.slug, Role.LEAD)
