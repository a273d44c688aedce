"""One facet against another: CSFCube's Figure 2, and grades by facet."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations

import numpy as np
import numpy.typing as npt

from agreement.statistics import Share, confusion
from agreement.study.counted import TopicRatings, rated_of
from agreement.study.filters import ALL, Choices
from agreement.study.grades import Gold, Graded, Relevance, gold_of, graded, places_of
from agreement.study.parts import Part, parts_of
from agreement.study.ratings import Ratings
from agreement.study.selection import Selection, kept

Counts = npt.NDArray[np.int_]


@dataclass(frozen=True)
class Crossed:
    """Gold grades of the documents that two facets of a query share.

    `counts` has a row per grade under the first facet and a column per grade under the second, of
    as many queries as `queries` says.
    """

    counts: Counts
    queries: int
    relevance: Relevance

    @property
    def shared(self) -> int:
        return int(self.counts.sum())

    @property
    def same(self) -> Share:
        """Those with the same grade under both."""
        return Share(int(np.trace(self.counts)), self.shared)

    @property
    def either(self) -> int:
        """Those relevant under at least one of the two."""
        relevant = self.relevance.grades
        under_both = self.counts[relevant, relevant].sum()
        return int(self.counts[relevant].sum() + self.counts[:, relevant].sum() - under_both)

    @property
    def both(self) -> Share:
        """Of those relevant under either."""
        relevant = self.relevance.grades
        return Share(int(self.counts[relevant, relevant].sum()), self.either)

    @property
    def first_alone(self) -> Share:
        of_first = int(self.counts[self.relevance.grades].sum())
        return Share(of_first - self.both.count, self.either)

    @property
    def second_alone(self) -> Share:
        of_second = int(self.counts[:, self.relevance.grades].sum())
        return Share(of_second - self.both.count, self.either)

    def cells(self, facets: str) -> dict[str, str]:
        """The lists of pairs behind these numbers, of the facets "background,method"
        (`agreement.pairs.settled`)."""
        relevant, below = f"{self.relevance.name}+", f"{self.relevance.name}-"
        return {
            "shared": facets,
            "same": f"{facets},same",
            "either": f"{facets},{relevant}",
            "both": f"{facets},{relevant},{relevant}",
            "first_alone": f"{facets},{relevant},{below}",
            "second_alone": f"{facets},{below},{relevant}",
        }


@dataclass(frozen=True)
class Together:
    """Two facets over all queries that have gold under both; `key` names them in addresses, `cell`
    the list of their pairs."""

    key: str
    cell: str
    first: str
    second: str
    crossed: Crossed

    @property
    def name(self) -> str:
        return f"{self.first} and {self.second}"


@dataclass(frozen=True)
class Crossing:
    """One query under two facets, of which `cell` names the list; `crossed` is None as long as one
    of them is not that far."""

    query: str
    title: str
    cell: str
    first: str
    second: str
    topics: list[TopicRatings]
    crossed: Crossed | None

    @property
    def names(self) -> tuple[str, str]:
        return self.first, self.second

    @property
    def cells(self) -> dict[str, str]:
        return self.crossed.cells(self.cell) if self.crossed else {}

    @property
    def not_yet(self) -> list[str]:
        """The unfinished ones of the two topics, with the reasons."""
        return [
            f"{name}: {topic.not_yet_decided}"
            for name, topic in zip(self.names, self.topics, strict=True)
            if topic.not_yet_decided
        ]


@dataclass(frozen=True)
class Facets:
    """The chosen pairs under every facet beside the chosen one, `facet`; of `parts`, all is the
    last. Each figure is computed when it is first needed."""

    relevance: Relevance
    choices: Choices = field(repr=False)
    facet: str
    parts: list[Part] = field(repr=False)
    done: Gold = field(repr=False)
    _rated: Ratings = field(repr=False)

    @property
    def has_facets(self) -> bool:
        return bool(self.choices.facets)

    @property
    def rated_topics(self) -> int:
        return sum(topic.is_rated for topic in self.done.progress)

    @property
    def single(self) -> int:
        """The number of queries that are judged under one facet alone."""
        return sum(len(numbers) == 1 for numbers in self.done.topics_of_queries.values())

    @cached_property
    def crossings(self) -> list[Crossing]:
        """Every query under each two of its chosen facets, the least alike first, those
        that share no document after them, and those not yet done last."""
        names = self.choices.facets
        crossings = [
            self._crossing(query, facets, [numbers[facet] for facet in facets])
            for query, numbers in self.done.topics_of_queries.items()
            for facets in combinations([facet for facet in names if facet in numbers], 2)
            if self.facet in (ALL, *facets)
        ]
        return sorted(crossings, key=_least_alike_first)

    def _crossing(self, query: str, facets: Sequence[str], numbers: Sequence[int]) -> Crossing:
        first, second = (self.choices.facets[facet] for facet in facets)
        topics = [self.done.progress[number] for number in numbers]
        crossed = None
        if all(topic.is_decided for topic in topics):
            crossed = Crossed(_counts(self.done, *numbers), 1, self.relevance)
        title = self.choices.queries[query]
        return Crossing(query, title, ",".join(facets), first, second, topics, crossed)

    @property
    def crossed(self) -> list[Crossing]:
        return [crossing for crossing in self.crossings if crossing.crossed]

    @cached_property
    def together(self) -> list[Together]:
        """Every two facets that queries have gold under, in the order of the scheme."""
        every_two = []
        for (first_key, first), (second_key, second) in combinations(
            self.choices.facets.items(), 2
        ):
            cell = f"{first_key},{second_key}"
            of_both = [crossing for crossing in self.crossings if crossing.cell == cell]
            if summed := _summed(of_both, self.relevance):
                key = key_of(first_key, second_key)
                every_two.append(Together(key, cell, first, second, summed))
        return every_two

    @property
    def whole(self) -> Crossed | None:
        """All of them; None without any."""
        return _summed(self.together, self.relevance)

    @cached_property
    def gold(self) -> list[Graded]:
        """The grades after adjudication, by part."""
        return [
            graded(
                part.key, part.name, self.done.grades[part.pairs(self.done.pairs)], self.relevance
            )
            for part in self.parts
        ]

    @cached_property
    def rated(self) -> list[Graded]:
        """The grades before adjudication, by part."""
        return [_rated_of_part(part, self._rated, self.relevance) for part in self.parts]


def facets_of(selection: Selection, parameters: Mapping[str, str]) -> Facets:
    return _facets_of(selection, Relevance.read(selection.of_all_facets.scale, parameters))


@kept
def _facets_of(selection: Selection, relevance: Relevance) -> Facets:
    ratings, rule = selection.of_all_facets, selection.filters.cannot_judge
    done = gold_of(ratings, selection.whole.progress, rule)
    return Facets(
        relevance,
        selection.choices,
        selection.filters.facet,
        parts_of(selection, ratings),
        done,
        rated_of(ratings, done.progress, rule).ratings,
    )


def key_of(first: str, second: str) -> str:
    """The key of two facets in addresses."""
    return f"{first}-{second}"


def _counts(done: Gold, first: int, second: int) -> Counts:
    """Grades of the documents that two topics share, the first topic's in rows."""
    of_first, of_second = (done.pairs.gold[pairs] for pairs in done.shared(first, second))
    return confusion(of_first, of_second, values=done.pairs.scale.values)


def _summed(parts: Sequence[Crossing | Together], relevance) -> Crossed | None:
    crossed = [part.crossed for part in parts if part.crossed]
    if not crossed:
        return None
    counts = np.sum([part.counts for part in crossed], axis=0)
    return Crossed(counts, sum(part.queries for part in crossed), relevance)


def _least_alike_first(crossing: Crossing):
    same = crossing.crossed.same.value if crossing.crossed else None
    return crossing.crossed is None, same is None, same or 0.0


def _rated_of_part(part: Part, rated: Ratings, relevance: Relevance) -> Graded:
    values = rated.values[:, part.pairs(rated)]
    grades = places_of(values[~np.isnan(values)], rated.scale)
    return graded(part.key, part.name, grades, relevance)
