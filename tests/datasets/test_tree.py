"""Rearranging the tree of a query's aspects."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from datasets.tree import (
    Aspect,
    CannotMoveError,
    Step,
    marks,
    possible,
    rearranged,
    walk,
)


def tree(shape):
    """{"a": "bc", "d": ""} as a tree; a place's key is its parent's letter and its own."""
    return tuple(
        Aspect(top, top, tuple(Aspect(top + sub, sub) for sub in subs))
        for top, subs in shape.items()
    )


def shape(aspects):
    return {aspect.topic: "".join(sub.topic for sub in aspect.subs) for aspect in aspects}


START = {"a": "xy", "b": "", "c": "z"}


@pytest.mark.parametrize(
    ("key", "step", "after"),
    [
        ("b", Step.UP, {"b": "", "a": "xy", "c": "z"}),
        ("b", Step.DOWN, {"a": "xy", "c": "z", "b": ""}),
        ("ay", Step.UP, {"a": "yx", "b": "", "c": "z"}),
        ("ax", Step.DOWN, {"a": "yx", "b": "", "c": "z"}),
        ("b", Step.NEST, {"a": "xyb", "c": "z"}),
        ("ax", Step.UNNEST, {"a": "y", "x": "", "b": "", "c": "z"}),
        ("b", Step.REMOVE, {"a": "xy", "c": "z"}),
        ("ay", Step.REMOVE, {"a": "x", "b": "", "c": "z"}),
        ("a", Step.REMOVE, {"x": "", "y": "", "b": "", "c": "z"}),
    ],
)
def test_a_step_moves_one_place_and_keeps_the_order_of_the_others(key, step, after):
    assert list(shape(rearranged(tree(START), key, step)).items()) == list(after.items())


@pytest.mark.parametrize(
    ("key", "step", "why"),
    [
        ("a", Step.UP, "first"),
        ("c", Step.DOWN, "last"),
        ("a", Step.NEST, "above"),
        ("c", Step.NEST, "sub-aspects of its own"),
        ("ay", Step.NEST, "A sub-aspect has no sub-aspects"),
        ("a", Step.UNNEST, "no sub-aspect"),
    ],
)
def test_a_step_that_the_tree_does_not_allow_says_why(key, step, why):
    with pytest.raises(CannotMoveError, match=why):
        rearranged(tree(START), key, step)


def test_the_same_topic_does_not_come_to_stand_twice_at_one_place():
    twice = tree({"a": "x", "x": ""})

    with pytest.raises(CannotMoveError, match="already"):
        rearranged(twice, "ax", Step.UNNEST)
    with pytest.raises(CannotMoveError, match="already"):
        rearranged(twice, "x", Step.NEST)
    assert shape(rearranged(twice, "a", Step.REMOVE)) == {"x": ""}


def test_an_aspect_is_no_sub_aspect_of_itself():
    with pytest.raises(CannotMoveError, match="its own"):
        rearranged((Aspect(1, "a"), Aspect(2, "a")), 2, Step.NEST)


def test_an_unknown_place_is_an_error_of_the_caller():
    with pytest.raises(KeyError):
        rearranged(tree(START), "nowhere", Step.UP)


def test_places_are_marked_with_letters_and_numbers():
    assert list(marks(tree(START))) == [
        ("a", "A"), ("ax", "A1"), ("ay", "A2"), ("b", "B"), ("c", "C"), ("cz", "C1"),
    ]  # fmt: skip


def test_possible_steps_are_those_that_are_not_refused():
    assert possible(tree(START), "ay") == {Step.UP, Step.UNNEST, Step.REMOVE}
    assert possible(tree(START), "b") == {Step.UP, Step.DOWN, Step.NEST, Step.REMOVE}


moves = st.lists(st.tuples(st.integers(0, 9), st.sampled_from(list(Step))), max_size=30)


@given(moves)
def test_whatever_is_done_it_stays_a_tree_of_two_levels(steps):
    now = tree({"a": "bc", "d": "", "e": "bfg", "h": ""})
    for index, step in steps:
        places = [aspect for aspect, _, _ in walk(now)]
        if not places:
            break
        moved = places[index % len(places)]
        try:
            after = rearranged(now, moved.key, step)
        except CannotMoveError:
            continue
        left = [aspect.key for aspect, _, _ in walk(after)]
        assert len(left) == len(set(left))
        if step is not Step.REMOVE:
            assert sorted(left) == sorted(place.key for place in places)
        elif moved.subs:
            assert moved.key not in left
        for aspect, parent, _ in walk(after):
            siblings = [node.topic for node in (parent.subs if parent else after)]
            assert len(siblings) == len(set(siblings))
            assert parent is None or parent.topic != aspect.topic
        assert all(not sub.subs for aspect in after for sub in aspect.subs)  # MAX_LEVELS is 2
        now = after
