"""An import restores the settings of its connection after writing."""

import pytest
from django.db import IntegrityError, connection, transaction

from datasets.models import Collection
from imports import life

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.sqlite_only,  # a setting of its own
]


def cache_size():
    return connection.connection.execute("PRAGMA cache_size").fetchone()[0]


@pytest.fixture
def writer():
    collection = Collection.objects.create(slug="study", name="Study")
    # A test before may have left a dead import behind, with the memory that it took.
    connection.connection.execute("PRAGMA cache_size = -2000")
    usual = cache_size()
    writer = life.begin(collection=collection, kind="test", fingerprint="", by=None)
    assert abs(cache_size()) > abs(usual)
    yield writer
    writer.close()
    assert cache_size() == usual


def test_memory_is_given_back_at_the_end(writer):
    writer.close()


def test_memory_is_given_back_in_a_transaction_that_failed(writer):
    with transaction.atomic():
        with pytest.raises(IntegrityError), transaction.atomic(savepoint=False):
            Collection.objects.create(slug="study", name="Study")
        writer.close()
