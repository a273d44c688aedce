"""The missing parts of a new study follow from its rows, and pages name them until they are
there."""

import pytest
from django.urls import reverse
from pytest_django.asserts import assertContains, assertNotContains

from annotation.assigning.actions.assign import assign_seat
from annotation.assigning.actions.batches import make_batches
from annotation.models import Scheme
from annotation.progress.overview import overview
from annotation.progress.setting_up import setting_up, way_of
from annotation.schemes.actions import load_definition
from tests.factories.studies import (
    assign_all,
    make_collection,
    make_member,
    make_study,
)

pytestmark = pytest.mark.django_db


def missing(member):
    setup = setting_up(overview(member), member.collection.scheme)
    return [step.key for step in setup.missing] if setup else []


def test_an_empty_study_lacks_data_people_and_seats(client):
    collection = make_collection("fresh", load_definition("binary"))
    lena = make_member(collection, "Lena", "lead")

    assert missing(lena) == ["data", "pool", "people", "seats"]
    client.force_login(lena.user)
    response = client.get(reverse("annotation:collection", args=["fresh"]))
    assertContains(response, "Missing before the first rating")
    assertContains(response, "2 more annotators")
    make_member(collection, "Alice", "annotator")
    assertContains(client.get(reverse("annotation:collection", args=["fresh"])), "1 more annotator")


def test_steps_go_once_every_seat_is_held(client):
    study = make_study(assign=False)
    lena = study.members["lena"]
    assert missing(lena) == ["seats"]
    batches = make_batches(collection=study.collection, by=study.lena)
    assert missing(lena) == ["seats"]

    assign_all(study, batches, ["alice", "bob"])

    assert missing(lena) == []
    client.force_login(study.lena)
    page = reverse("annotation:collection", args=["study"])
    assertNotContains(client.get(page), "Missing before the first rating")


def test_a_study_at_work_is_not_set_up_again():
    study = make_study()
    study.rate("alice", study.batch.pairs.first(), 1)
    Scheme.objects.update(overlap=5)

    assert missing(study.members["lena"]) == []


ROUTES = [
    "annotation:scheme",
    "imports:import",
    "datasets:runs",
    "datasets:members",
    "annotation:assign",
]


@pytest.mark.parametrize("route", ROUTES)
def test_every_page_of_the_way_says_what_is_missing(client, route):
    collection = make_collection("fresh", load_definition("binary"))
    client.force_login(make_member(collection, "Lena", "lead").user)

    page = client.get(reverse(route, args=["fresh"]))

    assertContains(page, 'aria-label="Setting up"')
    assertContains(page, "1 of 5 done.")


def test_the_line_says_the_same_as_the_overview():
    study = make_study(assign=False)
    lena = study.members["lena"]
    for _ in range(2):
        way = way_of(study.collection, study.lena)
        setup = setting_up(overview(lena), study.scheme)
        assert [step.missing for step in way.steps] == [step.missing for step in setup.steps]
        make_batches(collection=study.collection, by=study.lena)


def test_the_line_goes_with_the_first_rating():
    study = make_study()
    Scheme.objects.update(overlap=5)
    assert way_of(study.collection, study.lena) is not None

    study.rate("alice", study.batch.pairs.first(), 1)

    assert way_of(study.collection, study.lena) is None


def test_the_line_tells_a_lead_who_rates_nothing_of_the_others():
    """It is gone before anybody rates, so that its going says nothing."""
    study = make_study(assign=False)
    nora = make_member(study.collection, "Nora", "lead", "annotator")
    [batch] = make_batches(collection=study.collection, by=study.lena)
    assign_seat(seat=batch.seats.first(), member=nora, by=study.lena)

    assert way_of(study.collection, nora.user) is None
    assert way_of(study.collection, study.lena) is not None
