"""What guards rows inside the database outlives changes to its tables."""

import pytest
from django.core.management import call_command
from django.db import IntegrityError, connection, transaction

from annotation.models import Rating, RatingRevision
from tests.conftest import on_sqlite
from tests.factories.studies import make_study

pytestmark = pytest.mark.both


def triggers():
    select = "SELECT DISTINCT trigger_name FROM information_schema.triggers"
    if on_sqlite():
        select = "SELECT name FROM sqlite_master WHERE type = 'trigger'"
    with connection.cursor() as cursor:
        cursor.execute(select)
        return {name for (name,) in cursor.fetchall()}


@pytest.fixture
def migrated_back(transactional_db):
    """The tables as they were before aspects, with a rating in them; forward again at the end."""
    study = make_study()
    study.rate("alice", study.first_pair("alice"), 2)
    before = triggers()
    call_command("migrate", "adjudication", "0002", verbosity=0)
    guarding = triggers()
    call_command("migrate", "annotation", "0002", verbosity=0)
    yield before, guarding
    call_command("migrate", verbosity=0)


def test_a_migration_keeps_the_triggers_of_the_tables_that_it_changes(migrated_back):
    before, guarding = migrated_back
    assert "annotation_ratingrevision_no_update" in guarding
    assert triggers() == guarding

    call_command("migrate", verbosity=0)

    assert triggers() == before
    revision = RatingRevision.objects.get(rating=Rating.objects.get())
    with pytest.raises(IntegrityError, match="append-only"), transaction.atomic():
        RatingRevision.objects.filter(pk=revision.pk).update(note="rewritten")
