"""The gold of topics that are done, and what is not in it."""

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from agreement.statistics import CannotJudge
from agreement.study.counted import Counted, count
from agreement.study.grades import places_of
from agreement.study.progress import TopicRatings, progress_of
from agreement.study.ratings import Ratings


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
