"""The gold of pairs: how it spreads over the grades, and how many of them are relevant."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from accounts.parameters import one_of
from agreement.statistics import CannotJudge, Share
from agreement.statistics.arrays import Values
from agreement.study.counted import TopicRatings, count
from agreement.study.ratings import Ratings
from agreement.study.rows import Ids
from agreement.study.scales import Scale


@dataclass(frozen=True)
class Relevance:
    """A pair is relevant from a grade on, or with one label where there is no order: `place` is
    its place on the scale, from 0."""

    scale: Scale
    place: int

    @classmethod
    def read(cls, scale: Scale, parameters: Mapping[str, str]) -> "Relevance":
        """From the address; the lower end of the upper half of the scale where it says nothing.

        That is 2 of 0 to 3 (as in the CSFCube paper), 1 of 0 to 2. BadRequest for another value.
        """
        middle = (scale.values[0] + scale.values[-1]) / 2
        relevance = cls(scale, int(np.searchsorted(scale.values, middle)))
        if not parameters.get("relevant"):
            return relevance
        values = [value for value, _ in relevance.choices]
        return cls(scale, scale.names.index(one_of(parameters, "relevant", values)))

    @property
    def choices(self) -> list[tuple[str, str]]:
        """(value in the address, words); from the lowest grade on everything would be relevant."""
        if not self.scale.is_ordinal:
            return list(zip(self.scale.names, self.scale.words, strict=True))
        return [(name, self.scale.or_more(name)) for name in self.scale.names[1:]]

    @property
    def name(self) -> str:
        return self.scale.names[self.place]

    @property
    def in_words(self) -> str:
        if not self.scale.is_ordinal:
            return f"the label “{self.scale.words[self.place]}”"
        return f"a grade of {self.scale.or_more(self.name)}"

    @property
    def grades(self) -> slice:
        """The places of the relevant values."""
        return slice(self.place, None if self.scale.is_ordinal else self.place + 1)


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
        return Share(sum(self.counts[self.relevance.grades]), self.total)


def graded(key: str, name: str, grades: npt.ArrayLike, relevance: Relevance) -> Graded:
    """`grades` are places on the scale, as of `places_of`."""
    counts = np.bincount(np.asarray(grades), minlength=len(relevance.scale.values))
    return Graded(key, name, tuple(counts.tolist()), relevance)


def places_of(values: Values, scale: Scale) -> npt.NDArray[np.int64]:
    """Each value's place on the scale, from 0; the values are of the scale, without NaN."""
    return np.searchsorted(scale.values, values)


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
        """The positions of the topic's pairs."""
        return slice(*self.pairs.starts[number : number + 2])

    @cached_property
    def topics_of_queries(self) -> dict[str, dict[str, int]]:
        """{query: {facet: the number of its topic}}; an aspect has no facet, and is in none."""
        topics: dict[str, dict[str, int]] = {}
        for number, topic in enumerate(self.pairs.topics):
            for query in topic.queries if topic.facet else ():
                topics.setdefault(query, {}).setdefault(topic.facet, number)
        return topics

    def shared(self, first: int, second: int) -> tuple[Ids, Ids]:
        """The positions of the pairs of the documents that two topics share, in each of both."""
        of_first, of_second = self.of_topic(first), self.of_topic(second)
        documents = self.pairs.document
        _, in_first, in_second = np.intersect1d(
            documents[of_first], documents[of_second], assume_unique=True, return_indices=True
        )
        return of_first.start + in_first, of_second.start + in_second


def gold_of(ratings: Ratings, progress: list[TopicRatings], rule: CannotJudge) -> Gold:
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
