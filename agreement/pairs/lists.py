"""The pairs behind a number: read from an address, counted as the number was.

A list is named in an address by its kind and a cell, beside the filters of the agreement pages:
`list=values&cell=0,3&facet=method` are the pairs of Method whose lowest rating is 0 and whose
highest is 3. Only what the viewer may see is in it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from django.core.exceptions import BadRequest
from django.urls import reverse

from accounts.parameters import one_of
from agreement.pairs import people, rated, settled, standing
from agreement.pairs.made import Made, Maker
from agreement.study.counted import progress_of
from agreement.study.filters import list_address
from agreement.study.parts import LEVELS, parts_of
from agreement.study.selection import Selection
from annotation.progress.attention import flagged_pairs, undecidable_pairs


@dataclass(frozen=True)
class PairList:
    """Pairs in the order of topics and pools. `back` is where the number stands."""

    kind: str
    cell: str
    words: str
    back: str
    pairs: list[int]
    filters: str  # the filters it was made with, as in an address

    @property
    def address(self) -> str:
        """The query string of the list's address and of its pairs' addresses."""
        return list_address(self.kind, self.cell, self.filters)

    @cached_property
    def _place_of(self) -> dict[int, int]:
        return {pair: place for place, pair in enumerate(self.pairs)}

    def place(self, pair: int) -> int | None:
        """The pair's number in the list, counted from 1; None where it is not in it any more."""
        place = self._place_of.get(pair)
        return None if place is None else place + 1

    def beside(self, pair: int, by: int) -> int | None:
        """The pair `by` steps on; None beyond an end."""
        place = self._place_of.get(pair)
        if place is None or not 0 <= place + by < len(self.pairs):
            return None
        return self.pairs[place + by]


def read_list(selection: Selection, parameters: Mapping[str, str]) -> PairList | None:
    """The list that an address names, or None where it names none; BadRequest where it names one
    that there is not."""
    kind = parameters.get("list", "")
    if not kind:
        return None
    make = LISTS.get(kind)
    if make is None:
        raise BadRequest(f"list is {kind!r}; expected one of {', '.join(LISTS)}.")
    cell, topic = parameters.get("cell", ""), parameters.get("topic", "")
    level = parameters.get("level", "")
    limited = _of_topic(selection, topic) if topic else selection
    limited = _of_level(limited, one_of(parameters, "level", LEVELS)) if level else limited
    words, back, pairs = make(limited, cell)
    if topic:
        words = f"{topic}: {words}"
    if level:
        words = f"{LEVELS[level]}: {words}"
    filters = selection.filters.address(topic=topic, level=level)
    return PairList(kind, cell, words, back, pairs, filters)


def _of_topic(selection: Selection, key: str) -> Selection:
    topics = selection.chosen.topics
    numbers = [number for number, topic in enumerate(topics) if topic.key == key]
    if not numbers:
        raise BadRequest(f"topic is {key!r}; no such topic is among the chosen pairs.")
    return _of_topics(selection, numbers)


def _of_level(selection: Selection, level: str) -> Selection:
    """The same with the topics of one level of aspects."""
    parts = parts_of(selection, selection.chosen)
    numbers = [np.flatnonzero(part.topics).tolist() for part in parts if part.key == level]
    return _of_topics(selection, *numbers)


def _of_topics(selection: Selection, numbers: Sequence[int] = ()) -> Selection:
    """The same with the pairs of some topics, of one moment."""
    chosen = selection.chosen
    limited = replace(selection)
    chosen = chosen.of_topics(numbers)
    vars(limited).update(chosen=chosen, progress=progress_of(chosen))
    return limited


def _flags(selection: Selection, cell: str) -> Made:
    pairs = flagged_pairs(collection=selection.collection, user=selection.viewer)
    back = reverse("annotation:flags", args=[selection.collection.slug])
    return "flagged", back, list(pairs.values_list("pk", flat=True))


def _undecidable(selection: Selection, cell: str) -> Made:
    pairs = undecidable_pairs(selection.collection).visible_to_lead(selection.viewer)
    back = reverse("annotation:undecidable", args=[selection.collection.slug])
    return "nobody may decide", back, list(pairs.values_list("pk", flat=True))


# By the word that names a list in an address.
LISTS: dict[str, Maker] = {
    **rated.LISTS,
    **settled.LISTS,
    **people.LISTS,
    **standing.LISTS,
    "flags": _flags,
    "undecidable": _undecidable,
}
