"""The pairs that figures count: the progress of each topic, and one rule for "cannot judge"."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from agreement.statistics import (
    CannotJudge,
    Comparing,
    RatedTopics,
    confusion,
    counted_pairs,
    counted_values,
    majority,
    majority_of_others,
)
from agreement.statistics.arrays import Values
from agreement.statistics.topics import numbered_in_order
from agreement.study.ratings import Ratings
from agreement.study.rows import EXCLUDED
from formats.words import counted


@dataclass(frozen=True)
class TopicRatings:
    """One topic's chosen pairs, counted.

    `withheld` is set where the viewer holds or ever held a seat in an unfinished batch of it; then
    nothing but the number of pairs is said.
    """

    number: int  # its position among the topics
    pk: int
    public_id: str
    key: str
    title: str
    facet: str
    pairs: int
    waiting: int = 0  # pairs that no batch has handed out
    unfinished: int = 0  # pairs of batches with a seat that is not handed in
    undecided: int = 0  # pairs handed in, without gold
    excluded: int = 0
    cannot_judge: int = 0  # pairs with at least one such rating
    mixed_seats: int = 0  # seats whose ratings come from more than one annotator
    withheld: bool = False

    @property
    def is_rated(self) -> bool:
        return self.pairs > 0 and not (self.withheld or self.waiting or self.unfinished)

    @property
    def is_decided(self) -> bool:
        return self.is_rated and not self.undecided

    @property
    def not_yet_rated(self) -> str:
        """Why there are no figures before adjudication; empty where there are."""
        if self.is_rated:
            return ""
        if self.withheld:
            return "left out while you hold or held a seat and the batch is unfinished"
        if not self.pairs:
            return "no pairs"
        if self.waiting:
            return f"{counted(self.waiting, 'pair')} in no batch"
        return f"{counted(self.unfinished, 'pair')} with a seat not handed in"

    @property
    def not_yet_decided(self) -> str:
        """Why there are no figures after adjudication; empty where there are."""
        if self.is_decided:
            return ""
        return self.not_yet_rated or f"{counted(self.undecided, 'pair')} to decide"


def progress_of(ratings: Ratings) -> list[TopicRatings]:
    """Every topic in order; of topics that are not rated only what says why."""
    waiting = ratings.batch == 0
    counts = {
        "waiting": waiting,
        "unfinished": ~waiting & ~ratings.is_finished,
        "undecided": ratings.is_finished & (ratings.origin == 0),
        "excluded": ratings.is_finished & (ratings.origin == EXCLUDED),
        "cannot_judge": ratings.is_finished & ratings.is_cannot_judge.any(axis=0),
        "withheld": ratings.is_withheld,
        "pairs": np.ones(ratings.size, dtype=bool),
    }
    of_topics = {
        name: np.bincount(ratings.topic[mask], minlength=len(ratings.topics)).tolist()
        for name, mask in counts.items()
    }
    of_topics["mixed_seats"] = _mixed_seats(ratings).tolist()
    progress = []
    for number, facts in enumerate(ratings.topics):
        of_topic = {name: numbers[number] for name, numbers in of_topics.items()}
        pairs, withheld = of_topic.pop("pairs"), bool(of_topic.pop("withheld"))
        if withheld:
            of_topic = {}
        elif of_topic["waiting"] or of_topic["unfinished"]:
            of_topic |= {"cannot_judge": 0, "mixed_seats": 0}
        progress.append(
            TopicRatings(
                number,
                facts.pk,
                facts.public_id,
                facts.key,
                facts.title,
                facts.facet,
                pairs,
                withheld=withheld,
                **of_topic,
            )
        )
    return progress


def _mixed_seats(ratings: Ratings):
    """Of each topic, how many of the seats that rated it hold ratings of several people."""
    ordinal, pair = np.nonzero(ratings.is_answered & ratings.is_finished)
    person = ratings.annotator[ordinal, pair]
    batches, batch = numbered_in_order(ratings.batch)
    seat = batch[pair] * len(ratings.values) + ordinal
    # Somebody of each seat, whoever: a seat of several people has a rating of another.
    anybody = np.zeros(batches.size * len(ratings.values), dtype=np.int64)
    anybody[seat] = person
    of_several = np.isin(seat, seat[anybody[seat] != person])
    used = np.unique(np.stack([ratings.topic[pair], seat])[:, of_several], axis=1)
    return np.bincount(used[0], minlength=len(ratings.topics))


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

    @property
    def comparing(self) -> Comparing:
        """Every seat with the gold, where there is one, or else with the others."""
        return Comparing.WITH_LAST if self.with_gold else Comparing.BETWEEN_RATERS

    @cached_property
    def topics(self) -> RatedTopics:
        """The same, reduced to how often which values came together; with gold as the last column
        where it was asked for."""
        return self._with([self.ratings.gold[np.newaxis]] if self.with_gold else [])

    @property
    def with_majority(self) -> RatedTopics:
        """With what most seats of a pair gave as the last column."""
        return self._with([majority(self.given, **self._votes)[np.newaxis]])

    @property
    def with_majority_of_others(self) -> RatedTopics:
        """With what most other seats gave, a column for each."""
        return self._with([majority_of_others(self.given, **self._votes)])

    @property
    def _votes(self) -> dict[str, Any]:
        return {"seats": self.ratings.seats, "values": self.ratings.scale.values}

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

    @property
    def has_several_raters(self) -> bool:
        """Whether three or more rated a pair."""
        return self.topics.raters > 2 and self.topics.pairs > 0

    def of_topics(self, numbers: Sequence[int]) -> "Counted":
        """The pairs of the topics at these positions, ascending."""
        mask = np.isin(self.ratings.topic, numbers)
        ratings = self.ratings.of_topics(numbers)
        return replace(self, ratings=ratings, given=self.given[:, mask])

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
    mask = counted_pairs(skipped, rule)
    if with_gold:
        mask = mask & ~np.isnan(ratings.gold)
    values = counted_values(ratings.values, skipped, rule, lowest=ratings.scale.lowest)
    of_rule = replace(ratings.only(mask), values=values[:, mask])
    return Counted(of_rule, ratings.values[:, mask], ratings.size - of_rule.size, with_gold)


def finished_of(ratings: Ratings, rule: CannotJudge) -> Counted:
    """The pairs of batches that are wholly handed in, also of topics that are not. Figures of pairs
    take them all, since a sample never finishes a topic."""
    return count(ratings.only(ratings.is_finished), rule)


def rated_of(ratings: Ratings, progress: list[TopicRatings], rule: CannotJudge) -> Counted:
    """The ratings before adjudication, of topics with every seat handed in."""
    rated = np.array([topic.is_rated for topic in progress], dtype=bool)
    return count(ratings.only(rated[ratings.topic]), rule)
