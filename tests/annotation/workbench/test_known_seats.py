"""A script saves in a seat as its process knows it, and nothing that changed since passes by."""

import json

import pytest
from django.urls import reverse
from lxml import html

from annotation.access import get_seat
from annotation.assigning.actions.assign import assign_seat, hand_in
from annotation.assigning.actions.batches import set_way
from annotation.models import Rating
from annotation.schemes.actions import edit_wording
from datasets.actions.members import remove_member
from datasets.models import Membership
from tests.annotation.workbench.saving import save
from tests.databases import on_sqlite
from tests.factories.studies import make_aspect_study, make_member, make_study, ordered_pairs

pytestmark = pytest.mark.django_db


def edition_of(response):
    return html.fromstring(response.content).get("data-edition")


@pytest.fixture
def study(client):
    """Alice has saved twice: the first save made her session known, the second her seat."""
    study = make_study(candidates=3)
    client.force_login(study.alice)
    for based_on in (0, 1):
        assert save(client, study.seat("alice"), 1, based_on=based_on).status_code == 200
    return study


def give_to_erin(study):
    study.members["erin"] = make_member(study.collection, "Erin", "annotator")
    assign_seat(
        seat=study.seat("alice"), member=study.members["erin"], by=study.lena, reason="Away."
    )


def take_back(study):
    assign_seat(seat=study.seat("alice"), member=None, by=study.lena, reason="Away.")


def hand_in_and_leave(study):
    for pair in ordered_pairs(study.seat("alice"))[1:]:
        study.rate("alice", pair, 1)
    hand_in(seat=study.seat("alice"), by=study.alice)
    remove_member(membership=study.members["alice"], by=study.lena)


def lose_the_role(study):
    # No action takes the role from somebody with an open seat.
    Membership.objects.filter(pk=study.members["alice"].pk).update(
        is_annotator=False, is_adjudicator=True
    )


@pytest.mark.both
@pytest.mark.parametrize(
    "change", [give_to_erin, take_back, hand_in_and_leave, lose_the_role], ids=lambda f: f.__name__
)
def test_who_holds_the_seat_no_more_saves_nothing(client, study, change):
    seat = study.seat("alice")
    change(study)
    before = Rating.objects.count()

    response = save(client, seat, 2)

    assert response.status_code == 404
    assert Rating.objects.count() == before


@pytest.mark.both
def test_a_seat_handed_in_elsewhere_takes_no_save(client, study):
    for pair in ordered_pairs(study.seat("alice"))[1:]:
        study.rate("alice", pair, 1)
    hand_in(seat=study.seat("alice"), by=study.alice)

    assert save(client, study.seat("alice"), 2, based_on=1).status_code == 423


@pytest.mark.both
def test_a_seat_that_came_back_is_walked_through_without_what_others_rated(client, study):
    seat = study.seat("alice")
    give_to_erin(study)
    [rated, left] = ordered_pairs(study.seat("erin"))
    study.rate("erin", rated, 2)
    assign_seat(seat=seat, member=study.members["alice"], by=study.lena, reason="Back.")
    position = ordered_pairs(get_seat(study.alice, seat.public_id)).index(left) + 1

    assert save(client, seat, 3).status_code == 404  # two pairs are left to her
    assert save(client, seat, position).status_code == 200
    assert Rating.objects.filter(pair=left, annotator=study.members["alice"]).exists()
    assert not Rating.objects.filter(pair=rated, annotator=study.members["alice"]).exists()


@pytest.mark.both
def test_the_answer_names_the_wording_of_now(client, study):
    seat = study.seat("alice")
    before = edition_of(save(client, seat, 2))
    wording = json.loads(json.dumps(study.scheme.current.wording))
    wording["facets"]["method"]["question"] = "Asked anew?"
    edit_wording(scheme=study.scheme, wording=wording, guidelines="", change_note="", by=study.lena)

    after = edition_of(save(client, seat, 3))

    page = client.get(reverse("annotation:rate-pair", args=[seat.public_id, 1]))
    now = html.fromstring(page.content).xpath("string(//*[@id='bench']/@data-edition)")
    assert after == now != before


@pytest.mark.both
def test_a_rating_keeps_its_number_in_the_walk_of_now(client):
    study = make_aspect_study(in_one_batch=True)
    client.force_login(study.alice)
    seat = study.seat("alice")
    for based_on in (0, 1):
        assert save(client, seat, 1, answer="agree", based_on=based_on).status_code == 200
    set_way(batch=study.batch, way="document", by=study.lena)
    walk = ordered_pairs(get_seat(study.alice, seat.public_id))

    assert save(client, seat, 5, answer="agree").status_code == 200

    rating = Rating.objects.get(pair=walk[4])
    page = client.get(reverse("annotation:rate-pair", args=[seat.public_id, 5]))
    assert rating.position != 5  # its number in the other walk
    assert f"{rating.position} of {len(walk)}" in " ".join(
        html.fromstring(page.content).text_content().split()
    )


def test_a_save_reads_neither_the_session_nor_the_seat_that_are_known(
    client, study, django_assert_num_queries
):
    seat = study.seat("alice")

    with django_assert_num_queries(7 if on_sqlite() else 4):
        assert save(client, seat, 2).status_code == 200
