"""Scores of runs are kept from people who could steer the study by them."""

from annotation.assigning.actions.assign import assign_seat
from annotation.assigning.actions.batches import make_batches
from annotation.steering import steering
from audit.models import Event
from datasets.actions import change_scoring_guard
from tests.factories.studies import make_member, make_study, make_topic
from tests.shelf import shelved


@shelved
def study(db):
    """A topic in Alice's and Bob's hands, and another of which Nora, a lead, rates a seat."""
    study = make_study()
    nora = make_member(study.collection, "Nora", "lead", "annotator")
    study.members["nora"] = nora
    make_topic(study.collection, "q2")
    (batch,) = make_batches(collection=study.collection, by=study.lena)
    assign_seat(seat=batch.seats.first(), member=nora, by=study.lena)
    return study


def test_topics_of_batches_that_a_lead_rates_in_are_left_out_and_named(study):
    guard = steering(study.collection, study.nora)

    assert [topic.external_id for topic in guard.topics] == ["q1_method"]
    assert guard.left_out == ["q2_method"]


def test_lead_without_a_seat_has_all_topics(study):
    guard = steering(study.collection, study.lena)

    assert guard.topics.count() == 2
    assert guard.left_out == []


def test_open_seats_are_counted(study):
    study.rate_all("alice", 1)
    study.hand_in("alice")

    assert steering(study.collection, study.lena).open_seats == 3


def test_setting_keeps_scores_closed_until_every_topic_is_locked(study):
    collection = study.collection
    change_scoring_guard(collection=collection, by=study.lena, scores_wait_for_locking=True)
    collection.refresh_from_db()

    assert steering(collection, study.lena).is_closed
    collection.topics.update(locked_at="2026-01-01T00:00Z", locked_by=study.lena)
    assert not steering(collection, study.lena).is_closed
    assert Event.objects.get(verb="change scoring guard").after == {"scores_wait_for_locking": True}


def test_scores_are_open_by_default(study):
    assert not steering(study.collection, study.lena).is_closed
