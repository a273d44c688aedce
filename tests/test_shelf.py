"""What is on the shelf is for every test as it was built."""

import pytest
from django.db import connection

from datasets.models import Collection
from tests.shelf import Shelf, shelved


@shelved
def collection(db):
    return Collection.objects.create(slug="study", name="As it was built")


@shelved
def other(collection):
    return Collection.objects.create(slug="other", name=f"Beside {collection.slug}")


@pytest.mark.parametrize("turn", range(3))
def test_changes_of_one_test_are_not_there_in_the_next(collection, turn):
    [stored] = Collection.objects.all()
    assert (collection.name, stored.name) == ("As it was built", "As it was built")

    collection.name = "Changed"
    collection.save()
    Collection.objects.create(slug="another", name="Another")


def test_a_fixture_builds_on_the_one_it_rests_on(collection, other):
    assert other.name == "Beside study"
    assert set(Collection.objects.all()) == {collection, other}


def test_a_test_without_it_begins_with_empty_tables(db):
    assert not Collection.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_a_test_that_commits_has_its_own(collection):
    assert not connection.in_atomic_block
    assert Collection.objects.get() == collection


def test_what_the_next_test_shares_is_not_built_again_and_the_rest_undone(db):
    built = []

    def lower():
        built.append("lower")
        return Collection.objects.create(slug="lower")

    def upper(lower):
        built.append("upper")
        lower.name = "seen by the upper alone"
        return Collection.objects.create(slug="upper")

    shelf = Shelf()
    shelf.hold({"lower": lower, "upper": upper}, None)
    values = shelf.hold({"lower": lower}, None)

    assert built == ["lower", "upper"]
    assert [collection.slug for collection in Collection.objects.all()] == ["lower"]
    assert values[lower].name == ""

    shelf.keep(0)

    assert not Collection.objects.exists()
