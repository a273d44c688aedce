"""What a new study still lacks is worked out from what is there, and said until it is there."""

import pytest
from django.urls import reverse
from pytest_django.asserts import assertContains, assertNotContains

from annotation.assigning.actions.batches import make_batches
from annotation.models import Scheme
from annotation.progress.overview import overview
from annotation.progress.setting_up import setting_up
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

    assert missing(lena) == ["data", "people", "seats"]
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
