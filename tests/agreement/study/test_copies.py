"""Copies of topics: always of one moment, and never stale."""

import uuid
from dataclasses import fields

import numpy as np
import pytest
from django.db import connection

from adjudication.actions import decide, reopen
from agreement.models import TopicCopy
from agreement.study import copies
from agreement.study.ratings import read_ratings_of
from annotation.assigning.actions.assign import return_seat
from audit.refusals import Refused
from tests.damage import rewrite
from tests.factories.studies import make_document, make_study
from tests.shelf import shelved

pytestmark = pytest.mark.django_db


@shelved
def study():
    """Two topics: one finished with a dispute, one with ratings of Alice."""
    study = make_study(facets=("method", "result"), candidates=3)
    first, second = study.collection.batches.all()
    study.finish(alice=[0, 1, 2], bob=[0, 1, 3], batch=first)
    study.rate_all("alice", [1, None, 2], second)
    return study


def decide_dispute(study, value=3):
    decide(
        pair=study.batch.pairs.disputed().get(),
        by=study.carol,
        save_id=uuid.uuid4(),
        option=study.option(value),
        cause="granularity",
    )


def hand_in_second(study):
    second = study.collection.batches.last()
    study.hand_in("alice", second)
    study.finish(bob=[1, 1, 2], batch=second)


def reopen_decision(study):
    reopen(pair=study.batch.pairs.get(state="adjudicated"), by=study.lena, reason="Look again.")


def arrays(ratings):
    """Every array by name, as lists in which NaN equals NaN."""
    return {
        field.name: np.array(value).astype(str).tolist()
        for field in fields(ratings)
        if isinstance(value := getattr(ratings, field.name), np.ndarray)
    }


def from_tables(study):
    TopicCopy.objects.all().delete()
    return arrays(read_ratings_of(study.collection))


CHANGES = {
    "a rating": lambda study: study.rate_all("bob", 0, study.collection.batches.last()),
    "another value": lambda study: study.rate(
        "alice", study.collection.batches.last().pairs.first(), 3
    ),
    "a note alone": lambda study: study.rate(
        "alice", study.collection.batches.last().pairs.first(), 1, is_flagged=True
    ),
    "the last hand-in": hand_in_second,
    "a returned seat": lambda study: return_seat(
        seat=study.seat("bob"), by=study.lena, reason="Read the guideline on scope."
    ),
    "a decision": decide_dispute,
    "gold alone": lambda study: rewrite(
        study.batch.pairs.filter(gold_origin="consensus"),
        gold_origin="",
        gold_value=None,
        gold_option=None,
    ),
    "a new pair": lambda study: study.topics[0].pairs.create(
        document=make_document(study.collection, "late"), position=9
    ),
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_is_read_after_a_change_is_what_the_tables_say(study, change):
    before = arrays(read_ratings_of(study.collection))

    CHANGES[change](study)
    after = arrays(read_ratings_of(study.collection))

    assert after == from_tables(study)
    assert after != before


def test_rating_that_is_changed_once_more_is_read_again(study):
    CHANGES["another value"](study)
    before = arrays(read_ratings_of(study.collection))

    study.rate("alice", study.collection.batches.last().pairs.first(), 2)
    after = arrays(read_ratings_of(study.collection))

    assert after == from_tables(study)
    assert after != before


def test_as_many_ratings_as_a_hand_in_closes_are_read(study):
    """The ratings of open seats are then as many as before."""
    second = study.collection.batches.last()
    before = arrays(read_ratings_of(study.collection))

    study.hand_in("alice", second)
    study.rate_all("bob", 0, second)
    after = arrays(read_ratings_of(study.collection))

    assert after == from_tables(study)
    assert after != before


def plan_of_state(study):
    """The steps in which SQLite reads the state of a study."""
    sql, parameters = copies._statement(study.collection, None).query.sql_with_params()
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN QUERY PLAN {sql}", parameters)
        return [step for *_, step in cursor]


@pytest.mark.sqlite_only
def test_state_is_read_without_the_rows_of_ratings(study):
    """A large study has half a million of them."""
    plan = [step for step in plan_of_state(study) if "annotation_rating " in step]

    _, of_changed = plan
    assert "annotation_rating_changed" in of_changed
    assert all("USING COVERING INDEX" in step for step in plan)


@pytest.mark.sqlite_only
def test_state_is_counted_without_sorting_pairs(study):
    """The ratings of open seats are put in order, and the seats: there are few of them."""
    plan = plan_of_state(study)

    parts = "\n".join(plan).split("UNION ALL")
    is_sorted = ["TEMP B-TREE" in part for part in parts]
    assert is_sorted == [False, True, False, False, True]


def test_ratings_of_seats_that_are_handed_in_are_not_counted(study):
    study.finish(bob=[1, 1, 2], batch=study.collection.batches.last())
    study.hand_in("alice", study.collection.batches.last())

    rows = list(copies._statement(study.collection, None))

    assert copies.RATINGS not in {kind for kind, *_ in rows}


def test_reopened_decision_is_no_gold_any_more(study):
    decide_dispute(study)
    read_ratings_of(study.collection)

    reopen_decision(study)
    ratings = read_ratings_of(study.collection)

    assert arrays(ratings) == from_tables(study)
    assert not ratings.is_decided.any()


def test_only_the_topic_that_changed_is_read_again(study, monkeypatch):
    read_ratings_of(study.collection)
    selection = []
    read_pairs = copies.read_pairs
    monkeypatch.setattr(
        copies, "read_pairs", lambda pks, using: selection.append(list(pks)) or read_pairs(pks)
    )

    read_ratings_of(study.collection)
    assert selection == []

    decide_dispute(study)
    read_ratings_of(study.collection)
    assert selection == [[study.topics[0].pk]]


def test_after_a_topic_was_read_its_own_state_is_looked_at_again(study, monkeypatch):
    read_ratings_of(study.collection)
    decide_dispute(study)
    read_state, states = copies.read_state, []
    monkeypatch.setattr(
        copies, "read_state", lambda *about: states.append(read_state(*about)) or states[-1]
    )

    read_ratings_of(study.collection)

    whole, again = states
    first, second = study.topics
    assert set(whole.topics) == {first.pk, second.pk}
    assert again.topics == {first.pk: whole.topics[first.pk]}


@pytest.mark.parametrize("at_a_time", [1, 100])
def test_change_while_topics_are_read_is_wholly_in_or_not_at_all(study, monkeypatch, at_a_time):
    """Carol decides after the pairs were read and before the decisions are."""
    monkeypatch.setattr(copies, "TOPICS_AT_A_TIME", at_a_time)
    read_ratings, happened = copies.read_ratings, []

    def read_while_carol_decides(topics, using):
        if not happened:
            happened.append(True)
            decide_dispute(study)
        return read_ratings(topics)

    monkeypatch.setattr(copies, "read_ratings", read_while_carol_decides)
    ratings = read_ratings_of(study.collection)

    decided = ~np.isnan(ratings.decided_at)
    assert happened
    assert decided.sum() == 1
    assert ratings.gold[decided].tolist() == [3]
    assert TopicCopy.objects.count() == 2


def test_ratings_that_never_rest_are_refused_with_a_sentence(study, monkeypatch):
    read_ratings = copies.read_ratings
    pair = study.collection.batches.last().pairs.first()

    def read_while_alice_changes_her_mind(topics, using):
        value = pair.ratings.get().option.value
        study.rate("alice", pair, 2 if value == 1 else 1)
        return read_ratings(topics)

    monkeypatch.setattr(copies, "read_ratings", read_while_alice_changes_her_mind)

    with pytest.raises(Refused, match="too fast"):
        read_ratings_of(study.collection)


def test_copy_holds_nobody_up_who_deletes_a_topic(study):
    read_ratings_of(study.collection)
    empty = study.collection.topics.create(external_id="empty", facet="method", position=9)
    TopicCopy.objects.create(topic=empty, state="", pairs=b"", ratings=b"", decisions=b"")

    empty.delete()

    assert not TopicCopy.objects.filter(pk=empty.pk).exists()
    assert read_ratings_of(study.collection).size == 6


def test_blind_lead_reads_the_same_whatever_the_others_do(study):
    """Alice leads as well; her second batch is unfinished."""
    study.members["alice"].is_lead = True
    study.members["alice"].save()
    before = arrays(read_ratings_of(study.collection, viewer=study.alice))

    study.rate_all("bob", [3, None, 0], study.collection.batches.last())
    study.hand_in("bob", study.collection.batches.last())
    after = read_ratings_of(study.collection, viewer=study.alice)

    assert arrays(after) == before
    assert after.is_withheld.tolist() == [False] * 3 + [True] * 3
    assert not after.is_answered[:, 3:].any()
    readings = read_ratings_of(study.collection, viewer=study.lena)
    assert readings.is_answered[:, 3:].all()
