"""The rows of the lead's first page: totals, topics with their states, people."""

from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property

from annotation.progress.figures import CountedSeat, Figures, ListedTopic, SeatProgress, percent
from datasets.models import Membership
from formats.grouping import grouped


class TopicState(StrEnum):
    """The state of a topic: the first of these that applies. They are listed in the order of the
    work on screens, where locked topics come last."""

    LOCKED = "locked"  # its gold is final
    EMPTY = "empty"  # none of its candidates has text, so there is nothing to rate
    WAITING = "waiting"  # some pairs are in no batch
    UNASSIGNED = "unassigned"  # a seat is held by nobody
    RATING = "rating"  # a seat is not handed in
    ADJUDICATION = "adjudication"  # every seat is, and disputes are open
    DONE = "done"  # every pair has gold

    @property
    def label(self):
        return {"empty": "No pairs"}.get(self, self.capitalize())

    @property
    def tone(self):
        """The chip's colour; the label says the same."""
        tones = {"unassigned": "bad", "rating": "warn", "adjudication": "info", "done": "ok"}
        return tones.get(self, "")


IN_ORDER_OF_WORK = [
    TopicState.WAITING,
    TopicState.UNASSIGNED,
    TopicState.RATING,
    TopicState.ADJUDICATION,
    TopicState.DONE,
    TopicState.LOCKED,
    TopicState.EMPTY,
]


@dataclass
class SeatList:
    """All seats of one ordinal of a topic: one of the lists that agreement compares."""

    ordinal: int
    seats: list[SeatProgress]

    @property
    def rated(self):
        """None where a part of it is hidden from the lead."""
        counts = [seat.rated for seat in self.seats]
        return None if None in counts else sum(counts)

    @property
    def size(self):
        return sum(seat.size for seat in self.seats)

    @property
    def percent(self):
        return percent(self.rated, self.size)


@dataclass
class TopicRow:
    """A topic with its state; the progress of its seats is counted for the rows on the page alone.

    `disputes` counts pairs that went to adjudication, `decided` those with a decision; None
    and 0 while no batch of the topic is wholly handed in. `is_hidden`: the lead rates in it.
    `queries` are the ids of those that ask for an aspect; of a topic under a facet there are none,
    since its title is that of its query."""

    topic: ListedTopic
    title: str
    facet_name: str
    queries: list[str]
    pairs: int
    waiting: int
    seats: list[CountedSeat]
    figures: Figures = field(repr=False, compare=False)
    disputes: int | None
    decided: int
    state: TopicState
    is_hidden: bool

    @property
    def decided_percent(self):
        return percent(self.decided, self.disputes)

    @cached_property
    def lists(self):
        lists = grouped(
            (seat.ordinal, self.figures.progress(seat, topic=self.topic.pk)) for seat in self.seats
        )
        return [SeatList(ordinal, seats) for ordinal, seats in sorted(lists.items())]

    @property
    def people(self):
        """The holders of its seats by ordinal, each once."""
        by_ordinal = sorted(self.seats, key=lambda seat: seat.ordinal)
        return list(dict.fromkeys(seat.holder for seat in by_ordinal if seat.holder))


@dataclass
class PersonRow:
    """`answered` of `to_rate` pairs in the seats a member holds, but not in `hidden_seats`, which
    the lead must not know of. `median_seconds` is per pair, over all their ratings with a time;
    None where none was recorded, as for imported ratings."""

    member: Membership
    to_rate: int
    answered: int
    hidden_seats: int
    median_seconds: float | None

    @property
    def percent(self):
        return percent(self.answered, self.to_rate)


@dataclass
class Totals:
    """A collection in a few numbers, as far as its lead may know them."""

    has_topics: bool
    pairs: int
    ratings_given: int
    ratings_wanted: int
    disputes: int
    decided: int
    gold: dict[str, int]
    waiting_pairs: int
    free_seats: int
    undecidable_pairs: int
    hidden_batches: int

    @property
    def ratings_percent(self):
        return percent(self.ratings_given, self.ratings_wanted)

    @property
    def ratings_to_go(self):
        return self.ratings_wanted - self.ratings_given

    @property
    def open_disputes(self):
        return self.disputes - self.decided

    @property
    def decided_percent(self):
        return percent(self.decided, self.disputes)

    @property
    def gold_total(self):
        return sum(self.gold.values())

    @property
    def gold_percent(self):
        return percent(self.gold_total, self.pairs)


@dataclass
class Overview(Totals):
    """The same with its topics and people, a row each. `flags_to_answer` are the flagged pairs of
    which a flag has no answer."""

    flagged_pairs: int
    flags_to_answer: int
    topics: list[TopicRow]
    people: list[PersonRow]
    adjudicators: list[Membership]

    @property
    def most_seats(self):
        """The bars of ratings that the longest progress of a topic has; 0 without a batch."""
        return max((seat.ordinal for row in self.topics for seat in row.seats), default=0)

    @property
    def state_counts(self):
        """(state, topics) for the states that occur, in the order of the work."""
        counts = Counter(row.state for row in self.topics)
        return [(state, counts[state]) for state in IN_ORDER_OF_WORK if counts[state]]
