"""Cursors of lists: read back, and told apart by list."""

import pytest
from django.core.exceptions import BadRequest

from api.cursors import cursor_of, number_of


@pytest.mark.parametrize("number", [0, 1, 12_345, 2**32 - 1, 2**32, 2**40])
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


@pytest.mark.parametrize(("number", "name"), [(1, "pairs"), (2**40 + 1, "ratings")])
def test_a_cursor_of_another_list_is_refused(number, name):
    with pytest.raises(BadRequest, match="This is no cursor of ratings"):
        number_of(cursor_of(number, name), "ratings")


@pytest.mark.parametrize("text", ["", "12", "g" * 16, "+" + "0" * 15, "0" * 17, "0x" + "0" * 13])
def test_what_is_no_cursor_is_refused(text):
    with pytest.raises(BadRequest, match="This is no cursor of ratings"):
        number_of(text, "ratings")
