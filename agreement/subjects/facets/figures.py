"""What facets have to do with each other: CSFCube's Figure 2, and grades by facet."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

from agreement.statistics import Share, confusion
from agreement.study.filters import ALL
from agreement.study.gold import Gold, gold_of, rated_of
from agreement.study.grades import Graded, Relevance, graded, places_of
from agreement.study.parts import Part, parts_of
from agreement.study.progress import TopicRatings
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
        irrelevant = self.counts[: self.relevance.place, : self.relevance.place]
        return self.shared - int(irrelevant.sum())

    @property
    def both(self) -> Share:
        """Of those relevant under either."""
        place = self.relevance.place
        return Share(int(self.counts[place:, place:].sum()), self.either)

    @property
    def first_alone(self) -> Share:
        place = self.relevance.place
        return Share(int(self.counts[place:, :place].sum()), self.either)

    @property
    def second_alone(self) -> Share:
        place = self.relevance.place
        return Share(int(self.counts[:place, place:].sum()), self.either)


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
    def not_yet(self) -> list[str]:
        """Which of the two is not that far, and why."""
        return [
            f"{name}: {topic.not_yet_decided}"
            for name, topic in zip(self.names, self.topics, strict=True)
            if topic.not_yet_decided
        ]


@dataclass(frozen=True)
class Facets:
    """`together` are the pairs of facets in the order of the scheme, `whole` all of them, None
    without any; `crossings` the queries, the least alike first and those not yet done last;
    `single` the number of queries that are judged under one facet alone.

    `gold` and `rated` are the grades after and before adjudication by part, with all last.
    """

    relevance: Relevance
    has_facets: bool
    together: list[Together]
    whole: Crossed | None
    crossings: list[Crossing]
    single: int
    gold: list[Graded]
    rated: list[Graded]
    done: Gold
    rated_topics: int

    @property
    def crossed(self) -> list[Crossing]:
        return [one for one in self.crossings if one.crossed]


def facets_of(selection: Selection, parameters: Mapping[str, str]) -> Facets:
    return _facets_of(selection, Relevance.read(selection.of_all_facets.scale, parameters))


@kept
def _facets_of(selection: Selection, relevance: Relevance) -> Facets:
    ratings, rule = selection.of_all_facets, selection.filters.cannot_judge
    done = gold_of(ratings, rule)
    rated = rated_of(ratings, done.progress, rule)
    parts = parts_of(selection, ratings)
    crossings, single = _crossings(selection, done, relevance)
    together = _together(selection, crossings, relevance)
    return Facets(
        relevance=relevance,
        has_facets=bool(selection.choices.facets),
        together=together,
        whole=_summed(together, relevance),
        crossings=sorted(crossings, key=_least_alike_first),
        single=single,
        gold=[_gold_of_part(part, done, relevance) for part in parts],
        rated=[_rated_of_part(part, rated.ratings, relevance) for part in parts],
        done=done,
        rated_topics=sum(topic.is_rated for topic in done.progress),
    )


def _crossings(selection, done, relevance):
    """Every query under each two of its facets that were chosen, and how many have one alone."""
    under: dict[str, dict[str, int]] = {}
    for number, topic in enumerate(done.pairs.topics):
        for query in topic.queries if topic.facet else ():
            under.setdefault(query, {}).setdefault(topic.facet, number)
    found = [
        _crossing(selection, done, relevance, query, facets, [numbers[one] for one in facets])
        for query, numbers in under.items()
        for facets in combinations([one for one in selection.choices.facets if one in numbers], 2)
        if selection.filters.facet in (ALL, *facets)
    ]
    return found, sum(len(numbers) == 1 for numbers in under.values())


def _crossing(selection, done, relevance, query, facets, numbers):
    first, second = (selection.choices.facets[facet] for facet in facets)
    topics = [done.progress[number] for number in numbers]
    crossed = None
    if all(topic.is_decided for topic in topics):
        crossed = Crossed(_counts(done, *numbers), 1, relevance)
    title = selection.choices.queries[query]
    return Crossing(query, title, ",".join(facets), first, second, topics, crossed)


def _counts(done: Gold, first: int, second: int) -> Counts:
    """Grades of the documents that two topics share, the first topic's in rows."""
    one, other = done.of_topic(first), done.of_topic(second)
    documents = done.pairs.document
    _, in_one, in_other = np.intersect1d(
        documents[one], documents[other], assume_unique=True, return_indices=True
    )
    gold = done.pairs.gold
    return confusion(gold[one][in_one], gold[other][in_other], values=done.pairs.scale.values)


def _together(selection, crossings, relevance) -> list[Together]:
    found = []
    for (one, first), (other, second) in combinations(selection.choices.facets.items(), 2):
        whole = _summed([each for each in crossings if each.names == (first, second)], relevance)
        if whole:
            found.append(Together(f"{one}-{other}", f"{one},{other}", first, second, whole))
    return found


def _summed(found: Sequence[Crossing | Together], relevance) -> Crossed | None:
    crossed = [one.crossed for one in found if one.crossed]
    if not crossed:
        return None
    counts = np.sum([one.counts for one in crossed], axis=0)
    return Crossed(counts, sum(one.queries for one in crossed), relevance)


def _least_alike_first(crossing: Crossing):
    if crossing.crossed is None:
        return 1, 0.0
    return 0, crossing.crossed.same.value or 0.0


def _gold_of_part(part: Part, done: Gold, relevance) -> Graded:
    return graded(part.key, part.name, done.grades[part.pairs(done.pairs)], relevance)


def _rated_of_part(part: Part, rated, relevance) -> Graded:
    values = rated.values[:, part.pairs(rated)]
    grades = places_of(values[~np.isnan(values)], rated.scale)
    return graded(part.key, part.name, grades, relevance)
