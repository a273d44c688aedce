"""A row of pairs that an adjudicator walks along."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from uuid import UUID

from django.urls import reverse

from adjudication.gaps import GAPS, Gap
from annotation.models import Pair
from datasets.models.documents import read_untitled


@dataclass(frozen=True)
class Place:
    """One pair of a strip. `key` is the browser's name for it, by which `route` leads to its page;
    `gap` is None where the ratings are hidden."""

    number: int
    pair: Pair
    key: UUID
    route: str
    is_decided: bool
    is_current: bool
    gap: Gap | None = None

    @property
    def address(self) -> str:
        return reverse(self.route, args=[self.key])


@dataclass(frozen=True)
class Tick:
    """A place drawn in the strip, from `x` and as wide as `width`, in per cent."""

    place: Place
    x: str
    width: str


@dataclass(frozen=True)
class Filter:
    key: str
    label: str
    count: int
    is_current: bool
    address: str


# More ticks would be narrower than a pixel, and a longer list heavy beside each pair.
LISTED = 300


@dataclass(kw_only=True, eq=False)
class Strip:
    """Pairs to decide one after the other, in one fixed order.

    `read_places` gives its places when they are first needed; `home` is where a person goes back
    to, and `beyond` where a script goes on once everything is decided (by default home). `gap_key`
    limits where "next" and "previous" lead to pairs of one gap. Where the ratings are hidden there
    is no filter, since its counts would tell. `query_string` is in every address of the strip
    beside the filter, and `in_words` says it.

    Of a long strip a page lists the pairs around the one in view; `read_titles` reads what it
    prints of them.
    """

    read_places: Callable[[], Sequence[Place]]
    home: str
    title: str
    noun: str
    scope: str
    is_hidden: bool
    gap_key: str = ""
    beyond: str = ""
    query_string: str = ""
    in_words: str = ""
    read_titles: Callable[[list[Any]], None] | None = None

    def __post_init__(self) -> None:
        self.beyond = self.beyond or self.home
        self.gap_key = self.gap_key if self.gap_key in GAPS and not self.is_hidden else ""

    @cached_property
    def places(self) -> Sequence[Place]:
        return self.read_places()

    @property
    def show(self) -> str:
        """The end of a pair's address, which keeps the filter."""
        return self._address(self.gap_key)

    def _address(self, gap_key: str) -> str:
        parameters = [self.query_string, f"show={gap_key}" if gap_key else ""]
        return f"?{address}" if (address := "&".join(filter(None, parameters))) else ""

    @cached_property
    def listed(self) -> list[Place]:
        """The places that a page lists: all, or of a long strip those around the one in view."""
        index = self.current.number - 1 if self.current else 0
        first = max(0, min(index - LISTED // 3, len(self.places) - LISTED))
        places = list(self.places[first : first + LISTED])
        if self.read_titles:
            self.read_titles(places)
        read_untitled(place.pair.document for place in places)
        return places

    @property
    def decided_elsewhere(self) -> int:
        """The number of decided pairs that the page does not list."""
        return self.decided_count - sum(place.is_decided for place in self.listed)

    def address_of(self, place: Place | None) -> str:
        """The address of one of its pairs, the filter kept; empty for none."""
        return f"{place.address}{self.show}" if place else ""

    @cached_property
    def current(self) -> Place | None:
        return next((place for place in self.places if place.is_current), None)

    @property
    def decided_count(self) -> int:
        return len(self.places) - self.open_count

    @property
    def open_count(self) -> int:
        return sum(not place.is_decided for place in self.places)

    @cached_property
    def matching(self) -> list[Place]:
        """The places that the filter lets through."""
        return [place for place in self.places if not self.gap_key or _gap(place) == self.gap_key]

    @property
    def ticks(self) -> list[Tick]:
        # Few pairs stand at the left in their usual width instead of filling the whole strip.
        step = 100 / max(len(self.listed), 24)
        return [
            Tick(place, f"{(number + 0.1) * step:.2f}%", f"{0.8 * step:.2f}%")
            for number, place in enumerate(self.listed)
        ]

    @property
    def filters(self) -> list[Filter]:
        if self.is_hidden:
            return []
        counts = Counter(map(_gap, self.places))
        return [
            Filter("", "All", len(self.places), not self.gap_key, self._address("") or "?"),
            *(
                Filter(key, words, counts[key], key == self.gap_key, self._address(key))
                for key, words in GAPS.items()
                if counts[key] or key == self.gap_key
            ),
        ]

    def neighbour(self, step: int) -> Place | None:
        """The pair `step` places on among those shown, decided or not; None at an end."""
        index = self.current.number if self.current else 0
        if step > 0:
            return next((p for p in self.matching if p.number > index), None)
        return next((p for p in reversed(self.matching) if p.number < index), None)

    @property
    def next(self) -> Place | None:
        return self.neighbour(1)

    @property
    def previous(self) -> Place | None:
        return self.neighbour(-1)

    @property
    def revisits(self) -> bool:
        """Whether none waits, and a decided pair is looked at again, and after it the next."""
        return self.current is not None and not self.open_count

    @cached_property
    def next_open(self) -> Place | None:
        """The next undecided pair among those shown, from the start again after the last; where
        decided ones are looked at again, the next of them."""
        if self.revisits:
            return self.next
        index = self.current.number if self.current else 0
        waiting = [p for p in self.matching if not p.is_decided and not p.is_current]
        return next((p for p in waiting if p.number > index), next(iter(waiting), None))


def _gap(place: Place) -> str:
    return place.gap.key if place.gap else ""
