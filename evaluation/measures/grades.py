"""The input of a measure: the grades of a topic's documents, and a ranking of them."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

Values = npt.NDArray[np.float64]
Ids = npt.NDArray[np.int64]
OUTSIDE = -1


@dataclass(frozen=True, eq=False)
class Grades:
    """The documents of a topic (n of them) with their grades under one source, or under many.

    `values` is (..., n): the last axis are the documents, NaN where unjudged; axes before it are
    sources or draws, and every measure keeps them. `size` is |Q| of a complex query, whose grade is
    S / |Q|; it is 1 elsewhere. `query_paper` is the document that is the query itself, if any.
    """

    documents: tuple[str, ...]
    values: Values
    size: int = 1
    query_paper: str = ""

    @cached_property
    def place(self) -> dict[str, int]:
        return {document: number for number, document in enumerate(self.documents)}

    @cached_property
    def gains(self) -> Values:
        """Grades as gains: nothing for what is unjudged, and for negative grades."""
        return np.maximum(np.nan_to_num(self.values, nan=0.0), 0.0)

    @cached_property
    def ideal(self) -> Values:
        """All gains in descending order: the best that a ranking can do."""
        return -np.sort(-self.gains, axis=-1)

    @cached_property
    def judged(self) -> Ids:
        """The number of judged documents."""
        return np.asarray(np.count_nonzero(~np.isnan(self.values), axis=-1))

    def relevant(self, least: float) -> Ids:
        """R: how many documents have at least this grade, whether ranked or not."""
        return np.asarray(np.count_nonzero(self.values >= least, axis=-1))

    def without(self, documents: Collection[str]) -> "Grades":
        """The same without some documents."""
        if self.place.keys().isdisjoint(documents):
            return self
        places = [
            number for number, document in enumerate(self.documents) if document not in documents
        ]
        ids = tuple(self.documents[number] for number in places)
        return Grades(ids, self.values[..., places], self.size, self.query_paper)

    def rank(self, documents: Iterable[str]) -> "Ranked":
        """A ranking, best first. Documents that the topic lacks stand in it as unjudged."""
        places = [self.place.get(document, OUTSIDE) for document in documents]
        return self.rank_places(np.array(places, dtype=np.int64))

    def rank_places(self, places: Ids) -> "Ranked":
        """The same from places in `documents`, OUTSIDE for what is not among them."""
        return Ranked(self, places)


@dataclass(frozen=True, eq=False)
class Ranked:
    """Documents in order of rank, with the topic's grades. `places` are places in its documents:
    (ranks), or (orders, ranks) where the same documents stand in several orders.

    `ties` are the sizes of groups of equal rank from the top, where only that order is known: a
    person who gave three grades ranks in three groups. Without it every rank is its own.
    """

    pool: Grades
    places: Ids
    ties: tuple[int, ...] = field(default=())

    @property
    def size(self) -> int:
        return int(self.places.shape[-1])

    @cached_property
    def values(self) -> Values:
        """(..., ranks): the grade at each rank, NaN where unjudged."""
        return self._at_ranks(self.pool.values, np.nan)

    @cached_property
    def gains(self) -> Values:
        """(..., ranks): as the gains of the pool."""
        return self._at_ranks(self.pool.gains, 0.0)

    @cached_property
    def is_judged(self) -> npt.NDArray[np.bool_]:
        """(ranks,): of the first source, where there are many."""
        first = self.pool.values[(0,) * (self.pool.values.ndim - 1)]
        return np.asarray(~np.isnan(self._at_ranks(first, np.nan)))

    def _at_ranks(self, values: Values, outside: float) -> Values:
        if not values.shape[-1]:
            return np.full((*values.shape[:-1], self.size), outside)
        at_ranks = np.take(values, self.places, axis=-1)
        at_ranks[..., self.places == OUTSIDE] = outside
        return at_ranks

    @cached_property
    def ideal(self) -> Values:
        """(..., ranks): the gains of the ranked documents in descending order."""
        ranked = np.unique(self.places[self.places != OUTSIDE])
        if len(ranked) == self.size == len(self.pool.documents):
            return self.pool.ideal
        return -np.sort(-self.gains, axis=-1)

    def relevant(self, least: float) -> Values:
        """(..., ranks): 1 where the document has at least this grade, else 0."""
        return (self.values >= least).astype(np.float64)

    def averaged(self, at_ranks: Values) -> Values:
        """The mean values at the ranks, over all orders of the ties."""
        if not self.ties:
            return at_ranks
        parts, start = [], 0
        for size in self.ties:
            group = at_ranks[..., start : start + size]
            parts.append(np.broadcast_to(group.mean(axis=-1, keepdims=True), group.shape))
            start += size
        return np.concatenate(parts, axis=-1)

    def shuffled(self, orders: int, *, seed: int) -> "Ranked":
        """The same documents in `orders` random orders of their ties, for grades of one source. All
        measures of the ranking see the same orders."""
        if (orders, seed) not in self._shuffled:
            random = np.random.default_rng(seed)
            groups = np.split(self.places, np.cumsum(self.ties or (self.size,))[:-1])
            order = random.permutation if self.ties else np.asarray
            places = [np.concatenate([order(group) for group in groups]) for _ in range(orders)]
            self._shuffled[orders, seed] = Ranked(self.pool, np.array(places))
        return self._shuffled[orders, seed]

    @cached_property
    def _shuffled(self) -> dict[tuple[int, int], "Ranked"]:
        return {}


def ranked_by(grades: Grades, values: Sequence[float] | Values) -> Ranked:
    """The documents that somebody gave a value, best first, with equal values as ties."""
    scores = np.asarray(values, dtype=np.float64)
    scored = np.flatnonzero(~np.isnan(scores))
    order = scored[np.argsort(-scores[scored], kind="stable")]
    _, counts = np.unique(-scores[order], return_counts=True)
    return Ranked(grades, order, tuple(counts.tolist()))
