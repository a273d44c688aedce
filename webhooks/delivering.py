"""Delivering what waits: who may try it, when it is tried again, and when it is given up."""

import random
import time
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db.models import F
from django.db.models.functions import Now

from audit.actions import record
from audit.refusals import Invalid
from audit.transactions import one_transaction
from audit.verbs import Verb
from webhooks.addresses import read_address
from webhooks.kinds import TEST
from webhooks.models import LEASE, Delivery, Hook, Try
from webhooks.sending import Outcome, post
from webhooks.signing import HEADER, secret_of, signature

# How long a worker does this before it looks after other work.
SPELL_SECONDS = 20.0
FIRST_PAUSE = timedelta(minutes=1)
LONGEST_PAUSE = timedelta(days=1)
JITTER = 1.5
PATIENCE = timedelta(days=3)
KEPT = timedelta(days=90)
USER_AGENT = "Facetwise-Webhooks/1"


def deliver_due(seconds: float = SPELL_SECONDS) -> int:
    """Try what is due, for some seconds; says how many deliveries were tried."""
    end = time.monotonic() + seconds
    count = 0
    while time.monotonic() < end and (delivery := claim_next()):
        attempt(delivery)
        count += 1
    return count


def forget_old() -> None:
    """Delete what was delivered or given up long ago, with its tries."""
    done = Delivery.objects.exclude(state=Delivery.State.WAITING)
    done.filter(created_at__lt=Now() - KEPT).delete()


def pause_after(failures: int) -> timedelta:
    """The pause after so many failures in a row: from a minute to a day, at random within half as
    much again, so that deliveries that failed together do not come back together."""
    doubled = FIRST_PAUSE * 2 ** min(failures - 1, 20)
    shortest = min(doubled, LONGEST_PAUSE / JITTER)
    return shortest * random.uniform(1, JITTER)  # noqa: S311 - jitter, not a secret


@one_transaction
def claim_next() -> Delivery | None:
    """Take a delivery that is due, and note the try that begins; None where nothing is.

    Hooks that hear come before hooks that failed, so that a dead receiver keeps nobody waiting. Of
    two workers that look at once, one takes the delivery and the other looks again.
    """
    while True:
        due = Delivery.objects.due().order_by("hook__failures", "next_try_at", "id").first()
        if due is None:
            return None
        free = Delivery.objects.free().filter(
            pk=due.pk, attempts=due.attempts, state=Delivery.State.WAITING
        )
        if free.update(attempts=F("attempts") + 1, claimed_until=Now() + LEASE, asked_by=None):
            break
    due.attempts += 1
    Try.objects.create(delivery=due, number=due.attempts, by=due.asked_by)
    return due


def attempt(delivery: Delivery) -> Outcome:
    """Try a claimed delivery once, outside of any transaction, and keep what came of it."""
    hook = Hook.objects.get(pk=delivery.hook_id)
    body = delivery.body.encode()
    headers = {
        "Content-Type": "application/json",
        "User-Agent": USER_AGENT,
        "Facetwise-Kind": delivery.kind,
        "Facetwise-Delivery": str(delivery.public_id),
        HEADER: signature(secret_of(hook), body, int(time.time())),
    }
    started = time.monotonic()
    allows_loopback = settings.WEBHOOKS_TO_LOOPBACK
    try:
        address = read_address(hook.address, allows_loopback=allows_loopback)
    except Invalid as refused:
        outcome = Outcome(None, str(refused))
    else:
        outcome = post(address, body, headers, allows_loopback=allows_loopback)
    settle(delivery, outcome, milliseconds=round(1000 * (time.monotonic() - started)))
    return outcome


@one_transaction
def settle(delivery: Delivery, outcome: Outcome, *, milliseconds: int) -> None:
    """Keep what came of a try, unless somebody else has taken the delivery over since."""
    hooks = Hook.objects.select_related("collection").annotate(now=Now())
    hook = hooks.select_for_update(no_key=True, of=("self",)).filter(pk=delivery.hook_id).first()
    if hook is None:
        return  # removed meanwhile, with everything that was to be delivered
    Try.objects.filter(delivery=delivery, number=delivery.attempts).update(
        status=outcome.status, sentence=outcome.sentence, milliseconds=milliseconds
    )
    delivery_now = Delivery.objects.filter(pk=delivery.pk, attempts=delivery.attempts).first()
    if delivery_now is None:
        return
    if outcome.is_success:
        _keep(delivery_now, state=Delivery.State.DELIVERED, failures=0, failing_since=None)
        _hears_again(hook)
        return
    failures, failing_since = delivery_now.failures + 1, delivery_now.failing_since or hook.now
    is_over = delivery_now.kind == TEST or hook.now - failing_since >= PATIENCE
    _keep(
        delivery_now,
        state=Delivery.State.GIVEN_UP if is_over else Delivery.State.WAITING,
        failures=failures,
        failing_since=failing_since,
        next_try_at=hook.now + pause_after(failures),
    )
    if delivery_now.kind != TEST:
        _fails_again(hook, hook.now)


def _keep(delivery: Delivery, **values: Any) -> None:
    Delivery.objects.filter(pk=delivery.pk).update(claimed_until=None, **values)


def _hears_again(hook: Hook) -> None:
    """Let deliveries to a receiver that was away be tried at once."""
    if hook.failures > 1:
        waiting = hook.deliveries.filter(state=Delivery.State.WAITING)
        waiting.filter(claimed_until=None).update(next_try_at=Now())
    if hook.failures:
        Hook.objects.filter(pk=hook.pk).update(failures=0, failing_since=None, quiet_until=None)


def _fails_again(hook: Hook, now: datetime) -> None:
    hook.failures += 1
    hook.failing_since = hook.failing_since or now
    hook.quiet_until = now + pause_after(hook.failures)
    if now - hook.failing_since >= PATIENCE and hook.is_on:
        hook.off = Hook.Off.FAILED
        record(Verb.TURN_WEBHOOK_OFF, hook, by=None, reason="Every try failed for three days.")
    hook.save(update_fields=["failures", "failing_since", "quiet_until", "off"])
