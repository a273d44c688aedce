"""Which pairs stand behind a number: read from an address, counted as the number was.

A list is named in an address by its kind and a cell, beside the filters of the agreement pages:
`list=values&cell=0,3&facet=method` are the pairs of Method whose lowest rating is 0 and whose
highest is 3. Only what the viewer may see is in it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from uuid import UUID

import numpy as np
from django.core.exceptions import BadRequest
from django.http import Http404
from django.urls import reverse
from django.utils.http import urlencode

from agreement.study.counted import Counted, count
from agreement.study.ratings import Ids, Mask
from agreement.study.selection import Selection
from agreement.subjects.disagreements.figures import Outcome, became_of, ends_of
from annotation.models import Pair
from annotation.progress.attention import flagged_pairs, undecidable_pairs
from datasets.models import Topic


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
        """What follows the `?` in the address of the list and of its pairs."""
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


def list_address(kind: str, cell: str, filters: str = "") -> str:
    """`list=values&cell=0,3&facet=method`; `filters` is an address of `Filters`."""
    named = urlencode({"list": kind, "cell": cell} if cell else {"list": kind})
    return f"{named}&{filters}" if filters else named


def read_list(selection: Selection, parameters: Mapping[str, str]) -> PairList | None:
    """The list that an address names, or None where it names none; BadRequest where it names one
    that there is not."""
    kind = parameters.get("list", "")
    if not kind:
        return None
    make = LISTS.get(kind)
    if make is None:
        raise BadRequest(f"list is {kind!r}; expected one of {', '.join(LISTS)}.")
    cell = parameters.get("cell", "")
    words, back, pairs = make(selection, cell)
    return PairList(kind, cell, words, back, pairs, selection.filters.address())


def compared(selection: Selection) -> Counted:
    """The chosen pairs that figures before adjudication count."""
    rated = np.array([topic.is_rated for topic in selection.progress], dtype=bool)
    return count(
        selection.chosen.only(rated[selection.chosen.topic]), selection.filters.cannot_judge
    )


Made = tuple[str, str, list[int]]


def _of_figures(
    page: str, choose: Callable[[Counted, str], tuple[str, Mask]]
) -> Callable[[Selection, str], Made]:
    """A list of pairs that figures count; `choose` gives its words and the mask of a cell."""

    def make(selection: Selection, cell: str) -> Made:
        counted = compared(selection)
        words, mask = choose(counted, cell)
        filters = selection.filters.address()
        back = reverse(page, args=[selection.collection.slug]) + (f"?{filters}" if filters else "")
        return words, back, _ids(counted.ratings.pair[mask])

    return make


def _ids(pairs: Ids) -> list[int]:
    return [int(pair) for pair in pairs]


def _two_values(cell: str) -> tuple[float, float]:
    try:
        first, second = (float(part) for part in cell.split(","))
    except ValueError:
        raise BadRequest(f"cell is {cell!r}; expected two values such as 0,3.") from None
    return first, second


def _one_value(cell: str) -> float:
    try:
        return float(cell)
    except ValueError:
        raise BadRequest(f"cell is {cell!r}; expected a value such as 2.") from None


def _values(counted: Counted, cell: str) -> tuple[str, Mask]:
    low, high = _two_values(cell)
    lowest, highest = ends_of(counted.ratings.values)
    return f"{low:g} and {high:g}", (lowest == low) & (highest == high)


def _confusion(counted: Counted, cell: str) -> tuple[str, Mask]:
    first, second = _two_values(cell)
    mask = np.zeros(counted.ratings.size, dtype=bool)
    for earlier, later in combinations(counted.ratings.values, 2):
        mask |= (earlier == first) & (later == second)
    return f"an earlier seat {first:g}, a later one {second:g}", mask


def _distance(counted: Counted, cell: str) -> tuple[str, Mask]:
    distance = _one_value(cell)
    lowest, highest = ends_of(counted.ratings.values)
    words = f"{distance:g} apart" if distance else "the same value"
    return words, np.isclose(highest - lowest, distance)


def _outcome(counted: Counted, cell: str) -> tuple[str, Mask]:
    if cell not in set(Outcome):
        raise BadRequest(f"cell is {cell!r}; expected one of {', '.join(Outcome)}.")
    ratings = counted.ratings
    lowest, highest = ends_of(ratings.values)
    became = became_of(ratings, lowest, highest)
    return f"they differed, then: {cell}", (highest > lowest) & (became == cell)


def _cause(counted: Counted, cell: str) -> tuple[str, Mask]:
    ratings = counted.ratings
    lowest, highest = ends_of(ratings.values)
    mask = (highest > lowest) & ratings.is_decided & (ratings.cause == cell)
    return f"cause: {cell or 'none recorded'}", mask


def _gold(counted: Counted, cell: str) -> tuple[str, Mask]:
    value = _one_value(cell)
    return f"gold {value:g}", counted.ratings.gold == value


def _cannot_judge(counted: Counted, cell: str) -> tuple[str, Mask]:
    return "somebody cannot judge", np.asarray(counted.ratings.is_cannot_judge.any(axis=0))


def _flags(selection: Selection, cell: str) -> Made:
    pairs = flagged_pairs(collection=selection.collection, user=selection.viewer)
    back = reverse("annotation:flags", args=[selection.collection.slug])
    return "flagged", back, list(pairs.values_list("pk", flat=True))


def _undecidable(selection: Selection, cell: str) -> Made:
    pairs = undecidable_pairs(selection.collection).visible_to_lead(selection.viewer)
    back = reverse("annotation:undecidable", args=[selection.collection.slug])
    return "nobody may decide", back, list(pairs.values_list("pk", flat=True))


def _topic(selection: Selection, cell: str) -> Made:
    """The pairs of a topic, by its public id, in one state where the cell names one after it."""
    public_id, _, state = cell.partition(",")
    try:
        topic = Topic.objects.get(collection=selection.collection, public_id=UUID(public_id))
    except (ValueError, Topic.DoesNotExist):
        raise Http404("There is no such topic.") from None
    pairs = Pair.objects.filter(topic=topic).visible_to_lead(selection.viewer)
    if state in Pair.State.values:
        pairs = pairs.filter(state=state)
    back = reverse("annotation:topic", args=[selection.collection.slug, topic.public_id])
    words = f"topic {topic.external_id}" + (f", {Pair.State(state).label}" if state else "")
    back += f"?state={state}" if state else ""
    return words, back, list(pairs.order_by("position", "pk").values_list("pk", flat=True))


DISAGREEMENTS, OVERVIEW = "agreement:disagreements", "agreement:agreement"
# By the word that names a list in an address.
LISTS: dict[str, Callable[[Selection, str], Made]] = {
    "values": _of_figures(DISAGREEMENTS, _values),
    "confusion": _of_figures(DISAGREEMENTS, _confusion),
    "distance": _of_figures(DISAGREEMENTS, _distance),
    "outcome": _of_figures(DISAGREEMENTS, _outcome),
    "cause": _of_figures(DISAGREEMENTS, _cause),
    "gold": _of_figures(OVERVIEW, _gold),
    "cannot-judge": _of_figures(OVERVIEW, _cannot_judge),
    "flags": _flags,
    "undecidable": _undecidable,
    "topic": _topic,
}
