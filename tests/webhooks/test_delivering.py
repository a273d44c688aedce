"""Trying, waiting, giving up: what becomes of a delivery."""

import json
from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.utils import timezone

from audit.models import Event
from config.integrity import findings
from tests.webhooks.receiver import answering
from webhooks import delivering
from webhooks.actions import remove_hook, resend, send_test, turn_off, turn_on
from webhooks.delivering import (
    attempt,
    claim_next,
    deliver_due,
    forget_old,
    pause_after,
    settle,
)
from webhooks.models import Delivery, DeliveryQuerySet, Hook
from webhooks.sending import Outcome
from webhooks.signing import HEADER, secret_of, signature

FAILED = Outcome(500, "The answer was 500.")


@pytest.fixture
def deliveries(study, hook, collected):
    """Three that are due: two decisions follow a batch. The oldest comes first."""
    study.finish(alice=1, bob=1)
    collected()
    first = hook.deliveries.get()
    Delivery.objects.filter(pk=first.pk).update(next_try_at=timezone.now() - timedelta(hours=1))
    for number in (2, 3):
        Delivery.objects.create(
            hook=hook,
            event=first.event - number,
            kind=first.kind,
            body=first.body,
            next_try_at=timezone.now() - timedelta(minutes=10 - number),
        )
    return list(hook.deliveries.order_by("id"))


@pytest.fixture
def delivery(study, hook, collected):
    study.finish(alice=1, bob=1)
    collected()
    return hook.deliveries.get()


def fresh(row):
    row.refresh_from_db()
    return row


def later(**time):
    """Let time go by: everything that waits for a time has waited so long."""
    span = timedelta(**time)
    for model, names in [
        (Hook, ["failing_since", "quiet_until"]),
        (Delivery, ["failing_since", "next_try_at", "claimed_until"]),
    ]:
        for row in model.objects.all():
            for name in names:
                if (moment := getattr(row, name)) is not None:
                    setattr(row, name, moment - span)
            row.save()


def test_a_receiver_gets_the_body_signed(receiver, hook, delivery):
    assert deliver_due() == 1

    [(_, headers, body)] = receiver.received
    time = int(headers[HEADER].split(",")[0].removeprefix("t="))
    assert body.decode() == delivery.body
    assert headers[HEADER] == signature(secret_of(hook), body, time)
    assert headers["Facetwise-Delivery"] == json.loads(body)["id"]
    assert headers["Facetwise-Kind"] == "batch.completed"
    assert headers["Content-Type"] == "application/json"
    assert headers["User-Agent"] == "Facetwise-Webhooks/1"


def test_a_delivery_that_was_answered_is_done(hook, delivery):
    deliver_due()

    assert fresh(delivery).state == Delivery.State.DELIVERED
    assert [(row.number, row.status, row.is_success) for row in delivery.tries.all()] == [
        (1, 204, True)
    ]
    assert deliver_due() == 0
    assert findings() == []


def test_a_failure_is_kept_and_tried_again_after_a_minute(receiver, hook, delivery, no_jitter):
    receiver.answer = answering(500)

    deliver_due()

    assert fresh(delivery).state == Delivery.State.WAITING
    assert delivery.tries.get().sentence == "The answer was 500."
    assert fresh(hook).failures == delivery.failures == 1
    assert delivery.next_try_at > delivery.failing_since
    later(seconds=50)
    assert deliver_due() == 0
    later(seconds=20)
    receiver.answer = answering(200)
    assert deliver_due() == 1
    assert fresh(delivery).state == Delivery.State.DELIVERED
    assert (delivery.failures, delivery.failing_since) == (0, None)
    assert (fresh(hook).failures, hook.failing_since, hook.quiet_until) == (0, None, None)


def test_pauses_double_from_a_minute_to_a_day(no_jitter, monkeypatch):
    shortest = [pause_after(failures) for failures in range(1, 30)]
    monkeypatch.setattr(delivering.random, "uniform", lambda low, high: high)
    longest = [pause_after(failures) for failures in range(1, 30)]

    minute = timedelta(minutes=1)
    assert shortest[:4] == [minute, 2 * minute, 4 * minute, 8 * minute]
    assert longest[0] == 1.5 * minute
    assert max(longest) == timedelta(days=1)
    assert longest == sorted(longest)


def test_what_failed_together_does_not_come_back_together():
    assert len({pause_after(5) for _ in range(20)}) > 1


def test_a_failing_receiver_is_asked_with_one_delivery_at_a_time(receiver, deliveries):
    receiver.answer = answering(503)

    assert deliver_due() == 1
    assert len(receiver.received) == 1


def test_one_that_is_always_refused_does_not_hold_up_the_others(receiver, hook, deliveries):
    """Deliveries take turns: after the pause another one is tried, and so the hook is well."""
    refused = deliveries[0].body

    def answer(handler):
        body = handler.server.received[-1][2].decode()
        answering(422 if handler.server.received[-1][1]["Facetwise-Delivery"] == first else 200)(
            handler
        )
        assert body == refused

    first = str(deliveries[0].public_id)
    receiver.answer = answer
    deliver_due()
    later(minutes=2)

    deliver_due()

    states = [fresh(row).state for row in deliveries]
    assert states.count(Delivery.State.DELIVERED) == 2
    assert fresh(deliveries[0]).state == Delivery.State.WAITING


def test_a_receiver_that_is_back_gets_at_once_what_waited(receiver, hook, deliveries):
    receiver.answer = answering(503)
    for _ in range(4):
        deliver_due()
        later(hours=1)
    receiver.answer = answering(200)

    deliver_due()

    assert {fresh(row).state for row in deliveries} == {Delivery.State.DELIVERED}


def test_hooks_that_hear_come_before_hooks_that_fail(study, receiver, add, collected):
    dead, well = add(), add()
    study.finish(alice=1, bob=1)
    collected()
    Hook.objects.filter(pk=dead.pk).update(failures=3, failing_since=timezone.now())

    assert claim_next().hook_id == well.pk
    assert claim_next().hook_id == dead.pk


def test_after_three_days_of_failure_the_hook_is_off(receiver, hook, delivery):
    receiver.answer = answering(500)
    deliver_due()
    later(days=2, hours=23)
    deliver_due()
    assert fresh(hook).is_on
    later(hours=2)
    later(days=1)

    deliver_due()

    assert fresh(hook).off == Hook.Off.FAILED
    assert fresh(delivery).state == Delivery.State.GIVEN_UP
    event = Event.objects.about(hook).latest("id")
    assert (event.verb, event.actor) == ("turn webhook off", None)
    assert event.reason == "Every try failed for three days."
    assert event.collection == hook.collection.public_id
    assert deliver_due() == 0
    assert findings() == []


def test_a_hook_that_heard_in_between_stays_on(receiver, hook, deliveries):
    receiver.answer = answering(500)
    deliver_due()
    later(days=2)
    receiver.answer = answering(200)
    deliver_due()
    receiver.answer = answering(500)
    resend(delivery=deliveries[0], by=hook.created_by)
    later(days=2)

    deliver_due()

    assert fresh(hook).is_on


def test_turned_on_again_it_gets_what_waited(study, receiver, hook, deliveries):
    Hook.objects.filter(pk=hook.pk).update(
        off="failed", failures=9, failing_since=timezone.now(), quiet_until=timezone.now()
    )
    assert deliver_due() == 0

    turn_on(hook=hook, by=study.lena)

    assert deliver_due() == 3


def test_two_workers_never_hold_one_delivery(hook, delivery):
    assert claim_next() == delivery

    assert claim_next() is None


def test_what_another_worker_tried_meanwhile_is_not_taken(hook, delivery, monkeypatch):
    """The other takes it and lets go of it again after this one has looked."""
    free, steps = DeliveryQuerySet.free, iter(["looks", "takes"])

    def free_meanwhile(deliveries):
        if next(steps, "") == "takes":
            settle(claim_next(), FAILED, milliseconds=7)
        return free(deliveries)

    monkeypatch.setattr(DeliveryQuerySet, "free", free_meanwhile)

    assert claim_next() is None
    assert [row.number for row in delivery.tries.all()] == [1]


def test_a_delivery_whose_worker_died_is_tried_again(receiver, hook, delivery):
    claim_next()
    later(minutes=2)

    deliver_due()

    assert fresh(delivery).state == Delivery.State.DELIVERED
    assert [row.milliseconds is None for row in delivery.tries.all()] == [False, True]


def test_a_worker_that_was_thought_dead_changes_nothing_any_more(hook, delivery):
    late = claim_next()
    later(minutes=2)
    attempt(claim_next())

    settle(late, FAILED, milliseconds=70_000)

    assert fresh(delivery).state == Delivery.State.DELIVERED
    assert fresh(hook).failures == 0
    assert delivery.tries.get(number=1).sentence == "The answer was 500."


def test_a_hook_may_be_removed_while_it_is_tried(study, hook, delivery):
    claimed = claim_next()
    remove_hook(hook=hook, by=study.lena)

    settle(claimed, FAILED, milliseconds=10)

    assert not Delivery.objects.exists()


def test_a_hook_that_is_off_is_not_called(study, receiver, hook, delivery):
    turn_off(hook=hook, by=study.lena)

    assert deliver_due() == 0
    assert receiver.received == []


def test_sent_again_by_hand_it_goes_at_once_with_the_same_bytes(study, receiver, hook, delivery):
    receiver.answer = answering(500)
    deliver_due()

    resend(delivery=delivery, by=study.lena)
    deliver_due()

    assert [body.decode() for *_, body in receiver.received] == [delivery.body] * 2
    assert [row.by for row in delivery.tries.all()] == [study.lena, None]
    assert fresh(delivery).asked_by is None


def test_what_was_delivered_is_sent_again_only_by_hand(study, receiver, hook, delivery):
    deliver_due()

    resend(delivery=delivery, by=study.lena)
    deliver_due()

    assert len(receiver.received) == 2
    assert fresh(delivery).state == Delivery.State.DELIVERED


def test_a_test_is_tried_once_and_counts_for_nothing(study, receiver, hook):
    receiver.answer = answering(500)
    test = send_test(hook=hook, by=study.lena)

    deliver_due()

    assert fresh(test).state == Delivery.State.GIVEN_UP
    assert fresh(hook).failures == 0
    assert json.loads(test.body)["kind"] == "test"
    assert findings() == []


def test_an_address_that_is_allowed_no_more_is_not_called(receiver, delivery, settings):
    settings.WEBHOOKS_TO_LOOPBACK = False

    deliver_due()

    assert receiver.received == []
    assert "https://" in delivery.tries.get().sentence


def test_delivering_stops_when_its_time_is_over(monkeypatch):
    monkeypatch.setattr(delivering, "time", SimpleNamespace(monotonic=lambda: 7.0))

    assert deliver_due(seconds=0) == 0


def test_a_try_is_timed_in_milliseconds_and_sent_by_its_hook(add, monkeypatch):
    add()
    hook = add(address="http://localhost:1/second")
    delivery = Delivery.objects.create(hook=hook, kind="batch.completed", body="{}")
    times = iter([3.0, 5.0])
    clock = SimpleNamespace(time=lambda: 7.0, monotonic=lambda: next(times))
    monkeypatch.setattr(delivering, "time", clock)
    targets = []

    def post(address, *_, **__):
        targets.append(address.target)
        return FAILED

    monkeypatch.setattr(delivering, "post", post)

    attempt(claim_next())

    assert delivery.tries.get().milliseconds == 2000
    assert targets == ["/second"]


def test_deliveries_that_are_done_are_forgotten_after_three_months(hook, deliveries):
    deliver_due()
    _, waiting, new = deliveries
    hook.deliveries.exclude(pk=new.pk).update(created_at=timezone.now() - timedelta(days=91))
    hook.deliveries.filter(pk=waiting.pk).update(state=Delivery.State.WAITING)

    forget_old()

    assert set(hook.deliveries.values_list("pk", flat=True)) == {waiting.pk, new.pk}
