"""Counts and lists of names in a sentence."""

import pytest

from formats.words import counted, listed


@pytest.mark.parametrize(
    ("count", "nouns", "words"),
    [
        (0, ("pair",), "0 pairs"),
        (1, ("pair",), "1 pair"),
        (1234, ("pair",), "1,234 pairs"),
        (1, ("query",), "1 query"),
        (2, ("query",), "2 queries"),
        (2, ("day",), "2 days"),
        (1, ("set of judgments",), "1 set of judgments"),
        (2, ("set of judgments",), "2 sets of judgments"),
        (1, ("person", "people"), "1 person"),
        (2, ("person", "people"), "2 people"),
    ],
)
def test_noun_is_of_one_or_of_several(count, nouns, words):
    assert counted(count, *nouns) == words


@pytest.mark.parametrize(
    ("count", "text"),
    [(0, ""), (1, "n0"), (2, "n0, n1"), (3, "n0, n1 and 1 more"), (1003, "n0, n1 and 1,001 more")],
)
def test_names_are_listed_up_to_a_number(count, text):
    names = [f"n{number}" for number in range(count)]

    assert listed(names, 2) == text


def test_names_that_hold_commas_are_divided_otherwise():
    assert listed(["a, b", "c", "d"], 2, "; ") == "a, b; c and 1 more"
