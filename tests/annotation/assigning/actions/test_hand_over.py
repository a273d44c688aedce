"""All open seats of a leaver at once, and locking all topics that are done."""

import pytest
from django.urls import reverse
from pytest_django.asserts import assertContains, assertNotContains

from annotation.assigning.actions import hand_over as steps
from annotation.assigning.actions.assign import assign_seat
from annotation.assigning.actions.batches import lock_done_topics
from annotation.assigning.actions.hand_over import hand_over
from annotation.models import Tenure
from audit.models import Event
from audit.refusals import Invalid
from datasets.actions import set_roles
from tests.damage import erase
from tests.factories.studies import make_member, make_study
from tests.shelf import shelved


@shelved
def study(db):
    """Alice and Bob hold the seats of two batches."""
    return make_study(facets=("method", "result"))


def holders(study):
    return [
        [seat.holder and seat.holder.name for seat in batch.seats.all()]
        for batch in study.collection.batches.all()
    ]


def test_every_open_seat_of_a_leaver_goes_to_another(study):
    eve = make_member(study.collection, "Eve", "annotator")

    done = hand_over(holder=study.members["bob"], to=eve, by=study.lena, reason=" Bob left. ")

    assert (len(done.seats), done.kept_seats) == (2, [])
    assert holders(study) == [["Alice", "Eve"], ["Alice", "Eve"]]
    assert {Event.objects.about(seat).last().reason for seat in done.seats} == {"Bob left."}


def test_a_lead_who_rates_in_a_batch_hands_nothing_of_it_over(study):
    """Alice leads by now, and rates beside Bob in the first batch alone."""
    set_roles(membership=study.members["alice"], by=study.lena, roles=["annotator", "lead"])
    second = study.collection.batches.all()[1]
    erase(Tenure.objects.filter(batch=second, member=study.members["alice"]))

    done = hand_over(holder=study.members["bob"], to=None, by=study.alice, reason="Bob left.")

    assert [seat.batch for seat in done.seats] == [second]
    assert holders(study) == [["Alice", "Bob"], ["Alice", None]]


def test_seats_that_the_other_may_not_take_stay_and_are_reported(study):
    done = hand_over(
        holder=study.members["bob"], to=study.members["alice"], by=study.lena, reason="Bob left."
    )

    assert done.seats == []
    assert len(done.kept_seats) == 2
    assert holders(study) == [["Alice", "Bob"], ["Alice", "Bob"]]


def test_handed_in_seats_stay_with_their_raters(study):
    first = study.collection.batches.first()
    study.rate_all("bob", 2, first)
    study.hand_in("bob", first)

    hand_over(holder=study.members["bob"], to=None, by=study.lena, reason="Bob left.")

    assert holders(study) == [["Alice", "Bob"], ["Alice", None]]


def test_a_seat_that_somebody_else_has_meanwhile_stays_with_them(study, monkeypatch):
    eve = make_member(study.collection, "Eve", "annotator")
    seen = [study.seat("bob")]
    monkeypatch.setattr(steps, "open_seats", lambda **_: seen)
    assign_seat(seat=seen[0], member=eve, by=study.lena)

    done = hand_over(holder=study.members["bob"], to=None, by=study.lena, reason="Bob left.")

    assert done == steps.HandedOver([], [])
    assert holders(study) == [["Alice", "Eve"], ["Alice", "Bob"]]


def test_no_reason_no_change(study):
    with pytest.raises(Invalid, match="Say why"):
        hand_over(holder=study.members["bob"], to=None, by=study.lena, reason=" ")

    assert holders(study) == [["Alice", "Bob"], ["Alice", "Bob"]]


def test_the_page_hands_over_and_tells_what_is_left(client, study):
    client.force_login(study.lena)
    bob = study.members["bob"]
    page = reverse("annotation:hand-over", args=[study.collection.slug, bob.public_id])
    assertContains(client.get(page), "Hand over 2 seats")

    refused = {"member": str(study.members["alice"].public_id), "reason": "Bob left."}
    assertContains(client.post(page, refused), "Not given away")
    response = client.post(page, {"member": "", "reason": "Bob left."})

    assert response.url == reverse("annotation:assign", args=[study.collection.slug])
    assert holders(study) == [["Alice", None], ["Alice", None]]


def test_handing_over_is_offered_for_who_holds_an_open_seat(client, study):
    first, second = study.collection.batches.all()
    study.finish(first, alice=2, bob=2)
    assign_seat(seat=study.seat("bob", second), member=None, by=study.lena)
    client.force_login(study.lena)

    page = client.get(reverse("annotation:assign", args=[study.collection.slug]))

    assertContains(page, "Hand over the seats of Alice")
    assertNotContains(page, "Hand over the seats of Bob")


def test_all_topics_that_are_done_are_locked_and_no_other(client, study):
    first = study.collection.batches.first()
    study.finish(first, alice=2, bob=2)
    client.force_login(study.lena)

    client.post(reverse("annotation:lock-done-topics", args=[study.collection.slug]))

    assert [topic.is_locked for topic in study.collection.topics.order_by("pk")] == [True, False]
    assert lock_done_topics(collection=study.collection, by=study.lena) == []
