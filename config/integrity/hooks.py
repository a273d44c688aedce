"""Hooks are what the trail says of them, and what goes to them is what they may be told."""

import json
import re
from urllib.parse import urlsplit
from uuid import UUID

from audit.models import Event
from audit.verbs import Verb
from webhooks.kinds import BY_NAME, COUNTED, SUBJECTS, TEST
from webhooks.models import Delivery, Hook, Try

# All that a body may hold (webhooks/outbox.py).
BODY = {"id", "kind", "at", "collection", "subject", "counts"}
TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z")


def hook_findings(using):
    """Yield a sentence for every hook or delivery that is not what it should be."""
    yield from _hooks(using)
    yield from _deliveries(using)


def _hooks(using):
    in_trail = _hooks_in_trail(using)
    for hook in Hook.objects.using(using).order_by("pk"):
        subject = f"The webhook {hook.public_id}"
        traced = in_trail.pop(str(hook.public_id), None)
        if traced is None:
            yield f"{subject} has no event in the trail."
        elif traced["kinds"] != hook.kinds or traced["host"].lower() not in _hosts(hook.address):
            yield f"{subject} has another host or other kinds than the trail says."
        elif traced["is_on"] != hook.is_on:
            yield f"{subject} is on where the trail says it is off, or the reverse."
    for public_id in in_trail:
        yield f"The trail knows the webhook {public_id}, which is gone."


def _hosts(address):
    """The host of an address, with its port, if it has one, and without, as hooks that were added
    earlier left it in the trail."""
    parts = urlsplit(address.lower())
    return {parts.netloc, parts.hostname}


def _hooks_in_trail(using):
    """{public id: host, kinds and whether it is on} of hooks that were added and not removed."""
    hooks = {}
    events = Event.objects.using(using).filter(subject_type=Hook._meta.label_lower)
    for subject, verb, after in events.order_by("id").values_list("subject_id", "verb", "after"):
        match verb:
            case Verb.ADD_WEBHOOK:
                hooks[subject] = after | {"is_on": True}
            case Verb.CHANGE_WEBHOOK:
                hooks[subject] |= after
            case Verb.TURN_WEBHOOK_ON | Verb.TURN_WEBHOOK_OFF:
                hooks[subject]["is_on"] = verb == Verb.TURN_WEBHOOK_ON
            case Verb.REMOVE_WEBHOOK:
                hooks.pop(subject, None)
    return hooks


def _deliveries(using):
    answered = set(
        Try.objects.using(using)
        .filter(status__gte=200, status__lt=300)
        .values_list("delivery", flat=True)
    )
    rows = Delivery.objects.using(using).order_by("pk").select_related("hook__collection")
    for delivery in rows.iterator():
        subject = f"The delivery {delivery.public_id}"
        if not _is_plain(delivery):
            yield f"{subject} holds fields that its kind does not have."
        if delivery.kind != TEST and not _has_event(delivery, using):
            yield f"{subject} is about no event of its kind in the trail of its collection."
        if delivery.state == Delivery.State.DELIVERED and delivery.pk not in answered:
            yield f"{subject} counts as delivered, and no try of it was answered so."


def _is_plain(delivery):
    """Whether a body holds its kind, ids and counts alone."""
    try:
        body = json.loads(delivery.body)
        return (
            set(body) == BODY
            and (body["id"], body["kind"]) == (str(delivery.public_id), delivery.kind)
            and TIME.fullmatch(body["at"]) is not None
            and body["collection"] == delivery.hook.collection.slug
            and set(body["subject"]) == {"type", "id"}
            and body["subject"]["type"] == SUBJECTS.get(delivery.kind)
            and str(UUID(body["subject"]["id"])) == body["subject"]["id"]
            and body["counts"].keys() <= COUNTED
            and all(type(count) is int for count in body["counts"].values())
        )
    except (ValueError, TypeError, AttributeError):
        return False


def _has_event(delivery, using):
    kind = BY_NAME.get(delivery.kind)
    events = Event.objects.using(using).of_collection(delivery.hook.collection)
    return bool(kind) and events.filter(pk=delivery.event, verb__in=kind.verbs).exists()
