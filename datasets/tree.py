"""The tree of a query's aspects and how it is rearranged: pure functions, no database.

A tree is a tuple of aspects, each with its sub-aspects, in the order in which they are read.
"""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from string import ascii_uppercase

# Aspects and sub-aspects, as in DORIS-MAE, whose files can say no more.
MAX_LEVELS = 2


@dataclass(frozen=True)
class Aspect:
    """A place in the tree: `key` names the place, `topic` (its external id) what stands there."""

    key: Hashable
    topic: str
    subs: tuple["Aspect", ...] = ()


Tree = tuple[Aspect, ...]


class Step(StrEnum):
    UP = "up"  # before the one above it, under the same parent
    DOWN = "down"  # after the one below it, under the same parent
    NEST = "nest"  # the last sub-aspect of the one above it
    UNNEST = "unnest"  # right after its parent
    REMOVE = "remove"  # its sub-aspects take its place


class CannotMoveError(ValueError):
    """The tree does not allow this step; the message is a sentence for people."""


def walk(tree: Tree, parent: Aspect | None = None) -> Iterator[tuple[Aspect, Aspect | None, int]]:
    """(aspect, its parent or None, its position from 0 among its siblings), as it is read."""
    for position, aspect in enumerate(tree):
        yield aspect, parent, position
        yield from walk(aspect.subs, aspect)


def mark_of(numbers: Sequence[int]) -> str:
    """A place's mark for people, from its numbers from the root, counted from 1.

    (1,) is A, (27,) is AA, (1, 3) is A3, (1, 3, 2) is A3.2.
    """
    root, *below = numbers
    letters = ""
    while root:
        root, letter = divmod(root - 1, len(ascii_uppercase))
        letters = ascii_uppercase[letter] + letters
    return letters + ".".join(map(str, below))


def marks(tree: Tree, above: tuple[int, ...] = ()) -> Iterator[tuple[Hashable, str]]:
    """(key, mark) of every place, as it is read."""
    for number, aspect in enumerate(tree, start=1):
        yield aspect.key, mark_of((*above, number))
        yield from marks(aspect.subs, (*above, number))


def rearranged(tree: Tree, key: Hashable, step: Step, *, level: int = 1) -> Tree:
    """The tree after one step of the place `key`.

    Raises CannotMoveError where there is no such step, and KeyError where there is no such place.
    """
    for index, aspect in enumerate(tree):
        before, after = tree[:index], tree[index + 1 :]
        if aspect.key == key:
            return _step(before, aspect, after, step, level)
        if step is Step.UNNEST and key in (sub.key for sub in aspect.subs):
            [moved] = [sub for sub in aspect.subs if sub.key == key]
            other_subs = tuple(sub for sub in aspect.subs if sub.key != key)
            return _siblings((*before, replace(aspect, subs=other_subs), moved, *after))
        if key in (below.key for below, _, _ in walk(aspect.subs)):
            subs = rearranged(aspect.subs, key, step, level=level + 1)
            return (*before, replace(aspect, subs=subs), *after)
    raise KeyError(key)


def _step(before: Tree, aspect: Aspect, after: Tree, step: Step, level: int) -> Tree:
    if step is Step.REMOVE:
        # A sub-aspect that stands here already does so once.
        topics = {other.topic for other in (*before, *after)}
        return (*before, *(sub for sub in aspect.subs if sub.topic not in topics), *after)
    if step is Step.UNNEST:
        raise CannotMoveError("It is no sub-aspect.")
    if step is Step.DOWN:
        if not after:
            raise CannotMoveError("It is the last one already.")
        return (*before, after[0], aspect, *after[1:])
    if not before:
        raise CannotMoveError(
            "It is the first one already."
            if step is Step.UP
            else "Nothing stands above it that it could be a sub-aspect of."
        )
    if step is Step.UP:
        return (*before[:-1], aspect, before[-1], *after)
    if level + _height(aspect) > MAX_LEVELS:
        raise CannotMoveError(
            "It has sub-aspects of its own, and a sub-aspect has none."
            if aspect.subs
            else "A sub-aspect has no sub-aspects."
        )
    above = before[-1]
    if above.topic == aspect.topic:
        raise CannotMoveError("An aspect cannot be its own sub-aspect.")
    subs = _siblings((*above.subs, aspect))
    return (*before[:-1], replace(above, subs=subs), *after)


def _siblings(aspects: Tree) -> Tree:
    if len({aspect.topic for aspect in aspects}) < len(aspects):
        raise CannotMoveError("The same text stands there already.")
    return aspects


def _height(aspect: Aspect) -> int:
    return 1 + max(map(_height, aspect.subs), default=0)


def possible(tree: Tree, key: Hashable) -> set[Step]:
    """The steps that the tree allows this place."""
    steps = set()
    for step in Step:
        try:
            rearranged(tree, key, step)
        except CannotMoveError:
            continue
        steps.add(step)
    return steps
