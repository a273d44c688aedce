"""Pages for leads: why somebody may not take a seat, and the waiver."""

import re

import pytest
from django.db import transaction
from django.test import Client
from pytest_django.asserts import assertContains, assertNotContains, assertRedirects

from annotation.assigning.actions.assign import assign_seat
from annotation.assigning.actions.batches import make_batches, raise_overlap
from annotation.models import Seat, Waiver
from tests.factories.studies import make_member, make_study
from tests.factories.tokens import program_of
from tests.shelf import shelved

pytestmark = pytest.mark.django_db
LEFT_OUT = "Nora was a lead or adjudicator while somebody else could rate"
CSRF = re.compile(rb'(csrfmiddlewaretoken" value="|X-CSRFToken": "|csrf-token" content=")[^"&]+')


@shelved
def study():
    """Alice and Bob have seats, a third one is free; Nora leads and may rate as well."""
    study = make_study()
    study.members["nora"] = make_member(study.collection, "Nora", "lead", "annotator")
    study.members["erin"] = make_member(study.collection, "Erin", "annotator")
    raise_overlap(batch=study.batch, overlap=3, by=study.lena, reason="more")
    return study


def address(study, step=""):
    return f"/batches/{study.batch.public_id}/{step}"


def waive(browser, study, name="nora", reason="nobody else reads Finnish"):
    data = {"member": study.members[name].public_id, "reason": reason}
    return browser.post(address(study, "waive/"), data)


def give(browser, study, name):
    seat = study.batch.seats.get(holder=None)
    data = {"holder": "", "member": study.members[name].public_id, "reason": "new"}
    return browser.post(f"/seats/{seat.public_id}/assign/", data)


def test_the_batch_says_who_is_left_out_and_why(lena, study):
    assertNotContains(lena.get(address(study)), LEFT_OUT)
    study.rate("alice", study.first_pair("alice"), 1)

    page = lena.get(address(study))

    assertContains(page, LEFT_OUT)
    assertContains(page, "Let one of them rate all the same")
    options = page.content.decode().split('id="member-3"')[1].split("</select>")[0]
    assert "Erin" in options
    assert "Nora" not in options


def test_a_seat_is_not_given_past_the_form(lena, study):
    study.rate("alice", study.first_pair("alice"), 1)

    answer = give(lena, study, "nora")

    assertContains(answer, "could have read its ratings", status_code=422)
    assert study.batch.seats.filter(holder=None).count() == 1


def test_a_lead_waives_and_the_pages_say_so(lena, study):
    study.rate("alice", study.first_pair("alice"), 1)

    assertRedirects(waive(lena, study), address(study))

    page = lena.get(address(study))
    assertContains(page, "Nora may rate here although they could have read ratings: waived by Lena")
    assertContains(page, "nobody else reads Finnish")
    plan = lena.get("/collections/study/assign/plan/")
    assertContains(plan, "all the same, as Lena decided")
    give(lena, study, "nora")
    assert study.seat("nora").ordinal == 3


@pytest.mark.parametrize(
    ("name", "reason", "words"),
    [
        ("nora", "", "Say why."),
        ("alice", "because", "Choose a person."),
        ("lena", "because", "Choose a person."),
    ],
)
def test_a_waiver_that_cannot_be_is_reported(lena, study, name, reason, words):
    study.rate("alice", study.first_pair("alice"), 1)

    answer = waive(lena, study, name, reason)

    assertContains(answer, words, status_code=422)
    assert not Waiver.objects.exists()


def test_the_plan_leaves_them_out_and_says_why(lena, study):
    study.rate("alice", study.first_pair("alice"), 1)
    people = [study.members[name].public_id for name in ("nora", "erin")]

    page = lena.get("/collections/study/assign/plan/", {"chosen": 1, "person": people})

    assert [to.name for _, to in page.context["proposal"].placements] == ["Erin"]
    assertContains(page, "Left out since they could read ratings: 1")


def test_a_lead_reads_that_their_own_seat_is_fixed(client, study):
    assign_seat(seat=study.seat("bob"), member=None, by=study.lena)
    assign_seat(seat=study.batch.seats.get(ordinal=2), member=study.members["nora"], by=study.lena)
    assign_seat(seat=study.batch.seats.get(ordinal=3), member=study.members["erin"], by=study.lena)
    study.finish(alice=0, nora=0, erin=0)
    seat = study.seat("nora")
    client.force_login(study.nora)

    page = client.get(address(study))
    answer = client.post(f"/seats/{seat.public_id}/return/", {"reason": "one more look"})

    assertContains(page, "so your own are fixed")
    assertContains(answer, "so your own are fixed", status_code=409)
    client.force_login(study.lena)
    assertContains(client.get(address(study)), "Return the seat for somebody else")
    client.post(f"/seats/{seat.public_id}/return/", {"reason": "a third opinion"})
    assert Seat.objects.get(pk=seat.pk).holder is None


# --- a lead who is blind to the batch ----------------------------------------------------------


def worlds_of_nora(study, act):
    """What Nora, who rates beside Alice and Bob, gets from pages and refusals after `act`."""
    with transaction.atomic():
        act(study)
        nora = Client()
        nora.force_login(study.nora)
        answers = [
            nora.get(address(study)),
            nora.get("/collections/study/assign/"),
            nora.get("/collections/study/assign/plan/?chosen=1"),
            give(nora, study, "dora"),
            waive(nora, study, "dora"),
            plan(nora, study, "dora"),
            plan_by_program(program_of(study.members["nora"]), study, "dora"),
        ]
        transaction.set_rollback(True)
    return [(answer.status_code, CSRF.sub(b"\\1", answer.content)) for answer in answers]


def plan(browser, study, name):
    """A plan that gives the member the last seat, though no page proposes it."""
    seat = study.batch.seats.get(ordinal=4).public_id
    entry = f"{seat}:{study.members[name].public_id}"
    return browser.post("/collections/study/assign/plan/", {"plan": entry})


def plan_by_program(program, study, name):
    seat = study.batch.seats.get(ordinal=4).public_id
    assignments = [{"seat": seat, "member": study.members[name].public_id}]
    address = "/api/v1/collections/study/plan"
    return program.post(address, {"assignments": assignments}, content_type="application/json")


@shelved
def beside_nora(study):
    """Nora holds the third seat, and a fourth one is free. Dora adjudicates and may rate."""
    assign_seat(seat=study.batch.seats.get(ordinal=3), member=study.members["nora"], by=study.lena)
    study.members["dora"] = make_member(study.collection, "Dora", "adjudicator", "annotator")
    raise_overlap(batch=study.batch, overlap=4, by=study.lena, reason="more")
    return study


def nobody_rates(study):
    pass


def alice_rates(study):
    study.rate("alice", study.first_pair("alice"), 1)


def alice_hands_in_and_it_is_waived(study):
    study.finish(alice=0)
    lena = Client()
    lena.force_login(study.lena)
    assert waive(lena, study, "dora").status_code == 302


@pytest.mark.parametrize("act", [alice_rates, alice_hands_in_and_it_is_waived])
def test_a_blind_lead_cannot_tell_whether_anybody_has_rated(beside_nora, act):
    baseline = worlds_of_nora(beside_nora, nobody_rates)

    assert worlds_of_nora(beside_nora, act) == baseline


def test_a_blind_lead_is_told_why_as_well(client, beside_nora):
    client.force_login(beside_nora.nora)

    page = client.get(address(beside_nora))

    assertContains(page, "Dora was a lead or adjudicator while somebody else could rate")
    assertNotContains(page, "Let one of them rate all the same")


def test_where_a_blind_lead_sits_alone_others_may_still_be_seated(client):
    study = make_study(assign=False)
    [batch] = make_batches(collection=study.collection, by=study.lena)
    nora = make_member(study.collection, "Nora", "lead", "annotator")
    make_member(study.collection, "Dora", "adjudicator", "annotator")
    assign_seat(seat=batch.seats.get(ordinal=1), member=nora, by=study.lena)
    client.force_login(nora.user)

    page = client.get(address(study)).content.decode()

    assert "Dora (also adjudicator)" in page.split('id="member-2"')[1].split("</select>")[0]
