"""Actions of leads on hooks."""

from collections.abc import Iterable
from urllib.parse import urlsplit

from django.conf import settings
from django.db import transaction
from django.db.models.functions import Now
from django.utils import timezone

from accounts.models import User
from audit.actions import record
from audit.refusals import Invalid, Refused
from audit.transactions import locked, one_transaction
from audit.verbs import Verb
from datasets.models import Collection
from webhooks.addresses import read_address
from webhooks.kinds import BY_NAME, SUBJECTS, TEST, Message
from webhooks.models import Delivery, Hook, new_salt
from webhooks.outbox import new_delivery, newest_seal
from webhooks.signing import secret_of

MOST_HOOKS = 10


@one_transaction
def add_hook(
    *, collection: Collection, address: str, kinds: Iterable[str], by: User
) -> tuple[Hook, str]:
    """A new hook and its secret, which is shown this once. It is told of what happens from now."""
    locked(collection)
    if collection.hooks.count() >= MOST_HOOKS:
        raise Refused(f"A collection has at most {MOST_HOOKS} webhooks. Remove one first.")
    hook = Hook(collection=collection, created_by=by, sealed_through=newest_seal())
    _set(hook, address, kinds)
    hook.save(force_insert=True)
    record(Verb.ADD_WEBHOOK, hook, by=by, after=_trace(hook))
    return hook, secret_of(hook)


@one_transaction
def change_hook(*, hook: Hook, address: str, kinds: Iterable[str], by: User) -> Hook:
    """Change a hook's address or kinds. What waits already goes to the new address."""
    hook = _locked(hook)
    before, address_before = _trace(hook), hook.address
    _set(hook, address, kinds)
    if (_trace(hook), hook.address) != (before, address_before):
        hook.save(update_fields=["address", "kinds"])
        record(Verb.CHANGE_WEBHOOK, hook, by=by, before=before, after=_trace(hook))
    return hook


@one_transaction
def renew_secret(*, hook: Hook, by: User) -> str:
    """A new secret, shown this once. The one before signs nothing any more."""
    hook = _locked(hook)
    hook.salt = new_salt()
    hook.save(update_fields=["salt"])
    record(Verb.RENEW_WEBHOOK_SECRET, hook, by=by)
    return secret_of(hook)


@one_transaction
def turn_off(*, hook: Hook, by: User) -> Hook:
    """Deliver nothing more, and collect nothing more."""
    hook = _locked(hook)
    if hook.is_on:
        hook.off = Hook.Off.BY_LEAD
        hook.save(update_fields=["off"])
        record(Verb.TURN_WEBHOOK_OFF, hook, by=by)
    return hook


@one_transaction
def turn_on(*, hook: Hook, by: User) -> Hook:
    """Deliver again: what waited since before, at once, and what happens from now on."""
    hook = _locked(hook)
    if not hook.is_on:
        hook.off, hook.failures = "", 0
        hook.failing_since = hook.quiet_until = None
        hook.sealed_through = newest_seal()
        hook.save(
            update_fields=["off", "failures", "failing_since", "quiet_until", "sealed_through"]
        )
        waiting = hook.deliveries.filter(state=Delivery.State.WAITING)
        waiting.free().update(next_try_at=Now(), failures=0, failing_since=None)
        record(Verb.TURN_WEBHOOK_ON, hook, by=by)
        _deliver_soon()
    return hook


@one_transaction
def remove_hook(*, hook: Hook, by: User) -> None:
    """Forget a hook with everything that was or is to be delivered to it."""
    hook = _locked(hook)
    record(Verb.REMOVE_WEBHOOK, hook, by=by, before=_trace(hook))
    hook.delete()


@one_transaction
def send_test(*, hook: Hook, by: User) -> Delivery:
    """Deliver a body of the kind "test". It is tried once."""
    hook = _locked(hook)
    _refuse_if_off(hook)
    message = Message(str(hook.public_id), {})
    delivery = new_delivery(hook, TEST, timezone.now(), SUBJECTS[TEST], message)
    delivery.asked_by = by
    delivery.save(force_insert=True)
    _deliver_soon()
    return delivery


@one_transaction
def resend(*, delivery: Delivery, by: User) -> Delivery:
    """Send a delivery once more, the same bytes under the same id, whatever became of it."""
    hook = _locked(delivery.hook)
    _refuse_if_off(hook)
    free = Delivery.objects.free().filter(pk=delivery.pk)
    if not free.update(
        state=Delivery.State.WAITING, next_try_at=Now(), failures=0, failing_since=None, asked_by=by
    ):
        raise Refused("It is being sent at this moment. Look again in a few seconds.")
    _deliver_soon()
    delivery.refresh_from_db()
    return delivery


def _refuse_if_off(hook: Hook) -> None:
    if not hook.is_on:
        raise Refused("The webhook is off. Turn it on first.")


def _locked(hook: Hook) -> Hook:
    hooks = Hook.objects.select_related("collection")
    return hooks.select_for_update(no_key=True, of=("self",)).get(pk=hook.pk)


def _set(hook: Hook, address: str, kinds: Iterable[str]) -> None:
    names = set(kinds)
    if not names:
        raise Invalid("Choose at least one kind of event.")
    if unknown := sorted(names - BY_NAME.keys()):
        raise Invalid(f"There is no kind of event {unknown[0]!r}.")
    read_address(address, allows_loopback=settings.WEBHOOKS_TO_LOOPBACK)
    hook.address = address
    hook.kinds = [name for name in BY_NAME if name in names]


def _trace(hook: Hook) -> dict[str, object]:
    """A hook as the trail records it: the host alone, for the rest of an address may be a key."""
    return {"host": urlsplit(hook.address).netloc, "kinds": hook.kinds}


def _deliver_soon() -> None:
    """Send a message now instead of waiting for the worker's clock. Without a broker the clock does
    it later."""
    # The task imports modules that import this one.
    from webhooks.tasks import send_message

    transaction.on_commit(send_message, robust=True)
