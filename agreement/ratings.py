"""The ratings and the gold of a collection as arrays, read in a fixed number of statements."""

from collections import defaultdict
from dataclasses import dataclass, field
from itertools import groupby

import numpy as np

from agreement.statistics.lists import Values
from annotation.models import Batch, Option, Pair, Rating, Seat
from datasets.models import Topic, TopicPlace


@dataclass(frozen=True)
class Scale:
    """The distinct values of the scheme's options, ascending; options may share a value."""

    values: tuple[float, ...]

    @property
    def lowest(self) -> float:
        return self.values[0]


@dataclass(frozen=True)
class Part:
    """Pairs of one topic whose batches have equally many seats.

    `ratings` is seats (by ordinal) by pairs, NaN is "cannot judge"; `gold` has a value per pair,
    NaN where there is none, because the pair is excluded or not decided yet.
    """

    ratings: Values
    gold: Values


@dataclass
class TopicRatings:
    """One topic: how far it is and, once every seat is handed in, its ratings.

    `withheld` is set where the viewer holds or ever held a seat in an unfinished batch of it; then
    nothing but the number of pairs may be said.
    """

    key: str
    title: str
    facet: str
    pairs: int = 0
    waiting: int = 0  # pairs that no batch has handed out
    unfinished: int = 0  # pairs of batches with a seat that is not handed in
    undecided: int = 0  # pairs handed in, without gold
    excluded: int = 0
    cannot_judge: int = 0  # pairs with at least one such rating
    mixed_seats: int = 0  # seats whose ratings come from more than one annotator
    withheld: bool = False
    parts: list[Part] = field(default_factory=list)

    @property
    def is_rated(self) -> bool:
        return self.pairs > 0 and not (self.withheld or self.waiting or self.unfinished)

    @property
    def is_decided(self) -> bool:
        return self.is_rated and not self.undecided


def get_scale(scheme) -> Scale:
    values = Option.objects.filter(scheme=scheme).values_list("value", flat=True)
    return Scale(tuple(sorted({float(value) for value in values})))


def get_topic_ratings(collection, *, viewer=None) -> list[TopicRatings]:
    """Every topic of the collection in its order; `viewer` None withholds nothing.

    Only ratings of batches whose every seat is handed in are read at all.
    """
    batches = Batch.objects.filter(collection=collection)
    blind = set(batches.blind_to(viewer).values_list("pk", flat=True)) if viewer else set()
    seats = _seats_by_batch(batches)
    pairs = _pairs_by_topic(collection)
    answers, authors = _answers(collection, batches.handed_in())
    titles = _titles(collection)
    result = []
    for pk, key, facet, text in Topic.objects.filter(collection=collection).values_list(
        "pk", "external_id", "facet", "text"
    ):
        rows = pairs.get(pk, [])
        topic = TopicRatings(key=key, title=text or titles.get(pk, key), facet=facet)
        topic.pairs = len(rows)
        topic.withheld = any(row.batch in blind for row in rows)
        if not topic.withheld:
            _fill(topic, rows, seats, answers, authors)
        result.append(topic)
    return result


@dataclass(frozen=True, slots=True)
class _Row:
    """What of a pair is needed here."""

    pk: int
    batch: int | None
    origin: str
    gold: float


@dataclass(frozen=True)
class _Seats:
    """The seats of one batch by ordinal."""

    pks: list[int]
    is_handed_in: bool


def _fill(topic, rows, seats, answers, authors):
    """Count how far the topic is; take its ratings if every seat is handed in."""
    in_batches = [row for row in rows if row.batch is not None]
    handed_in = [row for row in in_batches if seats[row.batch].is_handed_in]
    topic.waiting = len(rows) - len(in_batches)
    topic.unfinished = len(in_batches) - len(handed_in)
    topic.undecided = sum(not row.origin for row in handed_in)
    topic.excluded = sum(row.origin == Pair.Origin.EXCLUDED for row in handed_in)
    if not topic.is_rated:
        return
    used = {seat for row in handed_in for seat in seats[row.batch].pks}
    topic.mixed_seats = sum(len(authors[seat]) > 1 for seat in used)
    handed_in.sort(key=lambda row: len(seats[row.batch].pks))
    for _, group in groupby(handed_in, key=lambda row: len(seats[row.batch].pks)):
        of_equal_overlap = list(group)
        ratings = np.array(
            [[answers[row.pk][seat] for seat in seats[row.batch].pks] for row in of_equal_overlap]
        ).T
        gold = np.array([row.gold for row in of_equal_overlap])
        topic.parts.append(Part(ratings, gold))
        topic.cannot_judge += int(np.isnan(ratings).any(axis=0).sum())


def _seats_by_batch(batches):
    seats = defaultdict(list)
    for batch, pk, handed_in_at in (
        Seat.objects.filter(batch__in=batches)
        .order_by("batch", "ordinal")
        .values_list("batch", "pk", "handed_in_at")
    ):
        seats[batch].append((pk, handed_in_at is not None))
    return {
        batch: _Seats([pk for pk, _ in held], all(handed_in for _, handed_in in held))
        for batch, held in seats.items()
    }


def _pairs_by_topic(collection):
    pairs = defaultdict(list)
    for topic, pk, batch, origin, gold in (
        Pair.objects.filter(topic__collection=collection)
        .order_by("topic", "position", "pk")
        .values_list("topic", "pk", "batch", "gold_origin", "gold_value")
    ):
        value = float("nan") if gold is None else float(gold)
        pairs[topic].append(_Row(pk, batch, origin, value))
    return pairs


def _answers(collection, handed_in_batches):
    """{pair: {seat: value}} with NaN for "cannot judge", and {seat: its authors}."""
    options = Option.objects.filter(scheme__collection=collection).values_list("pk", "value")
    values = {pk: float(value) for pk, value in options} | {None: float("nan")}
    answers: dict[int, dict[int, float]] = defaultdict(dict)
    authors: dict[int, set[int]] = defaultdict(set)
    for pair, seat, option, author in Rating.objects.filter(
        seat__batch__in=handed_in_batches
    ).values_list("pair", "seat", "option", "annotator"):
        answers[pair][seat] = values[option]
        authors[seat].add(author)
    return answers, authors


def _titles(collection):
    """The text of the query that a topic stands under; of the first, where it has several."""
    places = (
        TopicPlace.objects.filter(topic__collection=collection)
        .order_by("-position", "-pk")
        .values_list("topic", "query__document__title", "query__text")
    )
    return {topic: title or text for topic, title, text in places}
