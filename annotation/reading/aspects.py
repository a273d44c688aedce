"""The aspects of a query as people read and name them: a tree with marks A, A1, A2, B."""

from dataclasses import dataclass
from typing import Any

from datasets.tree import mark_of
from formats.grouping import grouped


@dataclass(frozen=True)
class TreePlace:
    """A place in a query's tree and the topic there. `mark` is A, A1, A2, B; `level` is 0 for an
    aspect, 1 for its sub-aspects.

    A topic may stand at several places: `same_as` is the mark of the first, empty there.
    """

    mark: str
    level: int
    topic_id: Any
    text: str
    same_as: str = ""


def in_reading_order(places):
    """(place, its numbers from the root, counted from 1) of every place of one query.

    A place has `pk`, `parent_id` and `position`; the third sub-aspect of the first aspect has the
    numbers (1, 3).
    """
    below = grouped((place.parent_id, place) for place in places)

    def walk(parent_id, numbers):
        siblings = sorted(below[parent_id], key=lambda place: (place.position, place.pk))
        for number, place in enumerate(siblings, start=1):
            yield place, (*numbers, number)
            yield from walk(place.pk, (*numbers, number))

    return walk(None, ())


def aspects_of(places, *, key="pk"):
    """The tree of one query as a list in reading order, from its places with their topics, which
    are told by this field."""
    first, aspects = {}, []
    for place, numbers in in_reading_order(places):
        mark, topic_id = mark_of(numbers), getattr(place.topic, key)
        same_as = first.get(topic_id, "")
        aspects.append(TreePlace(mark, len(numbers) - 1, topic_id, place.topic.text, same_as))
        first.setdefault(topic_id, mark)
    return aspects
