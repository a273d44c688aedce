"""Webhooks, which tell other servers what happened."""

from typing import Any

from rest_framework import serializers

from api.writes.call import Call, calling
from api.writes.targets import DELIVERY, HOOK
from api.writes.write import HOME, ROW, Write
from webhooks import actions
from webhooks.forms import HookForm

OF_HOOK = f"{HOME}/hooks/{ROW}"
SECRET: dict[str, serializers.Field] = {
    "secret": serializers.CharField(help_text="Signs every delivery. Shown once.")
}


def _add_hook(call: Call) -> dict[str, Any]:
    hook, secret = actions.add_hook(collection=call.collection, by=call.user, **call.fields)
    return {"id": hook.public_id, "secret": secret}


def _standing(call: Call) -> dict[str, Any]:
    return {"initial": {"address": call.target.address, "kinds": call.target.kinds}}


WRITES = [
    Write(
        "add-hook",
        "Tell an address of some kinds of events.",
        f"{HOME}/hooks",
        _add_hook,
        form=HookForm,
        answer={"id": serializers.UUIDField(help_text="The hook's public id.")} | SECRET,
    ),
    Write(
        "change-hook",
        "Change the address of a hook, or its kinds of events.",
        OF_HOOK,
        calling(actions.change_hook),
        HOOK,
        form=HookForm,
        options=_standing,
        method="patch",
    ),
    Write(
        "remove-hook",
        "Remove a hook, with its deliveries.",
        OF_HOOK,
        calling(actions.remove_hook),
        HOOK,
        method="delete",
    ),
    Write(
        "renew-secret",
        "Give a hook another secret. The one before signs nothing any more.",
        f"{OF_HOOK}/secret",
        calling(actions.renew_secret, lambda secret: {"secret": secret}),
        HOOK,
        answer=SECRET,
        status=200,
    ),
    Write("turn-on", "Turn a hook on.", f"{OF_HOOK}/turn-on", calling(actions.turn_on), HOOK),
    Write("turn-off", "Turn a hook off.", f"{OF_HOOK}/turn-off", calling(actions.turn_off), HOOK),
    Write("send-test", "Send a test.", f"{OF_HOOK}/test", calling(actions.send_test), HOOK),
    Write(
        "resend",
        "Send a delivery again.",
        f"{HOME}/deliveries/{ROW}/resend",
        calling(actions.resend),
        DELIVERY,
    ),
]
