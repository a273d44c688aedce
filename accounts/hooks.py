"""The webhooks of somebody who leads a collection no more, or cannot sign in any more."""

from typing import Any

from accounts.models import User
from audit.actions import record
from audit.models import Event
from audit.verbs import Verb


def turn_hooks_off(account: User, collection: Any, *, by: User) -> None:
    """Turn off the webhooks that somebody made, or was the last to change: their address may be
    their own. A lead can turn them on again."""
    # Webhooks are a floor above; the reverse relation is known here without importing them.
    changes = Event.objects.of_collection(collection).filter(verb=Verb.CHANGE_WEBHOOK)
    last_to_change = dict(changes.order_by("id").values_list("subject_id", "actor"))
    for hook in collection.hooks.select_for_update(no_key=True).filter(off=""):
        if account.pk in (hook.created_by_id, last_to_change.get(str(hook.public_id))):
            hook.off = hook.Off.BY_LEAD
            hook.save(update_fields=["off"])
            record(Verb.TURN_WEBHOOK_OFF, hook, by=by, collection=collection)
