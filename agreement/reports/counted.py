"""The pairs that figures count, under one rule for "cannot judge"."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
import numpy.typing as npt

from agreement.ratings import Ratings
from agreement.statistics import CannotJudge, RatedTopics, confusion
from agreement.statistics.lists import Values


@dataclass(frozen=True)
class Counted:
    """`ratings` has only the pairs that count, its `values` are what they count as: NaN is left
    where a pair has fewer seats than others, and nowhere else. `topics` are the same, reduced to
    how often which values came together; with gold as the last column where it was asked for.
    `left_out` is the number of pairs that do not count.
    """

    ratings: Ratings
    topics: RatedTopics
    left_out: int

    def pairs_of(self, topic: int) -> int:
        starts = self.ratings.starts
        return int(starts[topic + 1] - starts[topic])

    def parts(self, topic: int) -> Iterator[tuple[Values, Values]]:
        """Values (seats by pairs, without gaps) and gold of the topic's pairs, by overlap."""
        own = slice(self.ratings.starts[topic], self.ratings.starts[topic + 1])
        seats, values = self.ratings.seats[own], self.ratings.values[:, own]
        for overlap in np.unique(seats):
            same = seats == overlap
            yield values[:overlap, same], self.ratings.gold[own][same]

    def confusion(self, topics: Sequence[int] | None = None) -> npt.NDArray[np.int_]:
        """Counts by value of an earlier seat (rows) and of a later one, over every two seats."""
        scale, values = self.ratings.scale.values, self.ratings.values
        if topics is not None:
            starts = self.ratings.starts
            own = [values[:, starts[topic] : starts[topic + 1]] for topic in topics]
            values = np.hstack([values[:, :0], *own])
        counts = np.zeros((len(scale), len(scale)), dtype=np.int_)
        for first, second in combinations(values, 2):
            both = ~(np.isnan(first) | np.isnan(second))
            counts += confusion(first[both], second[both], values=scale)
        return counts


def count(ratings: Ratings, rule: CannotJudge, *, with_gold: bool = False) -> Counted:
    """Of pairs with every seat handed in; with `with_gold` those that have a gold value."""
    skipped = ratings.is_cannot_judge
    kept = np.ones(ratings.size, dtype=bool)
    if rule is CannotJudge.DROP:
        kept &= ~skipped.any(axis=0)
    if with_gold:
        kept &= ~np.isnan(ratings.gold)
    values = np.where(skipped, ratings.scale.lowest, ratings.values)
    counted = replace(ratings.only(kept), values=values[:, kept])
    columns = counted.values
    if with_gold:
        columns = np.vstack([columns, counted.gold[np.newaxis]])
    topics = RatedTopics.of_columns(
        columns, counted.topic, topics=len(counted.topics), values=ratings.scale.values
    )
    return Counted(counted, topics, ratings.size - counted.size)
