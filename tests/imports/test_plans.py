"""What PostgreSQL believed of the tables before an import does not slow it down.

A connection keeps one plan for each statement of a trigger. Made while a table was small, or was
taken for empty, it reads the whole table or a whole index, and would do so for every row of a large
import.
"""

import pytest
from django.db import connection

from annotation.schemes.actions import create_scheme, load_definition
from datasets.models import Collection
from imports import life, pairs
from imports.run import carry_out
from imports.study.importing import StudyMoving
from tests.factories.neutral import Neutral
from tests.factories.studies import make_study

pytestmark = [pytest.mark.django_db, pytest.mark.postgres_only]

PAIRS = 1000


@pytest.fixture
def bring_in(monkeypatch):
    monkeypatch.setattr(life, "PAUSE_SECONDS", 0)

    def bring_in(neutral, slug):
        collection = Collection.objects.create(slug=slug, name=slug)
        create_scheme(collection=collection, definition=load_definition("csfcube"), by=None)
        carry_out(StudyMoving(neutral.study, collection, None))

    return bring_in


def large_study():
    names = [f"d{number}" for number in range(PAIRS)]
    neutral = Neutral().document("q1")
    for name in names:
        neutral.document(name)
    neutral.query("q1", document="q1", facets=["method"]).pool("q1", *names)
    for name in names:
        neutral.rate("q1_method", name, ann=3, ben=3)
    return neutral


def rows_read():
    """Rows that this transaction read, by an index or by going through whole tables."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0)) FROM pg_stat_xact_user_tables"
        )
        return int(cursor.fetchone()[0])


@pytest.fixture
def clean_up_before_ratings(monkeypatch):
    """PostgreSQL cleans all tables up, as it does now and then, between an import's pairs and its
    ratings. All rows are of the test's open transaction then, and it would count none of them."""
    write_ratings = pairs.write_ratings

    def clean_up_first(*args, **kwargs):
        beside = connection.copy()
        try:
            with beside.cursor() as cursor:
                # To cut a table off at its end it would wait five seconds for each that the
                # test's transaction holds.
                cursor.execute("VACUUM (SKIP_LOCKED, TRUNCATE FALSE)")
        finally:
            beside.close()
        write_ratings(*args, **kwargs)

    monkeypatch.setattr(pairs, "write_ratings", clean_up_first)


def test_plans_of_small_tables_are_not_kept_for_a_large_import(bring_in):
    study = make_study(candidates=3)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    # Each trigger plans its statements for tables of a few rows.
    study.finish(alice=[3, 3, 3], bob=[3, 3, 3])
    before = rows_read()

    bring_in(large_study(), "large")

    assert rows_read() - before < 100 * PAIRS


def test_a_clean_up_that_counts_no_row_does_not_slow_an_import(bring_in, clean_up_before_ratings):
    before = rows_read()

    bring_in(large_study(), "large")

    assert rows_read() - before < 100 * PAIRS
