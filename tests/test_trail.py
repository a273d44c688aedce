"""What holds every action to its events holds (tests/trail.py)."""

import pytest

from audit.actions import record
from audit.transactions import one_transaction
from datasets.models import Collection

pytestmark = [pytest.mark.django_db, pytest.mark.once]


@pytest.fixture
def collection():
    return Collection.objects.create(slug="study", name="Study")


@one_transaction
def rename(collection, name):
    Collection.objects.filter(pk=collection.pk).exclude(name=name).update(name=name)


@one_transaction
def rename_and_record(collection, name, *, in_collection):
    rename(collection, name)
    record("change details", collection, by=None, collection=in_collection)


def test_a_change_without_an_event_of_a_collection_fails(collection):
    with pytest.raises(AssertionError, match="datasets_collection"):
        rename(collection, "Other")
    with pytest.raises(AssertionError, match="datasets_collection"):
        rename_and_record(collection, "Another", in_collection=None)


def test_an_event_anywhere_in_the_action_is_enough(collection):
    rename_and_record(collection, "Other", in_collection=collection)


def test_what_changes_no_row_needs_no_event(collection):
    rename(collection, "Study")
