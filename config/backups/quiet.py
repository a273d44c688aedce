"""Webhooks and tokens, which a restored installation does not use again by itself. It may be a copy
beside the running installation: receivers would hear everything twice, and tokens revoked since the
backup would work again.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from django.db import models
from django.db.models.functions import Now

from audit.actions import event, record_all
from audit.transactions import one_transaction
from audit.verbs import Verb
from datasets.models import Token
from webhooks.models import Hook

HOOKS, TOKENS = "webhooks_hook", "datasets_token"
# What every version with hooks knows.
OFF = "by-lead"
REASON = "Restored from a backup."


@dataclass(frozen=True)
class Quiet:
    """Ids of the hooks that were on and of the tokens that were good in the backup."""

    hooks: list[int]
    tokens: list[int]


def quieten(tables: Mapping[str, type[models.Model]]) -> Quiet:
    """Turn hooks off and let tokens expire, in the transaction that writes their rows. `tables`
    are models of the backup's version."""
    hooks, tokens = [], []
    if HOOKS in tables:
        on = tables[HOOKS]._base_manager.filter(off="")
        hooks = list(on.values_list("pk", flat=True))
        on.update(off=OFF)
    if TOKENS in tables:
        good = tables[TOKENS]._base_manager.filter(revoked_at=None, expires_at__gt=Now())
        tokens = list(good.values_list("pk", flat=True))
        good.update(expires_at=Now())
    return Quiet(hooks, tokens)


@one_transaction
def record_in_trail(quiet: Quiet) -> None:
    """Say so on the hooks' pages and in the trail, once this version's tables are there."""
    hooks = Hook.objects.filter(pk__in=quiet.hooks)
    hooks.update(off=Hook.Off.COPIED)
    tokens = Token.objects.filter(pk__in=quiet.tokens)
    # Of no collection: what it has and exports is as it was, to the last byte.
    record_all(
        event(verb, subject, by=None, collection=None, reason=REASON)
        for verb, subjects in [(Verb.TURN_WEBHOOK_OFF, hooks), (Verb.END_TOKEN, tokens)]
        for subject in subjects
    )
