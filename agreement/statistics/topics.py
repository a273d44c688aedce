"""Ratings of many topics, reduced to how often which ratings came together.

Measures do not ask which pair it was. So a topic is the distinct combinations of ratings of its
pairs, each with a count: of 165,000 pairs in 1,500 topics a few thousand numbers are left, and a
resample of pairs is a multinomial draw of counts (Efron and Tibshirani 1993, An introduction to
the bootstrap, section 5.2: a bootstrap sample is a vector of counts). From the same counts follow
the distance between raters, and the share of adjudications to a value that no rater gave.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
import numpy.typing as npt

from agreement.statistics.any_raters import positions_of
from agreement.statistics.arrays import MISSING, Positions, Values, as_ratings, extremes, scale_of
from agreement.statistics.figures import Figure, Reason


@dataclass(frozen=True, slots=True)
class RatedTopics:
    """Topics by distinct combinations of ratings.

    ``values`` is the scale, ascending. ``patterns`` has one row per distinct combination and one
    column per rater: positions in the scale, -1 for a missing rating. The cells
    ``starts[t]:starts[t + 1]`` are topic t's: ``pattern`` says which combination, ``count`` how
    many of its pairs have it. ``cluster`` numbers what topics hang together in, such as the aspects
    of a query; topics with one number are resampled together where clusters are.
    """

    values: Values
    patterns: Positions
    starts: npt.NDArray[np.int_]
    pattern: npt.NDArray[np.int_]
    count: npt.NDArray[np.int_]
    cluster: npt.NDArray[np.int_]
    # Values without an order are labels: measures that rest on more or less are then undefined.
    is_ordered: bool = True

    @classmethod
    def of_columns(
        cls,
        ratings: npt.ArrayLike,
        topic: npt.ArrayLike,
        *,
        topics: int,
        values: npt.ArrayLike | None = None,
        clusters: npt.ArrayLike | None = None,
    ) -> Self:
        """From all pairs in one matrix (raters by pairs) and each pair's topic, 0 to topics - 1."""
        data = as_ratings(ratings)
        scale = scale_of(data, values=values)
        number = np.asarray(topic, dtype=np.int_)
        if number.shape != data.shape[1:]:
            raise ValueError(f"{data.shape[1]} pairs, but topics of {number.size}.")
        if number.size and not 0 <= number.min() <= number.max() < topics:
            raise ValueError(f"Topics are numbered from 0 to {topics - 1}.")
        numbered = np.arange(topics) if clusters is None else np.asarray(clusters, dtype=np.int_)
        if numbered.shape != (topics,):
            raise ValueError(f"{topics} topics, but clusters of {numbered.size}.")
        return cls._of_positions(positions_of(data, scale).T, number, scale, numbered)

    @classmethod
    def _of_positions(
        cls,
        rows: Positions,
        topic: npt.NDArray[np.int_],
        values: Values,
        cluster: npt.NDArray[np.int_],
    ) -> Self:
        code = np.zeros(len(rows), dtype=np.int_)
        for rater in rows.T:
            # Numbered afresh after each rater, so that no number of raters overflows.
            _, code = numbered_in_order(code * (values.size + 1) + rater - MISSING)
        example = np.zeros(int(code.max(initial=-1)) + 1, dtype=np.int_)
        example[code] = np.arange(len(rows))  # a row of each, whichever
        cells, cell = numbered_in_order(topic * max(1, example.size) + code)
        count = np.bincount(cell)
        of_topic, pattern = np.divmod(cells, max(1, example.size))
        starts = np.searchsorted(of_topic, np.arange(cluster.size + 1))
        return cls(values, rows[example], starts, pattern, count, cluster)

    @property
    def topics(self) -> int:
        return self.starts.size - 1

    @property
    def raters(self) -> int:
        return int(self.patterns.shape[1])

    @property
    def pairs(self) -> int:
        return int(self.count.sum())

    @property
    def ratings(self) -> Values:
        """The values of the patterns (raters by patterns), NaN for a missing rating."""
        # MISSING is the last place.
        return np.append(self.values, np.nan)[self.patterns.T]

    def cells(self, topic: int) -> tuple[npt.NDArray[np.int_], npt.NDArray[np.int_]]:
        """The patterns of one topic and their counts."""
        of_topic = slice(self.starts[topic], self.starts[topic + 1])
        return self.pattern[of_topic], self.count[of_topic]

    @property
    def clusters(self) -> int:
        return int(np.unique(self.cluster).size)

    def pairs_by_topic(self) -> npt.NDArray[np.int_]:
        return np.diff(np.concatenate([[0], np.cumsum(self.count)])[self.starts])

    def sums(self, features: Values) -> Values:
        """Features of the patterns (patterns by f) added up over the pairs of each topic."""
        from scipy.sparse import csr_array

        counts = csr_array(
            (self.count.astype(np.float64), self.pattern, self.starts),
            shape=(self.topics, len(self.patterns)),
        )
        return np.asarray(counts @ features)

    def only(self, topics: Sequence[int]) -> Self:
        """The given topics, in the order given, and nothing of the others."""
        cells = [np.arange(self.starts[topic], self.starts[topic + 1]) for topic in topics]
        positions = np.concatenate([np.empty(0, dtype=np.int_), *cells])
        starts = np.cumsum([0, *(part.size for part in cells)])
        used, pattern = numbered_in_order(self.pattern[positions])
        # Numbered by the first topic of each, so that the same topics are the same whatever else
        # there was.
        cluster = self.cluster[list(topics)]
        _, first, numbered = np.unique(cluster, return_index=True, return_inverse=True)
        return replace(
            self,
            patterns=self.patterns[used],
            starts=starts,
            pattern=pattern,
            count=self.count[positions],
            cluster=first[numbered],
        )

    def alone(self, topic: int) -> Self:
        """One topic: as ``only`` gives it, several times faster, since no other is to be told
        apart from it."""
        pattern, count = self.cells(topic)
        return replace(
            self,
            patterns=self.patterns[pattern],
            starts=np.array([0, pattern.size]),
            pattern=np.arange(pattern.size),
            count=count,
            cluster=np.zeros(1, dtype=np.int_),
        )

    def as_one(self) -> Self:
        """All pairs as those of a single topic."""
        count = np.bincount(self.pattern, weights=self.count)
        used = np.flatnonzero(count)
        return replace(
            self,
            starts=np.array([0, used.size]),
            pattern=used,
            count=count[used].astype(np.int_),
            cluster=np.zeros(1, dtype=np.int_),
        )

    def of_raters(self, raters: Sequence[int]) -> Self:
        """With these columns alone, in the order given."""
        return replace(self, patterns=self.patterns[:, list(raters)])

    def as_two_values(self, upper: npt.ArrayLike) -> Self:
        """With 1 for the values of the scale that ``upper`` (a mask over it) has, and 0 for all
        others: one grade against the rest, or the relevant against those that are not."""
        of_value = np.append(np.asarray(upper, dtype=np.int_), MISSING)
        return replace(
            self, values=np.array([0.0, 1.0]), patterns=of_value[self.patterns], is_ordered=True
        )


def numbered_in_order(
    codes: npt.NDArray[np.int_],
) -> tuple[npt.NDArray[np.int_], npt.NDArray[np.int_]]:
    """The distinct codes (0 and above) in ascending order, and of each code its number there.

    ``np.unique`` sorts for that; where codes are not much higher than there are, counting is
    several times faster.
    """
    highest = int(codes.max(initial=0))
    if highest > 4 * codes.size + 1000:
        distinct, number = np.unique(codes, return_inverse=True)
        return distinct, number
    distinct = np.flatnonzero(np.bincount(codes))
    place = np.zeros(highest + 1, dtype=np.int_)
    place[distinct] = np.arange(distinct.size)
    return distinct, place[codes]


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Counts of pairs, by the largest difference between two of their ratings.

    ``by_distance`` maps a difference of values (0 is agreement) to a number of pairs.
    """

    by_distance: dict[float, int]

    @property
    def pairs(self) -> int:
        return sum(self.by_distance.values())

    @property
    def differing(self) -> int:
        return self.pairs - self.by_distance.get(0.0, 0)


def disagreement_by_topic(topics: RatedTopics) -> list[Disagreement]:
    """Count each topic's pairs by the difference between their highest and lowest rating.

    A pair with fewer than two ratings has nothing to differ and does not count.
    """
    ratings = topics.ratings
    lowest, highest = extremes(ratings)
    compared = np.count_nonzero(~np.isnan(ratings), axis=0) >= 2
    spread = np.full(len(compared), np.nan)
    # Values are decimals: 1.2 - 1.1 and 1.1 - 1.0 differ in the last bit and are one distance.
    spread[compared] = (highest[compared] - lowest[compared]).round(9)
    distances = np.unique(spread[compared])
    counts = topics.sums(np.equal.outer(spread, distances).astype(np.float64))
    words = distances.tolist()
    return [
        Disagreement({words[place]: int(pairs) for place, pairs in enumerate(row) if pairs})
        for row in counts.tolist()
    ]


def disagreement_in_all(parts: Iterable[Disagreement]) -> Disagreement:
    """The counts of several queries added up."""
    total: Counter[float] = Counter()
    for part in parts:
        total.update(part.by_distance)
    return Disagreement(dict(sorted(total.items())))


@dataclass(frozen=True, slots=True)
class Overruling:
    """Counts over the pairs of one query.

    A pair counts once it has a rating. ``overruled``: gold equals no rating. ``outside_range``:
    gold below the lowest or above the highest rating. ``against_agreement``: gold differs from a
    value that all raters gave, two at least; this never happens in CSFCube and deserves a look
    wherever it does.
    """

    pairs: int
    overruled: int
    outside_range: int
    against_agreement: int

    @property
    def share(self) -> Figure:
        """Overruled pairs as a share of all the query's pairs, from 0 to 1."""
        if self.pairs == 0:
            return Figure.undefined(Reason.NO_PAIRS)
        return Figure(self.overruled / self.pairs)


def overruling_by_topic(topics: RatedTopics) -> list[Overruling]:
    """Count each topic's pairs by how their gold, the last column, stands to their ratings.

    A gold value is never missing.
    """
    ratings, gold = topics.ratings[:-1], topics.ratings[-1]
    if np.isnan(gold).any():
        raise ValueError("A gold value is missing; leave out the pair.")
    raters = np.count_nonzero(~np.isnan(ratings), axis=0)
    lowest, highest = extremes(ratings)
    rated, agreed = raters > 0, (lowest == highest) & (raters > 1)
    outside = rated & ((gold < lowest) | (gold > highest))
    overruled = rated & (ratings != gold).all(axis=0)
    counts = topics.sums(np.stack([rated, overruled, outside, outside & agreed], axis=1) * 1.0)
    return [Overruling(*row) for row in counts.astype(np.int_).tolist()]


def overruling_in_all(parts: Iterable[Overruling]) -> Overruling:
    """The counts added up; its share is over pairs, where the table has the mean over topics."""
    counts = [(p.pairs, p.overruled, p.outside_range, p.against_agreement) for p in parts]
    if not counts:
        return Overruling(0, 0, 0, 0)
    return Overruling(*(sum(column) for column in zip(*counts, strict=True)))
