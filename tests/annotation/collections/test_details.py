"""What every export of a collection carries, edited by its leads."""

import pytest
from pytest_django.asserts import assertContains, assertRedirects

from audit.models import Event

PAGE = "/collections/study/details/"
TYPED = {
    "name": "Study, second round",
    "description": "",
    "licence": "CC BY-SA 4.0",
    "source": "Abstracts of our own",
    "citation": "The study (2027)",
}


def test_the_page_shows_what_is_stored(lena):
    response = lena.get(PAGE)

    assertContains(response, 'value="CC BY 4.0"')
    assertContains(response, "The study (2026)")


def test_details_are_saved_and_traced(lena, study):
    response = lena.post(PAGE, TYPED)

    assertRedirects(response, "/collections/study/")
    study.collection.refresh_from_db()
    assert {name: getattr(study.collection, name) for name in TYPED} == TYPED
    event = Event.objects.get(verb="change details")
    assert event.before["licence"] == "CC BY 4.0"
    assert event.after["licence"] == "CC BY-SA 4.0"


def test_saving_without_a_difference_leaves_no_trace(lena, study):
    stored = {name: getattr(study.collection, name) for name in TYPED}

    lena.post(PAGE, stored)

    assert not Event.objects.filter(verb="change details").exists()


@pytest.mark.parametrize("wrong", [{"name": " "}, {"name": "x" * 161}, {"licence": "x" * 201}])
def test_details_that_do_not_fit_change_nothing(lena, study, wrong):
    response = lena.post(PAGE, TYPED | wrong)

    assert response.status_code == 422
    study.collection.refresh_from_db()
    assert (study.collection.name, study.collection.licence) == ("Study", "CC BY 4.0")
    assertContains(response, "<title>Details · Study", status_code=422)


def test_the_address_of_a_collection_cannot_be_changed(lena, study):
    lena.post(PAGE, TYPED | {"slug": "other", "pseudonym_key": "x"})

    before = study.collection.pseudonym_key
    study.collection.refresh_from_db()
    assert (study.collection.slug, study.collection.pseudonym_key) == ("study", before)
