"""Pairs that wait, handed out in batches."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.assigning.actions.assign import apply_plan
from annotation.assigning.actions.batches import lock_done_topics, make_batches, unlock_topics
from annotation.assigning.actions.hand_over import hand_over
from annotation.models import Batch, Seat
from audit.models import Event
from datasets.models import Import
from tests.factories.studies import make_study, make_topic

pytestmark = pytest.mark.django_db


def test_a_batch_is_named_apart_from_those_that_an_import_is_writing():
    study = make_study(candidates=1, assign=False)
    running = Import.objects.create(
        collection=study.collection, kind="tables", fingerprint="1", created_by=study.lena
    )
    Batch.including_inactive.create(
        collection=study.collection, imported=running, name="q1_method", overlap=2, position=0,
        created_by=study.lena,
    )  # fmt: skip

    [batch] = make_batches(collection=study.collection, by=study.lena)

    assert batch.name == "q1_method (2)"


def statements(action, **arguments):
    with CaptureQueriesContext(connection) as captured:
        action(**arguments)
    return len(captured)


def statements_of_steps(slug, topics):
    """From pairs that wait to seats that are freed again."""
    study = make_study(slug=slug, candidates=1, assign=False)
    for number in range(topics - 1):
        make_topic(study.collection, f"also{number}", candidates=1)
    lena, alice, bob = study.lena, study.members["alice"], study.members["bob"]
    made = statements(make_batches, collection=study.collection, by=lena)
    seats = Seat.objects.filter(batch__collection=study.collection)
    plan = [(seat, alice if seat.ordinal == 1 else bob) for seat in seats]
    assigned = statements(apply_plan, assignments=plan, by=lena)
    freed = statements(hand_over, holder=alice, to=None, by=lena, reason="Alice left.")
    assert set(seats.values_list("ordinal", "holder")) == {(1, None), (2, bob.pk)}
    return made, assigned, freed


def test_steps_over_many_topics_take_as_many_statements_as_over_few():
    """A lead of fifteen hundred topics does not hold everybody up; to put pairs into a batch is one
    statement of each batch."""
    made, *more = statements_of_steps("few", topics=2)

    assert statements_of_steps("many", topics=5) == (made + 3, *more)


def test_a_topic_that_is_done_after_the_done_ones_were_held_is_left_open():
    """Nothing keeps its seats from being returned meanwhile."""
    study = make_study(facets=("method", "result"), candidates=1)
    first, second = study.collection.batches.all()
    study.finish(first, alice=1, bob=1)
    study.rate_all("alice", 1, second)
    study.rate_all("bob", 1, second)
    study.hand_in("alice", second)
    selects = []

    def hand_in_between(execute, sql, params, many, context):
        if '"locked_at" IS NULL' in sql:
            selects.append(sql)
            if len(selects) == 2:
                study.hand_in("bob", second)
        return execute(sql, params, many, context)

    with connection.execute_wrapper(hand_in_between):
        locked = lock_done_topics(collection=study.collection, by=study.lena)

    assert second.seats.get(ordinal=2).handed_in_at
    assert [topic.facet for topic in locked] == ["method"]
    assert lock_done_topics(collection=study.collection, by=study.lena) == [
        second.pairs.get().topic
    ]


def test_many_topics_are_locked_in_as_many_statements_as_one():
    study = make_study(facets=("method", "result", "background"), candidates=1)
    first, *others = study.collection.batches.all()
    study.finish(first, alice=1, bob=1)
    lock = {"collection": study.collection, "by": study.lena}
    alone = statements(lock_done_topics, **lock)
    for batch in others:
        study.finish(batch, alice=1, bob=1)

    assert statements(lock_done_topics, **lock) == alone
    events = Event.objects.filter(verb="lock topic", actor=study.lena)
    locked = study.collection.topics.filter(locked_by=study.lena)
    assert set(events.values_list("subject_id", flat=True)) == {
        str(topic.public_id) for topic in locked
    }
    assert locked.count() == 3


def test_many_topics_are_unlocked_in_as_many_statements_as_one():
    study = make_study(facets=("method", "result", "background"), candidates=1)
    first, *others = study.collection.batches.all()
    study.finish(first, alice=1, bob=1)
    by_lena = {"collection": study.collection, "by": study.lena}
    lock_done_topics(**by_lena)
    alone = statements(unlock_topics, **by_lena, reason="A definition changed.")
    for batch in others:
        study.finish(batch, alice=1, bob=1)
    lock_done_topics(**by_lena)

    assert statements(unlock_topics, **by_lena, reason="Once more.") == alone
    assert not study.collection.topics.exclude(locked_at=None, locked_by=None).exists()
    again = Event.objects.filter(verb="unlock topic", actor=study.lena, reason="Once more.")
    assert again.count() == 3
