"""An import restores the settings of its connection after writing, and lets others write."""

import pytest
from django.db import IntegrityError, connection, transaction

from datasets.models import Collection, Document
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


class Clock:
    """Goes on where somebody waits or works."""

    def __init__(self):
        self.now, self.waited = 100.0, 0.0

    def monotonic(self):
        return self.now

    def sleep(self, seconds):
        self.now += seconds
        self.waited += seconds


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("making", "waited"), [(0, 2), (0.4, 1.2), (1.5, 0)], ids=["at once", "in part", "longer"]
)
def test_others_get_their_turn_while_the_next_rows_are_made(writer, monkeypatch, making, waited):
    """In pauses; three rows, each in a transaction of its own, have two between them."""
    clock = Clock()
    monkeypatch.setattr(life, "time", clock)
    monkeypatch.setattr(life, "MAX_ROWS", 1)
    writer.rows_per_chunk = 1

    def rows():
        for number in range(3):
            clock.now += making * life.PAUSE_SECONDS
            yield Document(collection=writer.imported.collection, external_id=f"d{number}")

    writer.insert(Document, rows())

    assert clock.waited == pytest.approx(waited * life.PAUSE_SECONDS)
