"""What guards rows inside the database outlives changes to its tables."""

import pytest
from django.db import connection

from accounts.models import User
from audit.triggers import Refusal, expected_triggers, trigger_findings
from tests.databases import on_sqlite

pytestmark = pytest.mark.both


def triggers():
    select = "SELECT DISTINCT trigger_name FROM information_schema.triggers"
    if on_sqlite():
        select = "SELECT name FROM sqlite_master WHERE type = 'trigger'"
    with connection.cursor() as cursor:
        cursor.execute(select)
        return {name for (name,) in cursor.fetchall()}


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
