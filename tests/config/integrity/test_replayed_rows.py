"""Rows that are not what the trail says, each broken alone: the sentences that say so, and no
other."""

import uuid

import pytest
from django.db import DEFAULT_DB_ALIAS

from adjudication.actions import decide, give_first_value, reopen
from adjudication.models import Decision, FirstValue
from annotation.assigning.actions.batches import lock_topic
from annotation.assigning.actions.waive import waive_reading
from annotation.flags.actions import answer_flag
from annotation.models import (
    Batch,
    Facet,
    FlagAnswer,
    Option,
    Rating,
    RatingRevision,
    Scale,
    Scheme,
    SchemeVersion,
    Seat,
    Tenure,
    Waiver,
)
from annotation.schemes.actions import load_definition
from audit.hashes import rehash
from audit.models import Event
from config.integrity.replay import replay_findings
from datasets.actions import remove_member, set_roles
from datasets.models import Document, Import, Membership, Topic
from imports.run import carry_out
from imports.study.importing import StudyMoving
from tests.adjudication.conftest import hide_ratings
from tests.damage import erase, rewrite
from tests.factories.neutral import rated_study
from tests.factories.studies import make_collection, make_member, make_study
from tests.shelf import shelved


def sentences():
    return sorted(replay_findings(DEFAULT_DB_ALIAS))


@shelved
def study(db):
    """Three pairs handed in: one agreed, one decided after a first grade, one disputed."""
    study = make_study()
    hide_ratings(study)
    study.rate_all("alice", [1, 0, 0])
    study.rate("alice", study.batch.pairs.first(), 1, note="the same task", is_flagged=True)
    study.hand_in("alice")
    study.finish(bob=[1, 2, 3])
    pair, option = study.batch.pairs.disputed().first(), study.option(2)
    give_first_value(pair=pair, by=study.carol, option=option)
    decide(pair=pair, by=study.carol, save_id=uuid.uuid4(), option=option)
    erin = make_member(study.collection, "Erin", "annotator", "adjudicator")
    waive_reading(batch=study.batch, member=erin, by=study.lena, reason="She read none of them.")
    flagged = Rating.objects.get(is_flagged=True)
    answer_flag(rating=flagged, by=study.lena, kind="reply", text="It is the same.")
    return study


def renamed(rows):
    """Another public id, as if the row were another; returns what it was."""
    before = str(rows.get().public_id)
    rewrite(rows, public_id=uuid.UUID(int=7))
    return before


def test_rows_that_are_what_the_trail_says_are_sound(study):
    assert sentences() == []


def test_a_decision_without_its_event_is_found_and_an_event_without_its_decision(study):
    decision = renamed(Decision.objects.all())

    assert sentences() == [
        f"Decision {uuid.UUID(int=7)} has 0 events in the trail.",
        f"The trail knows decision {decision}, which is gone.",
    ]


def test_a_decision_that_the_trail_has_twice_is_found(study):
    event = Event.objects.get(verb="decide")
    event.pk = None
    event.save(force_insert=True)

    assert sentences() == [f"Decision {event.after['decision']} was made twice."]


def test_a_first_grade_that_is_gone_is_found(study):
    pair = FirstValue.objects.get().pair.public_id
    erase(FirstValue.objects.all())

    assert sentences() == [
        f"The trail knows a first grade by account {study.carol.pk} of pair {pair}, which is gone."
    ]


def test_a_first_grade_of_another_option_is_found(study):
    pair = FirstValue.objects.get().pair.public_id
    rewrite(FirstValue.objects.all(), option=study.option(3))

    assert sentences() == [
        f"The first grade by account {study.carol.pk} of pair {pair} is not in the trail so."
    ]


def test_a_waiver_of_another_name_is_found(study):
    waiver = renamed(Waiver.objects.all())

    assert sentences() == [
        f"The trail knows waiver {waiver}, which is gone.",
        f"Waiver {uuid.UUID(int=7)} has no event in the trail.",
    ]


def test_a_waiver_of_a_seat_that_was_taken_before_there_was_the_rule_is_sound(study):
    carol = study.members["carol"]
    Waiver.objects.create(batch=study.batch, member=carol, reason="Taken before.", given_by=None)

    assert sentences() == []


def test_an_answer_to_a_flag_of_another_name_is_found(study):
    answer = renamed(FlagAnswer.objects.all())

    assert sentences() == [
        f"The answer {uuid.UUID(int=7)} to a flag has no event in the trail.",
        f"The trail knows the answer {answer} to a flag, which is gone.",
    ]


def test_a_batch_of_another_name_is_found(study):
    pk, batch = study.batch.pk, renamed(Batch.objects.all())

    assert sentences()[:2] == [
        f"Batch {pk} has no event in the trail.",
        f"The trail knows batch {batch}, which is gone.",
    ]


@pytest.mark.parametrize(
    ("field", "value"),
    [("name", "easy"), ("overlap", 3), ("way", "document"), ("drawn", {"seed": "mine"})],
)
def test_each_property_of_a_batch_is_compared(study, field, value):
    batch = study.batch
    rewrite(Batch.objects.all(), **{field: value})

    assert sentences() == [
        f"Batch {batch.pk} has {field} {value!r}; the trail says {getattr(batch, field)!r}."
    ]


def test_a_pair_that_left_its_batch_is_found(study):
    [batch] = Batch.objects.all()
    nothing = {"state": "open", "gold_origin": "", "gold_value": None, "gold_option": None}
    rewrite(batch.pairs.filter(state="agreed"), batch=None, **nothing)

    assert f"Batch {batch.pk} has pairs 2; the trail says 3." in sentences()


def test_a_batch_that_lost_its_only_pair_is_found(db):
    batch = make_study(candidates=1).batch
    rewrite(batch.pairs.all(), batch=None)

    assert f"Batch {batch.pk} has pairs 0; the trail says 1." in sentences()


def test_a_seat_of_another_name_is_found(study):
    seat = renamed(Seat.objects.filter(ordinal=1))

    assert f"The trail knows seat {seat}, which is gone." in sentences()


def test_a_tenure_that_began_at_another_time_is_found(study):
    seat, alice = study.seat("alice"), study.members["alice"]
    rewrite(Tenure.objects.filter(member=alice), since="2026-01-01T00:00Z")

    assert sentences() == [
        f"Member {alice.public_id} took seat {seat.public_id} at another time than the trail says."
    ]


def test_a_tenure_that_is_gone_is_found(study):
    seat, alice = study.seat("alice"), study.members["alice"]
    erase(Tenure.objects.filter(member=alice))

    assert sentences() == [
        f"The trail gave seat {seat.public_id} to member {alice.public_id}, and no tenure says so."
    ]


def test_a_tenure_that_nobody_gave_is_found(study):
    seat, dan = study.seat("alice"), make_member(study.collection, "Dan", "annotator")
    Tenure.objects.create(batch=study.batch, seat=seat, member=dan)

    assert sentences() == [
        f"A tenure gives seat {seat.public_id} to member {dan.public_id}; the trail does not."
    ]


def test_a_seat_of_another_name_is_found_though_nobody_has_handed_it_in(db):
    study = make_study()
    seat = renamed(Seat.objects.filter(ordinal=1))

    assert f"The trail knows seat {seat}, which is gone." in sentences()
    assert study.batch.seats.filter(handed_in_at=None).count() == 2


def test_a_seat_that_somebody_freed_is_found(study):
    seat, alice = study.seat("alice"), study.members["alice"]
    rewrite(Seat.objects.filter(pk=seat.pk), holder=None, handed_in_at=None)

    assert sentences() == [
        f"Seat {seat.public_id} is handed in where the trail says it is not, or the reverse.",
        f"Seat {seat.public_id} is held by nobody; the trail says {alice.public_id}.",
    ]


def change_and_rehash(document):
    document.title = "Another paper"
    rehash(document)
    document.save()


def test_a_text_that_changed_after_it_was_rated_is_found(study):
    change_and_rehash(Document.objects.get(external_id="q1c1"))

    assert sentences() == [
        f"The texts of the pairs of batch {study.batch.pk} are not those that were rated."
    ]


def test_a_text_that_changed_between_two_who_rated_it_is_found(db):
    study = make_study()
    study.finish(alice=1)
    change_and_rehash(Document.objects.get(external_id="q1c1"))
    study.finish(bob=1)

    assert sentences() == [
        f"The texts of the pairs of batch {study.batch.pk} are not those that were rated."
    ]


def test_a_query_that_changed_after_it_was_rated_is_found(study):
    change_and_rehash(Document.objects.get(external_id="q1"))

    assert sentences() == [
        f"The text of query q1 is not the one under which batch {study.batch.pk} was rated."
    ]


def test_a_scheme_without_its_event_is_found(study):
    collection = study.collection.public_id
    erase(Event.objects.filter(verb__in=["create scheme", "change rules"]))

    assert f"The scheme of collection {collection} has no event in the trail." in sentences()


@pytest.mark.parametrize(
    ("rows", "change", "name"),
    [
        (Scheme.objects, {"rule": "majority"}, "rule"),
        (Scheme.objects, {"overlap": 3}, "overlap"),
        (Scheme.objects, {"hides_ratings": False}, "hides_ratings"),
        (Facet.objects, {"sentence_labels": []}, "facets"),
        (Scale.objects, {"distance": 2}, "rule_distance"),
        (Scale.objects, {"is_ordinal": False}, "is_ordinal"),
        (Option.objects, {"value": 3}, "options"),
    ],
)
def test_each_rule_of_a_scheme_is_compared(study, rows, change, name):
    collection = study.collection.public_id
    rows.update(**change)

    sentence = f"The scheme of collection {collection} has other {name} than the trail says."
    assert sentence in sentences()


def test_a_distance_of_the_rule_is_compared_as_a_number(db):
    study = make_study(rule={"name": "difference_of_at_least", "distance": "2"})
    assert sentences() == []

    Scale.objects.update(distance=1)
    collection = study.collection.public_id
    assert sentences() == [
        f"The scheme of collection {collection} has other rule_distance than the trail says."
    ]


def test_a_version_of_another_number_is_found(study):
    collection = study.collection.public_id
    rewrite(SchemeVersion.objects.all(), number=7)

    assert [sentence for sentence in sentences() if "ersion" in sentence][-2:] == [
        f"The trail knows version 1 of the scheme of {collection}, which is gone.",
        f"Version 7 of the scheme of {collection} has no event in the trail.",
    ]


def test_a_lock_that_somebody_took_away_is_found(study):
    disputed = study.batch.pairs.disputed().get()
    option = study.option(2)
    give_first_value(pair=disputed, by=study.carol, option=option)
    decision = {"option": option, "rationale": "In between."}
    decide(pair=disputed, by=study.carol, save_id=uuid.uuid4(), **decision)
    topic = lock_topic(topic=study.topics[0], by=study.lena)
    assert sentences() == []

    Topic.objects.update(locked_at=None, locked_by=None)

    assert sentences() == [
        f"Topic {topic.public_id} is locked where the trail says it is not, or the reverse."
    ]


def test_a_member_who_was_removed_and_is_back_is_found(db):
    study = make_study(assign=False)
    dan = make_member(study.collection, "Dan", "annotator")
    for roles in (["annotator", "adjudicator"], ["annotator"]):
        set_roles(membership=dan, by=study.lena, roles=roles)
    remove_member(membership=dan, by=study.lena)
    assert sentences() == []

    Membership.objects.filter(pk=dan.pk).update(removed_at=None)

    assert f"Member {dan.public_id} has other roles than the trail says." in sentences()


# --- what an import brought, of which the trail keeps hashes ---


@shelved
def imported(db):
    """One topic of three candidates, rated elsewhere: agreed, decided, and rated by one alone."""
    collection = make_collection("study", load_definition("csfcube"))
    lena = make_member(collection, "Lena", "lead").user
    neutral = rated_study().decide("q1_method", "c2", 1, "cleo", rationale="In between.")
    carry_out(StudyMoving(neutral.study, collection, lena))
    return Import.objects.get()


def change_a_note(imported):
    rewrite(RatingRevision.objects.all(), note="as agreed later")
    return f"The ratings of import {imported.public_id} are not those that it brought."


def leave_out_a_rating(imported):
    rating = Rating.objects.filter(annotator__name="ben").last()
    erase(RatingRevision.objects.filter(rating=rating))
    erase(Rating.objects.filter(pk=rating.pk))
    return f"The ratings of import {imported.public_id} are not those that it brought."


def change_a_rationale(imported):
    rewrite(Decision.objects.all(), rationale="As ben says.")
    return f"The decisions of import {imported.public_id} are not those that it brought."


def leave_out_a_decision(imported):
    erase(Decision.objects.all())
    return f"The decisions of import {imported.public_id} are not those that it brought."


def give_a_tenure_to_another(imported):
    dan = make_member(imported.collection, "Dan", "annotator")
    rewrite(Tenure.objects.filter(member__name="ben"), member=dan)
    return f"The seats of import {imported.public_id} are not those that it brought."


def change_a_text_and_its_hash(imported):
    document = Document.objects.get(external_id="c1")
    change_and_rehash(document)
    batch = Batch.objects.get(pairs__document=document)
    return f"The texts of the pairs of batch {batch.pk} are not those that were rated."


def change_a_query_and_its_hash(imported):
    change_and_rehash(Document.objects.get(external_id="q1"))
    batch = Batch.objects.earliest("pk")
    return f"The text of query q1 is not the one under which batch {batch.pk} was rated."


def call_a_batch_by_another_name(imported):
    batch = renamed(Batch.objects.filter(pk=Batch.objects.earliest("pk").pk))
    return f"The trail knows batch {batch}, which is gone."


def test_what_an_import_brought_is_sound_as_it_came(imported):
    assert sentences() == []


@pytest.mark.parametrize(
    "damage",
    [
        change_a_note,
        leave_out_a_rating,
        change_a_rationale,
        leave_out_a_decision,
        give_a_tenure_to_another,
        change_a_text_and_its_hash,
        change_a_query_and_its_hash,
        call_a_batch_by_another_name,
    ],
)
def test_what_an_import_brought_is_compared_with_its_hashes(imported, damage):
    assert damage(imported) in sentences()


def test_an_imported_decision_that_was_changed_here_ended_as_the_trail_says(imported):
    decision = Decision.objects.get()
    reopen(pair=decision.pair, by=imported.created_by, reason="Look again.")

    assert sentences() == []
    rewrite(Decision.objects.all(), reopening_reason="Ben was right.")
    assert sentences() == [f"Decision {decision.public_id} was not ended as the trail says."]
