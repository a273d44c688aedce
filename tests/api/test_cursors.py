"""Cursors of lists: read back, and told apart by list."""

import pytest
from django.core.exceptions import BadRequest

from api.cursors import cursor_of, number_of


@pytest.mark.parametrize("number", [0, 1, 12_345, 2**32 - 1, 2**32, 2**63 - 1])
def test_cursor_is_read_back_as_its_number(number):
    cursor = cursor_of(number, "ratings")

    assert len(cursor) == 16
    assert number_of(cursor, "ratings") == number


def test_neighbouring_numbers_have_cursors_that_tell_nothing():
    cursors = [cursor_of(number, "ratings") for number in range(1, 30)]

    assert len({cursor[:4] for cursor in cursors}) > 20
    assert len({cursor[-4:] for cursor in cursors}) > 20
    assert cursors != sorted(cursors)
    assert cursor_of(1, "pairs") not in cursors


def test_number_beyond_what_a_database_counts_is_the_last_one():
    assert max(number_of(f"{n:016x}", "ratings") for n in range(20)) == 2**63 - 1


@pytest.mark.parametrize("text", ["", "12", "g" * 16, "+" + "0" * 15, "0" * 17, "0x" + "0" * 13])
def test_what_is_no_cursor_is_refused(text):
    with pytest.raises(BadRequest, match="This is not a cursor"):
        number_of(text, "ratings")
