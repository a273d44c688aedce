"""How far each topic is: what may be compared, and what is said of the rest."""

from dataclasses import dataclass

import numpy as np

from agreement.study.ratings import Ratings
from agreement.study.rows import EXCLUDED


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
            return f"{_pairs(self.waiting)} in no batch"
        return f"{_pairs(self.unfinished)} with a seat not handed in"

    @property
    def not_yet_decided(self) -> str:
        """Why there are no figures after adjudication; empty where there are."""
        if self.is_decided:
            return ""
        return self.not_yet_rated or f"{_pairs(self.undecided)} to decide"


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
    of_topics = {name: _per_topic(ratings, mask) for name, mask in counts.items()}
    of_topics["mixed_seats"] = _mixed_seats(ratings)
    progress = []
    for number, facts in enumerate(ratings.topics):
        of_topic = {name: int(numbers[number]) for name, numbers in of_topics.items()}
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


def _per_topic(ratings: Ratings, mask):
    return np.bincount(ratings.topic[mask], minlength=len(ratings.topics))


def _mixed_seats(ratings: Ratings):
    """Of each topic, how many of the seats that rated it hold ratings of several people."""
    ordinal, pair = np.nonzero(ratings.is_answered & ratings.is_finished)
    people, person = np.unique(ratings.annotator[ordinal, pair], return_inverse=True)
    # Whole numbers in place of rows, which sort many times faster: a seat, a seat and a person.
    seat = ratings.batch[pair] * (len(ratings.values) + 1) + ordinal
    held_by = np.unique(seat * (len(people) + 1) + person) // (len(people) + 1)
    seats, number = np.unique(held_by, return_counts=True)
    of_several = np.isin(seat, seats[number > 1])
    used = np.unique(np.stack([ratings.topic[pair], seat])[:, of_several], axis=1)
    return np.bincount(used[0], minlength=len(ratings.topics))


def _pairs(count: int) -> str:
    return "1 pair" if count == 1 else f"{count:,} pairs"
