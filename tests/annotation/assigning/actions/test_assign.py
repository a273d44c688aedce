"""Who holds which seat: the actions themselves."""

import pytest
from django.db.models.functions import Now

from annotation.assigning.actions.assign import (
    Unfinished,
    apply_plan,
    assign_seat,
    hand_in,
    return_seat,
)
from annotation.assigning.actions.batches import make_batches
from annotation.assigning.actions.changes import Barred
from annotation.models import Tenure
from audit.models import Event
from audit.refusals import Invalid, Locked, NotAllowed, Refused, Stale
from datasets.actions import remove_member
from datasets.models import Membership, Topic
from tests.factories.studies import make_aspect_study, make_member, make_study
from tests.shelf import shelved

pytestmark = pytest.mark.django_db


@shelved
def study():
    """One pair in one batch: Alice's seat and Bob's; Eve holds none."""
    study = make_study(candidates=1)
    study.members["eve"] = make_member(study.collection, "Eve", "annotator")
    return study


def holder_of(seat):
    seat.refresh_from_db()
    return seat.holder


def give(study, seat, name, **more):
    member = study.members[name] if name else None
    return assign_seat(seat=seat, member=member, by=study.lena, **more)


def lock(study):
    Topic.objects.update(locked_at="2026-01-01T00:00Z", locked_by=study.lena)


def test_seat_changes_hands_with_tenure_count_and_trace(study):
    seat = study.seat("alice")
    alice = study.members["alice"]

    given = give(study, seat, "eve", reason="Alice is ill.")

    assert given.holder == holder_of(seat) == study.members["eve"]
    assert given.handovers == seat.handovers == 2
    assert Tenure.objects.filter(seat=seat, member=study.members["eve"]).count() == 1
    event = Event.objects.filter(verb="assign seat").latest("id")
    assert event.before == {"holder": str(alice.public_id)}
    assert event.after == {"holder": str(study.members["eve"].public_id)}
    assert event.reason == "Alice is ill."


def test_same_holder_again_changes_nothing(study):
    seat = study.seat("alice")
    count = Event.objects.count()

    assert give(study, seat, "alice").handovers == 1
    assert Event.objects.count() == count


def test_freed_seat_stays_free_and_leaves_the_tenure(study):
    seat = study.seat("alice")

    give(study, seat, None)

    assert holder_of(seat) is None
    assert give(study, seat, None).handovers == 2
    assert Tenure.objects.filter(seat=seat).count() == 1


def test_a_seat_comes_back_to_an_earlier_holder(study):
    seat = study.seat("alice")
    give(study, seat, None)

    give(study, seat, "alice")

    assert holder_of(seat) == study.members["alice"]
    assert Tenure.objects.filter(seat=seat).count() == 1


def test_somebody_who_held_a_seat_of_the_batch_takes_no_other(study):
    bobs = study.seat("bob")

    with pytest.raises(Barred):
        give(study, bobs, "alice")
    assert holder_of(bobs) == study.members["bob"]


def test_rated_seat_changes_hands_with_a_reason_alone(study):
    seat = study.seat("alice")
    study.rate_all("alice", 1)

    for reason in ("", "  "):
        with pytest.raises(Invalid, match="Say why it changes hands"):
            give(study, seat, "eve", reason=reason)
    assert holder_of(seat) == study.members["alice"]


def test_handed_in_seat_does_not_change_hands(study):
    seat = study.seat("alice")
    study.finish(alice=1)

    with pytest.raises(Locked, match="Return it"):
        give(study, seat, "eve", reason="Alice is ill.")


def test_seat_of_a_locked_topic_does_not_change(study):
    lock(study)

    with pytest.raises(Locked, match="Unlock it first"):
        give(study, study.seat("alice"), "eve")


def test_seat_of_a_batch_with_a_locked_topic_among_others_does_not_change(db):
    study = make_aspect_study(in_one_batch=True)
    locked = study.topics[1]
    Topic.objects.filter(pk=locked.pk).update(locked_at=Now(), locked_by=study.lena)

    with pytest.raises(Locked, match=f"Topic {locked.external_id} is locked"):
        give(study, study.seat("alice"), None)


@pytest.mark.parametrize("seen", ["bob", None])
def test_seat_that_changed_meanwhile_is_stale(study, seen):
    seat = study.seat("alice")

    with pytest.raises(Stale, match="Alice holds this seat now"):
        give(study, seat, "eve", seen_holder=study.members[seen] if seen else None)
    give(study, seat, "eve", seen_holder=study.members["alice"])


def test_free_seat_that_was_seen_held_is_stale(study):
    seat = study.seat("alice")
    give(study, seat, None)

    with pytest.raises(Stale, match="Nobody holds this seat now"):
        give(study, seat, "eve", seen_holder=study.members["alice"])


def test_only_annotators_of_the_collection_who_are_there_take_seats(study):
    seat = study.seat("alice")
    other = make_study(slug="other", assign=False)
    remove_member(membership=study.members["eve"], by=study.lena)

    for member in [other.members["alice"], study.members["carol"], study.members["eve"]]:
        with pytest.raises(Invalid, match="is not an annotator of this collection"):
            assign_seat(seat=seat, member=member, by=study.lena)
    assert holder_of(seat) == study.members["alice"]


@shelved
def free():
    """Two batches with free seats."""
    study = make_study(facets=("method", "result"), candidates=1, assign=False)
    make_batches(collection=study.collection, by=study.lena)
    return study


def seats(study):
    return [seat for batch in study.collection.batches.all() for seat in batch.seats.all()]


def test_plan_gives_every_seat_of_it_with_its_reason(free):
    first, second, third, fourth = seats(free)
    alice, bob = free.members["alice"], free.members["bob"]

    given = apply_plan(
        assignments=[(fourth, alice), (first, alice), (second, bob), (third, bob)], by=free.lena
    )

    assert [holder_of(seat) for seat in (first, second, third, fourth)] == [alice, bob, bob, alice]
    assert given == [first, second, third, fourth]
    reasons = Event.objects.filter(verb="assign seat").values_list("reason", flat=True)
    assert set(reasons) == {"balanced plan"}


def test_plan_with_a_taken_seat_gives_none(free):
    first, second, *_ = seats(free)
    assign_seat(seat=second, member=free.members["bob"], by=free.lena)

    with pytest.raises(Stale, match="was taken meanwhile"):
        apply_plan(
            assignments=[(first, free.members["alice"]), (second, free.members["alice"])],
            by=free.lena,
        )
    assert holder_of(first) is None


@pytest.mark.parametrize("name", ["alice", "bob"])
def test_plan_that_gives_a_seat_twice_gives_none(free, name):
    seat, alice = seats(free)[0], free.members["alice"]

    with pytest.raises(Invalid, match="gives a seat twice"):
        apply_plan(assignments=[(seat, alice), (seat, free.members[name])], by=free.lena)
    assert holder_of(seat) is None


def test_hand_in_closes_the_seat_with_the_texts_judged(study):
    study.rate_all("alice", 1)

    seat = study.hand_in("alice")

    assert seat.handed_in_at is not None
    event = Event.objects.get(verb="hand in seat")
    assert event.subject_id == str(seat.public_id)
    assert event.after["texts"]


def test_hand_in_twice_is_handed_in_once(study):
    study.rate_all("alice", 1)
    at = study.hand_in("alice").handed_in_at

    assert study.hand_in("alice").handed_in_at == at
    assert Event.objects.filter(verb="hand in seat").count() == 1


def test_nobody_hands_in_what_another_holds_or_nobody(study):
    seat = study.seat("alice")
    study.rate_all("alice", 1)

    with pytest.raises(NotAllowed):
        hand_in(seat=seat, by=study.bob)
    give(study, seat, None, reason="Alice is ill.")
    with pytest.raises(NotAllowed):
        hand_in(seat=seat, by=study.alice)


@pytest.mark.parametrize(("candidates", "words"), [(1, "1 pair has"), (2, "2 pairs have")])
def test_unfinished_seat_says_how_much_is_left(candidates, words):
    study = make_study(candidates=candidates)
    study.rate_all("bob", 1)

    with pytest.raises(Unfinished, match=words) as refusal:
        study.hand_in("alice")
    assert refusal.value.count == candidates
    assert study.seat("alice").handed_in_at is None


def test_the_last_hand_in_makes_gold(study):
    study.finish(alice=1)
    assert study.batch.pairs.get().gold_origin == ""

    study.finish(bob=1)

    assert study.batch.pairs.get().gold_origin == "consensus"


def test_returned_seat_is_open_again_with_its_reason_and_without_gold(study):
    study.finish(alice=1, bob=1)
    alice = study.members["alice"]

    seat = return_seat(seat=study.seat("alice"), by=study.lena, reason=" The scale changed. ")

    assert (seat.holder, seat.handed_in_at) == (alice, None)
    assert seat.return_reason == "The scale changed."
    assert study.batch.pairs.get().gold_origin == ""
    event = Event.objects.get(verb="return seat")
    assert event.reason.strip() == "The scale changed."
    assert event.before == event.after == {"holder": str(alice.public_id)}


def test_hand_in_clears_the_reason_of_the_return(study):
    study.finish(alice=1)
    return_seat(seat=study.seat("alice"), by=study.lena, reason="Read again.")

    assert study.hand_in("alice").return_reason == ""
    assert study.seat("alice").handovers == 1


@pytest.mark.parametrize("reason", ["", "   "])
def test_seat_is_returned_with_a_reason_alone(study, reason):
    study.finish(alice=1)

    with pytest.raises(Invalid, match="Say why the seat is returned"):
        return_seat(seat=study.seat("alice"), by=study.lena, reason=reason)
    assert study.seat("alice").handed_in_at is not None


def test_open_seat_is_not_returned(study):
    with pytest.raises(Refused, match="is not handed in"):
        return_seat(seat=study.seat("alice"), by=study.lena, reason="Read again.")


def test_seat_of_a_locked_topic_is_not_returned(study):
    study.finish(alice=1, bob=1)
    lock(study)

    with pytest.raises(Locked):
        return_seat(seat=study.seat("alice"), by=study.lena, reason="Read again.")


@shelved
def finished_by_a_lead(study):
    """Alice leads as well, so she may read the batch since it was finished."""
    Membership.objects.filter(pk=study.members["alice"].pk).update(is_lead=True)
    study.finish(alice=1, bob=1)
    return study


def test_lead_who_could_read_does_not_return_their_own_seat(finished_by_a_lead):
    study = finished_by_a_lead

    with pytest.raises(Refused, match="your own are fixed"):
        return_seat(seat=study.seat("alice"), by=study.alice, reason="Read again.")
    assert study.seat("alice").handed_in_at is not None


def test_seat_of_a_lead_who_could_read_is_freed_by_another(finished_by_a_lead):
    study = finished_by_a_lead
    seat, alice = study.seat("alice"), study.members["alice"]

    returned = return_seat(seat=seat, by=study.lena, reason="Read again.")

    assert (returned.holder, returned.return_reason, returned.handovers) == (None, "", 2)
    assert holder_of(seat) is None
    event = Event.objects.get(verb="return seat")
    assert event.before == {"holder": str(alice.public_id)}
    assert event.after == {"holder": None}


def test_other_seat_of_the_batch_is_returned_to_its_holder(finished_by_a_lead):
    study = finished_by_a_lead

    returned = return_seat(seat=study.seat("bob"), by=study.alice, reason="Read again.")

    assert returned.holder == study.members["bob"]
    assert returned.handovers == 1


@shelved
def two():
    """Two topics in two batches, of Alice and Bob; Eve holds no seat, Alice leads as well."""
    study = make_study(facets=("method", "result"), candidates=2)
    study.members["eve"] = make_member(study.collection, "Eve", "annotator")
    Membership.objects.filter(pk=study.members["alice"].pk).update(is_lead=True)
    return study


def test_lead_who_could_read_another_batch_gets_this_one_back(two):
    first, second = two.collection.batches.all()
    two.finish(first, alice=1, bob=1)
    two.finish(second, alice=1)

    returned = return_seat(seat=two.seat("alice", second), by=two.lena, reason="Read again.")

    assert returned.holder == two.members["alice"]


def test_seat_is_returned_to_its_holder_whatever_an_earlier_one_could_read(two):
    batch = two.batch
    seat = two.seat("alice", batch)
    two.finish(batch, alice=1, bob=1)
    return_seat(seat=seat, by=two.lena, reason="Read again.")
    give(two, seat, "eve", reason="Alice could read the batch.")
    hand_in(seat=seat, by=two.eve)

    returned = return_seat(seat=seat, by=two.lena, reason="Read again.")

    assert returned.holder == holder_of(seat) == two.members["eve"]
    assert seat.return_reason == "Read again."


def test_hand_in_settles_its_own_batch_alone(two):
    first, second = two.collection.batches.all()
    two.rate_all("alice", 1, second)
    two.rate_all("bob", 1, second)

    two.finish(first, alice=1, bob=1)

    assert set(first.pairs.values_list("gold_origin", flat=True)) == {"consensus"}
    assert set(second.pairs.values_list("gold_origin", flat=True)) == {""}


def test_lock_on_another_topic_holds_no_seat(two):
    first, second = two.collection.batches.all()
    Topic.objects.filter(pairs__batch=second).update(
        locked_at="2026-01-01T00:00Z", locked_by=two.lena
    )

    assert give(two, two.seat("alice", first), "eve").holder == two.members["eve"]


def test_trail_tells_the_last_hand_in_of_a_batch_with_its_size(two):
    two.finish(alice=1, bob=1)

    first, last = Event.objects.filter(verb="hand in seat").order_by("id")
    assert "completed_batch" not in first.after
    assert last.after["completed_batch"] == {
        "batch": str(two.batch.public_id),
        "pairs": 2,
        "seats": 2,
    }


def test_what_happens_to_seats_is_told_under_their_collection(two):
    give(two, two.seat("alice", two.collection.batches.last()), None)
    two.finish(alice=1)
    return_seat(seat=two.seat("alice", two.batch), by=two.lena, reason="Read again.")

    events = Event.objects.of_collection(two.collection).order_by("pk")
    verbs = list(events.values_list("verb", flat=True))
    assert verbs[-2:] == ["hand in seat", "return seat"]
    assert verbs.count("assign seat") == 5
