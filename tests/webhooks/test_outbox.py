"""Which events of the trail are sent, to which hooks, and that each event is sent once."""

import json
import re
import uuid
from datetime import timedelta

import pytest
from django.db import transaction
from django.utils import timezone

from adjudication.actions import decide, reopen
from annotation.assigning.actions.assign import return_seat
from annotation.assigning.actions.batches import (
    lock_topic,
    make_batches,
    raise_overlap,
    unlock_topic,
)
from annotation.schemes.actions import edit_wording
from audit import chain
from audit.chain import seal_trail
from audit.models import Event
from config.integrity import findings
from datasets.models import Collection
from datasets.runs.actions import add_run, remove_run
from datasets.runs.judgments import add_judgments, remove_judgments
from releases.actions import make_export
from releases.models import Export
from tests.damage import rewrite
from tests.databases import attempt_in_vain
from tests.factories.runs import judgments_of, run_of
from tests.factories.studies import assign_all, make_topic
from tests.proof.test_blindness import (
    alice_cannot_judge,
    alice_rates_high,
    alice_rates_low,
    alice_waits,
)
from webhooks import outbox
from webhooks.actions import change_hook, turn_off, turn_on
from webhooks.kinds import ALL, BY_NAME
from webhooks.models import Delivery


def queued_for(hook):
    """[(kind, subject, counts)] of what was queued for a hook, oldest first."""
    bodies = [json.loads(row.body) for row in hook.deliveries.order_by("id")]
    return [(body["kind"], body["subject"]["id"], body["counts"]) for body in bodies]


def decide_dispute(study):
    pair = study.batch.pairs.get(state="disputed")
    decide(
        pair=pair,
        by=study.carol,
        save_id=uuid.uuid4(),
        option=study.option(1),
        rationale="weighed",
    )
    return pair


def test_a_batch_is_sent_when_its_last_seat_is_handed_in(study, hook, collected):
    study.rate_all("alice", 1)
    study.hand_in("alice")
    collected()
    assert queued_for(hook) == []

    study.rate_all("bob", 1)
    study.hand_in("bob")
    collected()

    batch = str(study.batch.public_id)
    assert queued_for(hook) == [("batch.completed", batch, {"pairs": 3, "seats": 2})]


def test_only_the_last_hand_in_counts_however_late_the_trail_is_read(study, hook, collected):
    study.finish(alice=1, bob=1)

    assert collected() == 1


def test_a_batch_that_was_opened_again_is_sent_again(study, hook, collected):
    study.finish(alice=1, bob=1)
    return_seat(seat=study.seat("bob"), by=study.lena, reason="look again")
    study.hand_in("bob")
    raise_overlap(batch=study.batch, overlap=3, by=study.lena, reason="a third")

    collected()

    assert [kind for kind, *_ in queued_for(hook)] == ["batch.completed", "batch.completed"]


WORLDS = [alice_rates_low, alice_rates_high, alice_cannot_judge]


@pytest.mark.parametrize("act", WORLDS)
def test_what_an_annotator_saves_raises_nothing(study, hook, collected, act):
    """Two worlds: in one Alice waits, in the other she rates; nobody elsewhere can tell."""

    def queued_after(act):
        with transaction.atomic():
            act(study)
            collected()
            result = queued_for(hook)
            transaction.set_rollback(True)
        return result

    assert queued_after(act) == queued_after(alice_waits) == []


def test_a_body_holds_kind_ids_and_counts_alone(study, hook, collected):
    study.rate("alice", study.batch.pairs.first(), 1, note="canary", is_flagged=True)
    study.rate_all("alice", [2, 2, 2])
    study.hand_in("alice")
    study.finish(bob=[2, 2, 0])
    decide_dispute(study)
    collected()

    [completed, decided] = [row.body for row in hook.deliveries.order_by("id")]

    body = json.loads(completed)
    assert set(body) == {"id", "kind", "at", "collection", "subject", "counts"}
    assert re.fullmatch(r"[\d-]{10}T[\d:]{8}Z", body["at"])
    assert completed == json.dumps(body, separators=(",", ":"))
    assert json.loads(decided)["counts"] == {}
    for secret in ("canary", "weighed", "Alice", "Carol", "example.org"):
        assert secret not in completed + decided


def test_ids_of_bodies_do_not_count_what_others_do(study, hook, collected):
    study.finish(alice=1, bob=1)
    collected()

    delivery = hook.deliveries.get()
    body = json.loads(delivery.body)
    assert body["id"] == str(delivery.public_id)
    assert str(delivery.event) not in {str(value) for value in body.values()}


def test_a_decision_is_sent_with_its_pair(study, hook, collected):
    study.finish(alice=[1, 1, 1], bob=[1, 1, 3])
    pair = decide_dispute(study)
    reopen(pair=pair, by=study.lena, reason="a second look")

    collected()

    subject = str(pair.public_id)
    assert queued_for(hook)[1:] == [
        ("decision.made", subject, {}),
        ("decision.reopened", subject, {}),
    ]


def test_of_a_batch_that_is_rated_again_no_decision_is_sent(study, hook, collected):
    make_topic(study.collection, query_id="q2")
    [second] = make_batches(collection=study.collection, by=study.lena)
    assign_all(study, [second], ["alice", "bob"])
    study.finish(second, alice=1, bob=1)
    study.finish(alice=[1, 1, 1], bob=[1, 1, 3])
    decide_dispute(study)
    return_seat(seat=study.seat("bob"), by=study.lena, reason="look again")

    collected()

    assert [kind for kind, *_ in queued_for(hook)] == ["batch.completed", "batch.completed"]


def test_every_kind_is_sent(study, hook, collected):
    study.finish(alice=[1, 1, 1], bob=[1, 1, 3])
    reopen(pair=decide_dispute(study), by=study.lena, reason="a second look")
    decide_dispute(study)
    topic = lock_topic(topic=study.topics[0], by=study.lena)
    unlock_topic(topic=topic, by=study.lena, reason="not yet")
    make_topic(study.collection, query_id="q2")
    run = run_of({"q1_method": ["q1c1"]})
    run = add_run(collection=study.collection, run=run, by=study.lena).run
    other = run_of({"q1_method": ["q1c2"]}, tag="other")
    add_run(collection=study.collection, run=other, by=study.lena)
    collected()
    remove_run(run=run, by=study.lena)
    judgments = judgments_of({"q1_method": {"q1c1": "2"}})
    added = add_judgments(collection=study.collection, judgments=judgments, by=study.lena)
    others = judgments_of({"q1_method": {"q1c2": "1"}}, name="others")
    add_judgments(collection=study.collection, judgments=others, by=study.lena)
    collected()
    remove_judgments(judgment_set=added.judgment_set, by=study.lena)
    make_export(
        collection=study.collection, export_format="trec", by=study.lena, allow_incomplete=True
    )
    edit_wording(
        scheme=study.scheme,
        wording=study.scheme.current.wording,
        guidelines="Read closely.",
        change_note="",
        by=study.lena,
    )

    collected()

    kinds = {kind for kind, *_ in queued_for(hook)}
    assert kinds == {kind.name for kind in ALL} - {"import.done"}
    counts = {kind: counts for kind, _, counts in queued_for(hook)}
    assert counts["topic.locked"] == {"pairs": 3, "topics": 2, "locked_topics": 0}
    assert counts["run.added"] == counts["judgments.added"] == {"lists": 1}
    assert counts["export.made"] == {"files": len(Export.objects.get().files)}
    assert findings() == []


def test_a_locked_topic_is_counted_among_those_of_its_collection(study):
    elsewhere = Collection.objects.create(slug="other", name="Other")
    make_topic(elsewhere)

    message = BY_NAME["topic.locked"].tell(
        Event(subject_id=str(study.topics[0].public_id)), study.collection
    )

    assert message.counts == {"pairs": 3, "topics": 1, "locked_topics": 0}


def test_of_an_import_its_counts_are_sent_and_nothing_else():
    event = Event(subject_id="an id", after={"papers": 3, "pairs": 0, "people": ["Alice"]})

    message = BY_NAME["import.done"].tell(event, Collection())

    assert (message.subject, message.counts) == ("an id", {"papers": 3, "pairs": 0})


def test_each_event_is_sent_once(study, hook, collected):
    study.finish(alice=1, bob=1)

    assert [collected(), collected(), collected()] == [1, 0, 0]


def test_an_event_that_was_committed_late_is_sent_all_the_same(study, hook, collected, monkeypatch):
    """As on PostgreSQL, where an event may be committed after one with a higher id."""
    study.finish(alice=1, bob=1)
    late = Event.objects.filter(verb="hand in seat").latest("id").pk
    lock_topic(topic=study.topics[0], by=study.lena)
    all_rows = chain._rows
    monkeypatch.setattr(chain, "_rows", lambda *args: all_rows(*args).exclude(id=late))
    collected()
    assert [kind for kind, *_ in queued_for(hook)] == ["topic.locked"]
    monkeypatch.setattr(chain, "_rows", all_rows)

    collected()

    assert [kind for kind, *_ in queued_for(hook)] == ["topic.locked", "batch.completed"]


def test_a_second_worker_reads_no_seal_again(study, hook, monkeypatch):
    study.finish(alice=1, bob=1)
    seal_trail()
    before = hook.sealed_through
    assert outbox.collect() == 1

    _, count = outbox._read_seals(hook=hook, before=before)

    assert count == 0
    assert Delivery.objects.count() == 1


def test_a_second_attempt_reads_the_seals_that_the_first_did(study, hook, monkeypatch):
    """The database took the first back after the hook was moved on."""

    def read_twice(**details):
        attempt_in_vain(read_seals, **details)
        return read_seals(**details)

    read_seals = outbox._read_seals
    monkeypatch.setattr(outbox, "_read_seals", read_twice)
    study.finish(alice=1, bob=1)
    seal_trail()

    assert outbox.collect() == 1


def test_a_hook_gets_its_kinds_alone(study, add, collected):
    locks = add(["topic.locked"])
    study.finish(alice=1, bob=1)
    lock_topic(topic=study.topics[0], by=study.lena)

    collected()

    assert [kind for kind, *_ in queued_for(locks)] == ["topic.locked"]


def test_a_hook_gets_events_of_its_collection_alone(study, hook, collected):
    Event.objects.create(
        verb="lock topic",
        subject_type="datasets.topic",
        subject_id=str(study.topics[0].public_id),
        collection=uuid.uuid4(),
    )

    assert collected() == 0


def test_a_new_hook_gets_nothing_of_the_past(study, add, collected):
    study.finish(alice=1, bob=1)
    hook = add()

    assert collected() == 0
    assert queued_for(hook) == []


def test_a_hook_gets_what_follows_it_in_the_trail_though_the_clock_was_set_back(
    study, hook, collected
):
    study.finish(alice=1, bob=1)
    earlier = timezone.now() - timedelta(hours=2)
    rewrite(Event.objects.filter(verb="hand in seat"), at=earlier)

    assert collected() == 1


def test_events_while_a_hook_is_off_are_not_sent(study, hook, collected):
    turn_off(hook=hook, by=study.lena)
    study.finish(alice=1, bob=1)
    collected()
    turn_on(hook=hook, by=study.lena)
    collected()
    assert queued_for(hook) == []

    lock_topic(topic=study.topics[0], by=study.lena)
    collected()

    assert [kind for kind, *_ in queued_for(hook)] == ["topic.locked"]


def test_a_hook_that_is_turned_off_while_seals_are_read_gets_nothing(study, hook):
    study.finish(alice=1, bob=1)
    seal_trail()
    turn_off(hook=hook, by=study.lena)

    outbox._read_seals(hook=hook, before=hook.sealed_through)

    assert queued_for(hook) == []


def test_changed_kinds_hold_from_then_on(study, hook, collected):
    change_hook(hook=hook, address=hook.address, kinds=["topic.locked"], by=study.lena)
    study.finish(alice=1, bob=1)
    lock_topic(topic=study.topics[0], by=study.lena)

    collected()

    assert [kind for kind, *_ in queued_for(hook)] == ["topic.locked"]
