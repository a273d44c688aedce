"""The form in which SQLite gets a statement."""

import pytest
from django.db import connection
from django.db.backends.sqlite3.base import SQLiteCursorWrapper

from config.backends.sqlite3.base import LONGEST, Cursor, converted

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite_only]


def selected(statement, params):
    with connection.cursor() as cursor:
        return cursor.execute(statement, params).fetchone()


def test_values_and_percent_signs_come_as_they_are_each_time():
    statement = "SELECT %s, '100 %%', %s LIKE 'a%%'"

    assert [selected(statement, [value, value]) for value in ("ab", "b%s")] == [
        ("ab", "100 %", 1),
        ("b%s", "100 %", 0),
    ]


def test_a_statement_without_values_and_one_with_names_are_sent_as_django_does():
    assert selected("SELECT '%s'", None) == ("%s",)
    assert selected("SELECT %(first)s, %(second)s", {"first": 1, "second": "%s"}) == (1, "%s")


def test_the_form_is_the_same_as_django_s_and_made_once():
    statement = "UPDATE t SET a = %s, b = '%%s' WHERE c = %s"

    form = converted(statement)

    assert form == SQLiteCursorWrapper.convert_query(None, statement)
    assert converted(statement) is form


def test_long_statements_are_not_kept():
    before = converted.cache_info().currsize
    statement = f"SELECT %s{' ' * LONGEST}"

    with connection.cursor() as cursor:
        assert isinstance(cursor.cursor, Cursor)
        assert cursor.execute(statement, ["a"]).fetchone() == ("a",)

    assert converted.cache_info().currsize == before
