"""What guards rows inside the database outlives changes to its tables."""

import pytest
from django.core.management import call_command
from django.db import IntegrityError, connection, transaction

from accounts.models import User
from annotation.models import Rating, RatingRevision
from audit.triggers import Refusal, expected_triggers, trigger_findings
from tests.databases import on_sqlite
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
    call_command("migrate", "annotation", "0004", verbosity=0)
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


def execute(statements):
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


@pytest.fixture
def guard(db):
    """A trigger that the trail needs."""
    return expected_triggers(connection)["audit_event_no_update"]


def test_all_triggers_are_there_as_they_were_made(db):
    assert list(trigger_findings()) == []
    assert expected_triggers(connection).keys() == triggers()


def test_a_dropped_trigger_is_found(guard):
    execute(guard.drop_sql(connection.vendor))

    assert list(trigger_findings()) == [
        "The trigger audit_event_no_update is missing or switched off."
    ]


@pytest.mark.parametrize(
    "forged",
    [
        {"condition": "FALSE"},
        {"event": "DELETE"},
        {"table": User._meta.db_table},
        {"message": "another sentence"},
    ],
)
def test_a_trigger_that_was_made_anew_otherwise_is_found(guard, forged):
    execute(guard.drop_sql(connection.vendor))
    execute(Refusal(**{**vars(guard), **forged}).create_sql(connection.vendor))

    assert list(trigger_findings()) == [
        "The trigger audit_event_no_update is not what it was made as."
    ]


def test_a_strange_trigger_is_found(guard):
    execute(Refusal(**{**vars(guard), "name": "sabotage"}).create_sql(connection.vendor))

    assert list(trigger_findings()) == ["The trigger sabotage is none of ours."]


@pytest.mark.postgres_only
def test_a_trigger_that_is_switched_off_is_found(guard):
    execute([f"ALTER TABLE {guard.table} DISABLE TRIGGER {guard.name}"])

    assert list(trigger_findings()) == [
        "The trigger audit_event_no_update is missing or switched off."
    ]


@pytest.mark.postgres_only
def test_a_function_that_was_replaced_under_a_trigger_is_found(guard):
    execute(
        [
            f"CREATE OR REPLACE FUNCTION {guard.name}() RETURNS trigger LANGUAGE plpgsql"
            " AS $$ BEGIN RETURN NEW; END $$"
        ]
    )

    assert list(trigger_findings()) == [
        "The trigger audit_event_no_update is not what it was made as."
    ]
