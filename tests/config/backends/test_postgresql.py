"""Whether a connection that the last request left is still there."""

import pytest
from django.db import OperationalError, connection, connections

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgres_only]


def end(process):
    other = connections["default"].copy()
    with other.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(%s, 5000)", [process])
    other.close()


def test_a_connection_in_order_is_usable_and_the_server_is_not_asked(django_assert_num_queries):
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")

    with django_assert_num_queries(0):
        assert connection.is_usable()


def test_a_connection_that_the_server_ended_is_not_used_again():
    connection.ensure_connection()
    ended = connection.connection.info.backend_pid
    end(ended)

    connection.close_if_unusable_or_obsolete()
    connection.health_check_enabled, connection.health_check_done = True, False
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")

        assert cursor.fetchone()[0] != ended


def test_after_an_error_the_server_itself_is_asked():
    connection.ensure_connection()
    end(connection.connection.info.backend_pid)
    with pytest.raises(OperationalError), connection.cursor() as cursor:
        cursor.execute("SELECT 1")

    assert not connection.is_usable()
    connection.close()
