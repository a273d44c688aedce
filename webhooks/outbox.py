"""From the trail to what is to be delivered.

Every event of the trail is in one seal, also one that was committed after others with higher ids.
So a hook that reads seal by seal meets each event once. A seal is made every minute.
"""

import json
from datetime import UTC, datetime
from uuid import uuid4

from django.db.models import Max

from audit.chain import Seal
from audit.models import Event
from audit.transactions import one_transaction
from audit.verbs import Verb
from webhooks.kinds import BY_NAME, BY_VERB, Kind, Message
from webhooks.models import Delivery, Hook

SEALS_AT_ONCE = 50


def newest_seal() -> int:
    """The number of the last seal of the trail, 0 where there is none."""
    return Seal.objects.order_by("-number").values_list("number", flat=True).first() or 0


def collect() -> int:
    """Queue what new seals hold for every hook that is on; says how many deliveries that makes."""
    newest = newest_seal()
    count = 0
    for hook in Hook.objects.filter(off="", sealed_through__lt=newest):
        through = hook.sealed_through
        while through < newest:
            through, deliveries = _read_seals(hook=hook, before=through)
            count += deliveries
    return count


@one_transaction
def _read_seals(*, hook: Hook, before: int) -> tuple[int, int]:
    """Queue what the next seals hold: (the last of them, how many deliveries). If two workers read
    them at once, only one moves the hook on."""
    following = Seal.objects.filter(number__gt=before, number__lte=before + SEALS_AT_ONCE)
    seals = list(following.order_by("number"))
    through = max(seal.number for seal in seals)
    unmoved = Hook.objects.filter(pk=hook.pk, off="", sealed_through=before)
    if not unmoved.update(sealed_through=through):
        return through, 0
    hook = Hook.objects.select_related("collection").get(pk=hook.pk)
    ranges = [(low, high) for seal in seals for low, high in seal.ranges]
    deliveries = [
        _delivery(hook, event, kind, message)
        for event, kind, message in _events_to_send(hook, ranges)
    ]
    Delivery.objects.bulk_create(deliveries, batch_size=500)
    return through, len(deliveries)


def _events_to_send(hook: Hook, ranges: list[tuple[int, int]]) -> list[tuple[Event, Kind, Message]]:
    """Events of the hook's kinds since it was added, or turned on last, each with its message."""
    verbs = [verb for name in hook.kinds if name in BY_NAME for verb in BY_NAME[name].verbs]
    beginnings = Event.objects.about(hook).filter(verb__in=[Verb.ADD_WEBHOOK, Verb.TURN_WEBHOOK_ON])
    # By the order of the trail: clocks are set back.
    since = beginnings.aggregate(last=Max("id"))["last"] or 0
    events = Event.objects.of_collection(hook.collection).filter(verb__in=verbs, id__gt=since)
    messages = []
    for event in events.in_ranges(ranges):
        kind = BY_VERB[event.verb]
        if (of_event := kind.tell(event, hook.collection)) is not None:
            messages.append((event, kind, of_event))
    return messages


def _delivery(hook: Hook, event: Event, kind: Kind, message: Message) -> Delivery:
    delivery = new_delivery(hook, kind.name, event.at, kind.subject, message)
    delivery.event = event.pk
    return delivery


def new_delivery(hook: Hook, kind: str, at: datetime, subject: str, message: Message) -> Delivery:
    """A delivery with the JSON that is sent and signed. Its id is random: one that counted would
    tell how much others have rated in between."""
    public_id = uuid4()
    content = {
        "id": str(public_id),
        "kind": kind,
        "at": f"{at.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}",
        "collection": hook.collection.slug,
        "subject": {"type": subject, "id": message.subject},
        "counts": message.counts,
    }
    body = json.dumps(content, separators=(",", ":"))
    return Delivery(public_id=public_id, hook=hook, kind=kind, body=body)
