"""How pairs spread over the grades, and how many of them are relevant."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from django.core.exceptions import BadRequest

from agreement.statistics import Share
from agreement.statistics.arrays import Values
from agreement.study.ratings import Scale


@dataclass(frozen=True)
class Relevance:
    """A pair is relevant from a grade on: `place` is that grade's place on the scale, from 0."""

    scale: Scale
    place: int

    @classmethod
    def read(cls, scale: Scale, parameters: Mapping[str, str]) -> "Relevance":
        """From the address; the lower end of the upper half of the scale where it says nothing.

        That is 2 of 0 to 3 (as in the CSFCube paper), 1 of 0 to 2. BadRequest for another value.
        """
        middle = (scale.values[0] + scale.values[-1]) / 2
        relevance = cls(scale, int(np.searchsorted(scale.values, middle)))
        given = parameters.get("relevant")
        if not given:
            return relevance
        allowed = [value for value, _ in relevance.choices]
        if given not in allowed:
            raise BadRequest(f"relevant is {given!r}; expected one of {', '.join(allowed)}.")
        return cls(scale, scale.names.index(given))

    @property
    def choices(self) -> list[tuple[str, str]]:
        """(value in the address, words); from the lowest grade on everything would be relevant."""
        return [(name, or_more(self.scale, name)) for name in self.scale.names[1:]]

    @property
    def name(self) -> str:
        return self.scale.names[self.place]

    @property
    def in_words(self) -> str:
        return f"a grade of {or_more(self.scale, self.name)}"


def or_more(scale: Scale, name: str) -> str:
    """A grade and those above it: "2 or more"; the highest alone."""
    return name if name == scale.names[-1] else f"{name} or more"


@dataclass(frozen=True)
class Cut:
    """The scale in two: one grade and all others, or the grades from one on and those below.

    `upper` has a mark per value of the scale; `key` names it in files: "2" or "2+".
    """

    key: str
    name: str
    upper: tuple[bool, ...]


def cuts_of(scale: Scale) -> list[Cut]:
    """Each grade by itself, and in an order from each on but the lowest and the highest."""
    places = range(len(scale.values))
    alone = [
        Cut(name, f"Grade {name}", tuple(other == place for other in places))
        for place, name in enumerate(scale.names)
    ]
    from_it = [
        Cut(f"{name}+", f"Grade {or_more(scale, name)}", tuple(other >= place for other in places))
        for place, name in enumerate(scale.names)
        if 0 < place < len(scale.names) - 1 and scale.is_ordinal
    ]
    return [*alone, *from_it]


@dataclass(frozen=True)
class Graded:
    """Pairs, or ratings, under one heading: `counts` of each value of the scale, ascending."""

    key: str
    name: str
    counts: tuple[int, ...]
    relevance: Relevance

    @property
    def total(self) -> int:
        return sum(self.counts)

    @property
    def shares(self) -> list[Share]:
        """Of each value of the scale, ascending."""
        return [Share(count, self.total) for count in self.counts]

    @property
    def relevant(self) -> Share:
        return Share(sum(self.counts[self.relevance.place :]), self.total)


def graded(key: str, name: str, grades: npt.ArrayLike, relevance: Relevance) -> Graded:
    """`grades` are places on the scale, as of `places_of`."""
    counts = np.bincount(np.asarray(grades), minlength=len(relevance.scale.values))
    return Graded(key, name, tuple(counts.tolist()), relevance)


def places_of(values: Values, scale: Scale) -> npt.NDArray[np.int64]:
    """Each value's place on the scale, from 0; the values are of the scale, without NaN."""
    return np.searchsorted(scale.values, values)
