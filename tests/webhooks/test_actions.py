"""What leads do with their webhooks: each change is in the trail of the collection."""

from datetime import timedelta

import pytest
from django.utils import timezone

from audit.models import Event
from audit.refusals import Invalid, Refused
from webhooks import tasks
from webhooks.actions import (
    change_hook,
    remove_hook,
    renew_secret,
    resend,
    send_test,
    turn_off,
    turn_on,
)
from webhooks.delivering import claim_next, settle
from webhooks.models import Delivery, Hook
from webhooks.sending import Outcome


def waiting_delivery(hook, **more):
    values = {"kind": "batch", "body": "{}", "event": hook.deliveries.count() + 1}
    return Delivery.objects.create(hook=hook, **(values | more))


@pytest.fixture
def deliver_soon(monkeypatch, django_capture_on_commit_callbacks):
    """`deliver_soon(action, **details)`: whether the worker is told once the action is done."""

    def is_told(action, **details):
        messages = []
        monkeypatch.setattr(tasks, "send_message", lambda: messages.append(1))
        with django_capture_on_commit_callbacks(execute=True):
            action(**details)
        return messages == [1]

    return is_told


def test_what_a_lead_sends_or_turns_on_is_sent_without_waiting_for_the_clock(
    study, hook, deliver_soon
):
    assert deliver_soon(send_test, hook=hook, by=study.lena)
    assert deliver_soon(resend, delivery=waiting_delivery(hook), by=study.lena)
    assert not deliver_soon(turn_off, hook=hook, by=study.lena)
    assert deliver_soon(turn_on, hook=hook, by=study.lena)


def test_a_request_ends_well_where_no_worker_can_be_told(
    study, hook, monkeypatch, django_capture_on_commit_callbacks
):
    def fail():
        raise RuntimeError("a fault that nobody foresaw")

    monkeypatch.setattr(tasks, "send_message", fail)

    with django_capture_on_commit_callbacks(execute=True):
        delivery = send_test(hook=hook, by=study.lena)

    assert Delivery.objects.due().get() == delivery


def test_the_trail_says_what_a_hook_was_and_is(study, hook):
    before = hook.kinds
    change_hook(hook=hook, address=hook.address, kinds=["topic.locked"], by=study.lena)

    event = Event.objects.about(hook).get(verb="change webhook")
    assert (event.before["kinds"], event.after["kinds"]) == (before, ["topic.locked"])
    assert event.collection == study.collection.public_id


def test_a_kind_that_there_is_not_is_refused(study, hook):
    with pytest.raises(Invalid, match="There is no kind of event 'nothing'"):
        change_hook(hook=hook, address=hook.address, kinds=["nothing"], by=study.lena)


def test_one_of_two_hooks_is_turned_off_and_on(study, add):
    first, second = add(), add()

    turn_off(hook=second, by=study.lena)
    turn_on(hook=turn_off(hook=first, by=study.lena), by=study.lena)

    first.refresh_from_db()
    second.refresh_from_db()
    assert (first.is_on, second.is_on) == (True, False)


def test_a_test_names_who_asked_for_it(study, hook):
    assert send_test(hook=hook, by=study.lena).asked_by == study.lena


def test_a_hook_that_is_turned_on_is_quiet_no_more(study, hook):
    turn_off(hook=hook, by=study.lena)
    Hook.objects.filter(pk=hook.pk).update(
        failures=9, failing_since=timezone.now(), quiet_until=timezone.now() + timedelta(days=1)
    )

    turn_on(hook=hook, by=study.lena)

    hook.refresh_from_db()
    assert (hook.off, hook.failures, hook.failing_since, hook.quiet_until) == ("", 0, None, None)


def test_what_is_being_sent_is_not_sent_again(study, hook):
    waiting_delivery(hook)
    claimed = claim_next()
    waiting_delivery(hook)

    with pytest.raises(Refused, match="being sent at this moment"):
        resend(delivery=claimed, by=study.lena)


def test_a_receiver_that_hears_again_gets_at_once_what_waited(hook):
    waiting_delivery(hook)
    tried = claim_next()
    Hook.objects.filter(pk=hook.pk).update(failures=2, failing_since=timezone.now())
    tomorrow = timezone.now() + timedelta(days=1)
    later = waiting_delivery(hook, next_try_at=tomorrow)
    done = waiting_delivery(hook, next_try_at=tomorrow, state=Delivery.State.GIVEN_UP)

    settle(tried, Outcome(200, ""), milliseconds=7)

    for delivery in (later, done):
        delivery.refresh_from_db()
    assert Delivery.objects.due().get() == later
    assert done.next_try_at == tomorrow


def test_every_change_of_a_hook_is_in_the_trail_of_its_collection(study, hook):
    renew_secret(hook=hook, by=study.lena)
    turn_off(hook=hook, by=study.lena)
    turn_on(hook=hook, by=study.lena)
    remove_hook(hook=hook, by=study.lena)

    events = Event.objects.filter(subject_id=hook.public_id).order_by("pk")
    verbs = ["renew webhook secret", "turn webhook off", "turn webhook on", "remove webhook"]
    assert [event.verb for event in events][-4:] == verbs
    assert {event.collection for event in events} == {study.collection.public_id}
    assert {event.actor for event in events} == {study.lena}
    assert events.last().before["kinds"] == hook.kinds


def test_a_hook_whose_address_is_refused_by_now_can_be_removed(study, hook):
    """What counts as public follows the registries, which change."""
    Hook.objects.update(address="https://192.88.99.1/events")

    remove_hook(hook=hook, by=study.lena)

    assert Event.objects.latest("pk").before["host"] == "192.88.99.1"
    assert not Hook.objects.exists()


def test_a_hook_that_is_turned_on_tries_what_waits_at_once_and_nothing_that_was_done(study, hook):
    later, failing_since = timezone.now() + timedelta(days=1), timezone.now()
    again = {"next_try_at": later, "failures": 3, "failing_since": failing_since}
    waiting = waiting_delivery(hook, **again)
    given_up = waiting_delivery(hook, state=Delivery.State.GIVEN_UP, **again)
    turn_off(hook=hook, by=study.lena)

    turn_on(hook=hook, by=study.lena)

    waiting.refresh_from_db()
    given_up.refresh_from_db()
    assert waiting.next_try_at < later
    assert (waiting.failures, waiting.failing_since) == (0, None)
    assert (given_up.failures, given_up.failing_since) == (3, failing_since)


def test_nothing_is_sent_by_hand_through_a_hook_that_is_off(study, hook):
    delivery = waiting_delivery(hook, state=Delivery.State.GIVEN_UP)
    turn_off(hook=hook, by=study.lena)

    for send in (
        lambda: resend(delivery=delivery, by=study.lena),
        lambda: send_test(hook=hook, by=study.lena),
    ):
        with pytest.raises(Refused, match="The webhook is off"):
            send()


def test_a_delivery_that_is_sent_again_begins_without_its_failures(study, hook):
    delivery = waiting_delivery(
        hook, state=Delivery.State.GIVEN_UP, failures=9, failing_since=timezone.now()
    )

    again = resend(delivery=delivery, by=study.lena)

    assert (again.state, again.failures, again.failing_since, again.asked_by) == (
        Delivery.State.WAITING, 0, None, study.lena,
    )  # fmt: skip


def test_what_came_of_a_try_is_kept_with_that_delivery_alone(hook):
    first, second = waiting_delivery(hook), waiting_delivery(hook)
    tried = {delivery.pk: delivery for delivery in (claim_next(), claim_next())}

    settle(tried[first.pk], Outcome(500, "The answer was 500."), milliseconds=7)

    assert [(t.status, t.milliseconds) for t in first.tries.all()] == [(500, 7)]
    assert [(t.status, t.milliseconds) for t in second.tries.all()] == [(None, None)]
    assert [delivery.failures for delivery in Delivery.objects.order_by("pk")] == [1, 0]


def test_a_hook_answers_for_its_deliveries_alone(add):
    first, second = add(), add()
    for hook in (first, second):
        waiting_delivery(hook)
    tried = {delivery.hook_id: delivery for delivery in (claim_next(), claim_next())}
    Hook.objects.filter(pk=first.pk).update(failures=2, failing_since=timezone.now())

    settle(tried[second.pk], Outcome(500, "The answer was 500."), milliseconds=7)
    assert failures_of_hooks() == [2, 1]
    settle(tried[first.pk], Outcome(204, ""), milliseconds=7)
    assert failures_of_hooks() == [0, 1]


def failures_of_hooks():
    return [hook.failures for hook in Hook.objects.order_by("pk")]
