"""How many requests of a token go on at once."""

import pytest
from django.db import OperationalError

from accounts.throttle import LIMITS, Limit
from api import limits


@pytest.fixture(autouse=True)
def two_blocks_of_three(db, monkeypatch):
    monkeypatch.setattr(limits, "BLOCK", 3)
    monkeypatch.setitem(LIMITS, "program", {"account": Limit(2, 60)})
    limits.forget()
    yield
    limits.forget()


def test_a_token_gets_its_blocks_to_the_last_request_and_none_more():
    waits = [limits.seconds_to_wait(1) for _ in range(8)]

    assert waits[:6] == [0] * 6
    assert all(wait > 0 for wait in waits[6:])
    assert limits.seconds_to_wait(2) == 0


def test_one_request_of_a_block_is_counted_in_the_database(django_assert_num_queries):
    limits.seconds_to_wait(1)

    with django_assert_num_queries(0):
        assert [limits.seconds_to_wait(1) for _ in range(2)] == [0, 0]
    assert limits.seconds_to_wait(1) == 0
    with django_assert_num_queries(0):
        assert limits.seconds_to_wait(1) == 0


def test_a_request_goes_on_where_the_database_is_too_busy_to_count_it(monkeypatch):
    def busy(*attempts):
        raise OperationalError("database is locked")

    monkeypatch.setattr(limits, "count_attempt", busy)

    assert [limits.seconds_to_wait(1) for _ in range(9)] == [0] * 9


def test_the_token_that_was_used_longest_ago_is_forgotten_first(monkeypatch):
    monkeypatch.setattr(limits, "KEPT", 2)
    for token in (1, 2, 1, 3):
        limits.seconds_to_wait(token)
    counted = []
    monkeypatch.setattr(limits, "count_attempt", lambda attempt: counted.append(attempt) or 0)

    for token in (1, 3, 2):
        limits.seconds_to_wait(token)

    assert [attempt.email for attempt in counted] == ["2"]
