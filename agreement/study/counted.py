"""The pairs that figures count, under one rule for "cannot judge"."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations

import numpy as np
import numpy.typing as npt

from agreement.statistics import (
    CannotJudge,
    RatedTopics,
    confusion,
    counted_pairs,
    counted_values,
    majority,
    majority_of_others,
)
from agreement.statistics.arrays import Values
from agreement.study.grades import places_of
from agreement.study.progress import TopicRatings, progress_of
from agreement.study.ratings import Ratings


@dataclass(frozen=True)
class Counted:
    """`ratings` has only the pairs that count, its `values` are what they count as: NaN is left
    where a pair has fewer seats than others, and where the rule leaves a gap. `given` are the
    values that somebody gave, the votes of a majority. `left_out` is the number of pairs that do
    not count; `with_gold` says that those without gold are among them.
    """

    ratings: Ratings
    given: Values
    left_out: int
    with_gold: bool

    @cached_property
    def topics(self) -> RatedTopics:
        """The same, reduced to how often which values came together; with gold as the last column
        where it was asked for."""
        return self._with([self.ratings.gold[np.newaxis]] if self.with_gold else [])

    @property
    def with_majority(self) -> RatedTopics:
        """With what most seats of a pair gave as the last column."""
        return self._with([majority(self.given, seats=self.ratings.seats)[np.newaxis]])

    @property
    def with_majority_of_others(self) -> RatedTopics:
        """With what most other seats gave, a column for each."""
        return self._with([majority_of_others(self.given, seats=self.ratings.seats)])

    def _with(self, columns: Sequence[Values]) -> RatedTopics:
        ratings = self.ratings
        topics = RatedTopics.of_columns(
            np.vstack([ratings.values, *columns]),
            ratings.topic,
            topics=len(ratings.topics),
            values=ratings.scale.values,
            clusters=ratings.clusters,
        )
        return replace(topics, is_ordered=ratings.scale.is_ordinal)

    @property
    def overlaps(self) -> dict[int, int]:
        """{seats of a pair: how many pairs have so many}, ascending."""
        seats, pairs = np.unique(self.ratings.seats, return_counts=True)
        return dict(zip(seats.tolist(), pairs.tolist(), strict=True))

    def of_topics(self, numbers: Sequence[int]) -> "Counted":
        """The pairs of the topics at these positions, ascending."""
        wanted = np.isin(self.ratings.topic, numbers)
        ratings = self.ratings.of_topics(numbers)
        return replace(self, ratings=ratings, given=self.given[:, wanted])

    def of_overlap(self, seats: int) -> "Counted":
        """The pairs with so many seats, and the topics that have any."""
        mask = self.ratings.seats == seats
        ratings = self.ratings.only(mask)
        ratings = ratings.of_topics(np.unique(ratings.topic).tolist())
        return replace(
            self,
            ratings=replace(ratings, values=ratings.values[:seats]),
            given=self.given[:seats, mask],
        )

    def pairs_of(self, topic: int) -> int:
        starts = self.ratings.starts
        return int(starts[topic + 1] - starts[topic])

    def pairs_compared(self) -> dict[tuple[int, int], int]:
        """{(seat, later seat) from 1: the pairs that both rated}, of any two that share some."""
        rated = ~np.isnan(self.ratings.values)
        shared = {
            (first + 1, second + 1): int((rated[first] & rated[second]).sum())
            for first, second in combinations(range(len(rated)), 2)
        }
        return {seats: pairs for seats, pairs in shared.items() if pairs}

    def confusion(self, topics: Sequence[int] | None = None) -> npt.NDArray[np.int_]:
        """Counts by value of an earlier seat (rows) and of a later one, over every two seats."""
        scale, values = self.ratings.scale.values, self.ratings.values
        if topics is not None:
            starts = self.ratings.starts
            of_topics = [values[:, starts[topic] : starts[topic + 1]] for topic in topics]
            values = np.hstack([values[:, :0], *of_topics])
        counts = np.zeros((len(scale), len(scale)), dtype=np.int_)
        for first, second in combinations(values, 2):
            both = ~(np.isnan(first) | np.isnan(second))
            counts += confusion(first[both], second[both], values=scale)
        return counts


def count(ratings: Ratings, rule: CannotJudge, *, with_gold: bool = False) -> Counted:
    """Of pairs with every seat handed in; with `with_gold` those that have a gold value."""
    skipped = ratings.is_cannot_judge
    kept = counted_pairs(skipped, rule)
    if with_gold:
        kept = kept & ~np.isnan(ratings.gold)
    values = counted_values(ratings.values, skipped, rule, lowest=ratings.scale.lowest)
    counted = replace(ratings.only(kept), values=values[:, kept])
    return Counted(counted, ratings.values[:, kept], ratings.size - counted.size, with_gold)


@dataclass(frozen=True)
class Gold:
    """The pairs with a gold value, of topics with no pair open or disputed.

    `grades` (as long as `pairs`) are their places on the scale. `excluded` are pairs that the
    adjudicator left out, `dropped` those that the rule for "cannot judge" does.
    """

    pairs: Ratings = field(repr=False)
    grades: npt.NDArray[np.int64] = field(repr=False)
    excluded: int
    dropped: int
    progress: list[TopicRatings] = field(repr=False)

    @property
    def decided(self) -> list[TopicRatings]:
        return [topic for topic in self.progress if topic.is_decided]

    @property
    def not_yet(self) -> list[TopicRatings]:
        """Topics that are not that far, or withheld from the viewer."""
        return [topic for topic in self.progress if not topic.is_decided]

    def of_topic(self, number: int) -> slice:
        """Where the topic's pairs are."""
        return slice(*self.pairs.starts[number : number + 2])


def gold_of(ratings: Ratings, rule: CannotJudge) -> Gold:
    progress = progress_of(ratings)
    decided = np.array([topic.is_decided for topic in progress], dtype=bool)
    done = ratings.only(decided[ratings.topic])
    counted = count(done, rule, with_gold=True)
    excluded = int(np.isnan(done.gold).sum())
    return Gold(
        pairs=counted.ratings,
        grades=places_of(counted.ratings.gold, ratings.scale),
        excluded=excluded,
        dropped=counted.left_out - excluded,
        progress=progress,
    )


def rated_of(ratings: Ratings, progress: list[TopicRatings], rule: CannotJudge) -> Counted:
    """The ratings before adjudication, of topics with every seat handed in."""
    rated = np.array([topic.is_rated for topic in progress], dtype=bool)
    return count(ratings.only(rated[ratings.topic]), rule)
