"""Revisions beside their events: two streams paired by key, and field by field."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.reading.text_hashes import ANSWER_FIELDS
from config.integrity.replayed_answers import _differences, _Merge, _unmatched


def merged(lefts, rights):
    merge = _Merge(
        [(key, f"left {key}") for key in lefts], [(key, f"right {key}") for key in rights]
    )
    return [(left, right) for left, right in merge.pairs()], merge


@given(st.permutations(range(8)), st.permutations(range(8)))
def test_two_streams_are_paired_whatever_their_orders(lefts, rights):
    pairs, merge = merged(lefts, rights)

    assert sorted(pairs) == [(f"left {key}", f"right {key}") for key in range(8)]
    assert (merge.waiting_left, merge.waiting_right, merge.doubled) == ({}, {}, [])


@given(st.sets(st.integers(0, 9)), st.sets(st.integers(0, 9)))
def test_what_one_stream_lacks_waits_in_the_end(lefts, rights):
    pairs, merge = merged(sorted(lefts), sorted(rights, reverse=True))

    assert {left for left, _ in pairs} == {f"left {key}" for key in lefts & rights}
    assert merge.waiting_left.keys() == lefts - rights
    assert merge.waiting_right.keys() == rights - lefts


def test_one_stream_may_be_empty_or_much_longer():
    assert merged([], [])[0] == []
    assert merged([], [1, 2])[1].waiting_right.keys() == {1, 2}
    assert merged([1, 2, 3, 4, 5], [5])[0] == [("left 5", "right 5")]


def test_a_key_that_comes_twice_is_told_and_paired_once():
    pairs, merge = merged([1], [2, 2, 1])

    assert pairs == [("left 1", "right 1")]
    assert merge.doubled == [2]


def test_each_way_of_being_unpaired_has_its_sentence():
    merge = _Merge([], [])
    merge.doubled = [("a", 1)]
    merge.waiting_left = {("b", 2): None}
    merge.waiting_right = {("c", 3): None}

    assert list(_unmatched(merge)) == [
        "Revision 1 of rating a has two events in the trail.",
        "Revision 2 of rating b has 0 events in the trail.",
        "The trail knows revision 3 of rating c, which is gone.",
    ]


ROW = {
    "rating__public_id": "r1",
    "version": 1,
    "rating__pair__public_id": "p1",
    "rating__seat__public_id": "s1",
    "rating__annotator__public_id": "m1",
    "rating__position": 4,
    "option__key": "similar",
    "cannot_judge": "",
    "note": "seen",
    "is_flagged": False,
    "components": [],
    "active_seconds": Decimal("3.1"),
    "scheme_version__number": 1,
}
EVENT = {
    "seat": "s1",
    "position": 4,
    "option": "similar",
    "cannot_judge": "",
    "note": "seen",
    "is_flagged": False,
    "components": [],
    "active_seconds": "3.14",
    "scheme_version": 1,
}


def differences(event, subject="p1", **row):
    return _differences([(ROW | row)[name] for name in ANSWER_FIELDS], subject, event)


def test_a_revision_that_is_what_its_event_says_has_no_difference():
    assert differences(EVENT) == []


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("seat", "s2"),
        ("position", 5),
        ("option", None),
        ("cannot_judge", "too short"),
        ("note", "Seen"),
        ("is_flagged", True),
        ("components", [{"text": "x", "met": "yes"}]),
        ("active_seconds", "3.2"),
        ("active_seconds", "none"),
        ("scheme_version", 2),
    ],
)
def test_each_field_that_differs_is_named(name, other):
    assert differences(EVENT | {name: other}) == [name]


def test_an_event_about_another_pair_is_named():
    assert differences(EVENT, subject="p2") == ["pair"]


@pytest.mark.parametrize("name", EVENT)
def test_an_event_of_before_a_field_was_traced_says_nothing_of_it(name):
    assert differences({key: value for key, value in EVENT.items() if key != name}) == []


@pytest.mark.parametrize(
    ("traced", "stored"), [("3.14", "3.1"), ("3.15", "3.2"), ("3.25", "3.2"), ("0", "0.0")]
)
def test_seconds_are_compared_as_the_column_rounds_them(traced, stored):
    assert differences(EVENT | {"active_seconds": traced}, active_seconds=Decimal(stored)) == []
