"""The verifier must see what is wrong: each invariant is broken by raw rows once."""

from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from adjudication.actions import decide
from annotation.assigning.actions.assign import assign_seat, return_seat
from annotation.assigning.actions.batches import raise_overlap
from annotation.models import Batch, MachineRun, MachineScore, Pair, Rating, Seat, Tenure
from audit.models import Event
from config.integrity import findings
from config.integrity.replay import replay_findings
from datasets.actions import link_account, set_roles
from datasets.models import Import, Membership, RolePeriod, TopicPlace
from imports.run import carry_out
from imports.study.importing import StudyMoving
from tests.damage import rewrite, run_sql
from tests.factories.neutral import Neutral
from tests.factories.studies import make_aspect_query, make_aspect_study, make_study, make_user
from tests.shelf import shelved

pytestmark = pytest.mark.both


@shelved
def finished(db):
    """Three pairs: agreed, adjudicated, and disputed."""
    study = make_study()
    study.finish(alice=[1, 0, 0], bob=[1, 2, 3])
    pair = study.batch.pairs.disputed().first()
    decide(pair=pair, by=study.carol, save_id=pair.public_id, option=study.option(2))
    return study


def test_a_sound_study_has_no_findings(finished):
    assert list(findings()) == []


def test_the_command_fails_with_what_it_found(finished, capsys):
    Pair.objects.filter(state="disputed").update(state="partial")

    with pytest.raises(CommandError, match="1 findings"):
        call_command("verify_integrity")

    assert "its rows say ('disputed', '', None)" in capsys.readouterr().out


@pytest.fixture
def imported(db):
    """Ann, who has an account here now, and Ben rated one pair elsewhere."""
    study = make_study(candidates=1, assign=False)
    files = Neutral().rate("q1_method", "q1c1", ann=2, ben=1)
    carry_out(StudyMoving(files.study, study.collection, study.lena))
    place = study.collection.memberships.get(name="ann")
    study.members["ann"] = link_account(membership=place, user=make_user("Ann"), by=study.lena)
    return study


def test_an_imported_seat_that_goes_back_to_its_rater_is_sound(imported):
    study, ann = imported, imported.members["ann"]
    seat = return_seat(seat=study.seat("ann"), by=study.lena, reason="look again")

    for holder in (None, ann):
        assign_seat(seat=seat, member=holder, by=study.lena, reason="moved away, and back")
    study.rate("ann", study.batch.pairs.get(), 0)

    assert list(findings()) == []


def test_whom_an_import_brought_keeps_their_role_until_they_sign_in(imported):
    ben = Membership.objects.filter(name="ben")
    earlier = timezone.now() - timedelta(hours=2)
    rewrite(ben, created_at=earlier)
    rewrite(RolePeriod.objects.filter(member=ben.get()), since=earlier)
    before = list(findings())

    ben.update(is_lead=True)

    assert before == []
    [finding] = findings()
    assert finding.endswith("has other times than the trail says.")


def test_an_imported_rater_came_before_whoever_rated_since_whatever_the_clock_said(imported):
    study = imported
    raise_overlap(batch=study.batch, overlap=3, by=study.lena, reason="more")
    free = study.batch.seats.get(holder=None)
    assign_seat(seat=free, member=study.members["alice"], by=study.lena)
    study.rate("alice", study.batch.pairs.get(), 0)
    set_roles(membership=study.members["ann"], by=study.lena, roles=["annotator", "lead"])
    earlier = timezone.now() - timedelta(hours=2)
    rewrite(Rating.objects.filter(annotator=study.members["alice"]), created_at=earlier)
    rewrite(RolePeriod.objects.filter(member=study.members["ann"], role="lead"), since=earlier)

    assert not [finding for finding in findings() if "could read" in finding]


# What the event of an import said before 22 Nov 2026.
EARLIER = {"papers": 1, "pairs": 1, "ratings": 2, "decisions": 0, "machine_scores": 0, "changed": 0}


def test_batches_of_an_import_before_there_was_evidence_are_sound(imported):
    event = Event.objects.get(verb="import")
    rewrite(Event.objects.filter(pk=event.pk), after=EARLIER)

    assert list(replay_findings("default")) == []


def test_a_batch_that_the_trail_made_is_none_of_an_earlier_import(imported):
    event = Event.objects.get(verb="import")
    rewrite(Event.objects.filter(pk=event.pk), after=EARLIER)
    made = make_study(slug="made").batch

    rewrite(Batch.objects.filter(pk=made.pk), imported=Import.objects.get())

    brought = f"Batch {made.public_id} is none of those that import {event.subject_id} brought."
    assert brought in replay_findings("default")


def break_state():
    Pair.objects.filter(state="disputed").update(state="open")


def break_gold_value():
    Pair.objects.filter(state="agreed").update(gold_value=3)


def break_gold_option():
    Pair.objects.filter(state="agreed").update(
        gold_option=Pair.objects.get(state="adjudicated").gold_option
    )


def break_consensus_before_hand_in():
    Seat.objects.filter(ordinal=1).update(handed_in_at=None)


def break_missing_answer():
    run_sql("DELETE FROM annotation_ratingrevision")
    Rating.objects.all().delete()


def break_revision():
    run_sql("UPDATE annotation_ratingrevision SET note = 'rewritten'")


def break_rating_without_revision():
    Rating.objects.update(version=2)


def break_trail():
    run_sql("DELETE FROM audit_event WHERE verb = 'rate'")


def break_decision_trail():
    run_sql("DELETE FROM audit_event WHERE verb = 'decide'")


def break_tenure():
    Tenure.objects.all().delete()


def break_adjudicator_is_rater():
    run_sql(
        "UPDATE adjudication_decision"
        " SET adjudicator_id = (SELECT MIN(annotator_id) FROM annotation_rating)"
    )


def break_seat_count():
    run_sql("UPDATE annotation_batch SET overlap = 3")


def break_superseded_decision():
    run_sql("UPDATE adjudication_decision SET superseded_at = CURRENT_TIMESTAMP")


def break_lost_decision():
    run_sql("DELETE FROM adjudication_decision")


def break_machine_score_of_another_collection():
    run = MachineRun.objects.create(
        collection=make_aspect_study().collection, model="model", name="run"
    )
    MachineScore.objects.create(run=run, pair=Pair.objects.filter(state="agreed").first(), value=1)


def break_tree_by_a_cycle():
    place = make_aspect_study().collection.queries.get().places.filter(parent=None).first()
    TopicPlace.objects.filter(pk=place.pk).update(parent=place)


def break_tree_across_queries():
    collection = make_aspect_study().collection
    other = make_aspect_query(collection, query_id="1")
    below = TopicPlace.objects.filter(query__external_id="0", parent__isnull=False).first()
    TopicPlace.objects.filter(pk=below.pk).update(parent=other.places.first())


@pytest.mark.parametrize(
    "damage", [value for name, value in sorted(globals().items()) if name.startswith("break_")]
)
def test_each_broken_invariant_is_found(finished, damage):
    damage()

    assert list(findings()) != []
