"""Webhooks, and what they were sent."""

from operator import not_

from api.columns import Column, Kind, identifier
from api.resources.resource import Resource
from webhooks.access import visible_deliveries
from webhooks.models import Hook

HOOKS = Resource(
    "hooks",
    "Addresses that get events. Secrets are shown when they are made, and never again.",
    (
        identifier("The hook's public id."),
        Column("address", "Where it sends."),
        Column("kinds", "Of which events.", Kind.TEXTS),
        Column("is_on", "Whether it sends.", Kind.FLAG, "off", lambda viewer: not_),
        Column("off", "by-lead or failed, where it is off."),
        Column("created_at", "When it was made.", Kind.TIME),
    ),
    lambda viewer: Hook.objects.filter(collection=viewer.collection),
)
DELIVERIES = Resource(
    "deliveries",
    "Deliveries to hooks, sent or waiting.",
    (
        identifier("The delivery's public id."),
        Column("hook", "The hook's public id.", Kind.ID, "hook__public_id"),
        Column("kind", "The kind of event."),
        Column("body", "The body, exactly as it is sent."),
        Column("state", "waiting, delivered or given-up."),
        Column("attempts", "How often it was tried.", Kind.INTEGER),
        Column("created_at", "When it was made.", Kind.TIME),
    ),
    lambda viewer: visible_deliveries(viewer.user, viewer.collection),
    filters={"hook": "hook__public_id", "state": "state"},
)
