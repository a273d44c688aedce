"""The counts that every progress report of a collection is made from."""

from collections import Counter, defaultdict
from copy import copy
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import NamedTuple
from uuid import UUID

from django.db.models import Count, Q

from annotation.models import Batch, Pair, Rating, Seat, Tenure
from datasets.models import Document, Membership, Query, Topic, TopicPlace
from datasets.models.imports import active_in_list
from formats.grouping import grouped
from formats.records import PLAIN_FACET


@dataclass(frozen=True)
class PairCount:
    """`count` pairs of one topic and batch (None: waiting) in one state, with one gold origin. Of
    these, `agreed` went to an adjudicator for an audit alone: they are no disputes."""

    topic: int
    batch: int | None
    state: str
    origin: str
    count: int
    agreed: int = 0

    @property
    def disputes(self):
        return self.count - self.agreed if self.state in SENT_ON else 0

    @property
    def decided(self):
        return self.disputes if self.state in DECIDED else 0


DECIDED = {Pair.State.ADJUDICATED, Pair.State.EXCLUDED}
SENT_ON = {Pair.State.DISPUTED, *DECIDED}
COUNTED_BY = ["topic_id", "batch_id", "state", "gold_origin"]
# Rows, not ids: PostgreSQL counts these from an index that has no id.
EACH = Count("*")
COUNTED = ["pk", "batch", "ordinal", "holder", Q(handed_in_at__isnull=False)]
HOLDER = COUNTED.index("holder")


@dataclass(slots=True)
class CountedSeat:
    """A seat as reports count it. A study has thousands, and a model instance of each, with its
    seed and its batch, took half of the time of a page. What a page shows of some is read for these
    alone."""

    pk: int
    batch_id: int
    ordinal: int
    holder_id: int | None
    is_handed_in: bool
    holder: Membership | None


class ListedTopic(NamedTuple):
    """What a list shows of a topic; for the same reason no model instance."""

    pk: int
    public_id: UUID
    external_id: str
    facet: str
    locked_at: datetime | None

    @classmethod
    def of(cls, topic):
        return cls(*(getattr(topic, name) for name in cls._fields))

    @property
    def is_locked(self):
        return self.locked_at is not None


@dataclass
class SeatProgress:
    """A seat and how many of `size` pairs it has rated.

    `rated` and `is_handed_in` are None where the lead must not know them.
    """

    seat: CountedSeat
    size: int
    rated: int | None
    is_handed_in: bool | None

    @property
    def percent(self):
        return percent(self.rated, self.size)


class Figures:
    """Counts of pairs, seats and ratings that the lead `member` may know.

    `blind` holds the ids of unfinished batches that the lead rates or ever rated: of those only
    the lead's own ratings are counted. Batches, topics, seats and members are named by their ids.
    With a `batch` everything is about that one; with a `topic` about its pairs and the batches
    that they are in, as a page needs that shows no more.
    """

    def __init__(self, member, *others, batch=None, topic=None):
        """`others` are memberships of the same person, who leads those collections too."""
        self.members = member, *others
        self.member, self.collection = member, member.collection
        collections = [each.collection_id for each in self.members]
        batches = Batch.objects.filter(collection__in=collections)
        topics = Topic.objects.filter(collection__in=collections)
        pairs = Pair.including_inactive.filter(active_in_list(), topic__in=topics)
        seats = Seat.objects.filter(batch__collection__in=collections)
        if batch or topic:
            batches = (
                batches.filter(pk=batch.pk)
                if batch
                else batches.filter(
                    pk__in=Pair.objects.filter(topic=topic).order_by().values("batch")
                )
            )
            seats = seats.filter(batch__in=batches)
        self._batches = batches
        # {batch: its collection}
        self.collection_of = dict(batches.values_list("pk", "collection"))
        if batch or topic:
            # By their ids: asked for by a condition, the pairs of the whole study are looked at.
            in_batches = Q(batch__in=[*self.collection_of])
            pairs = pairs.filter(in_batches | Q(batch=None, topic=topic) if topic else in_batches)
        self.blind = set(
            Batch.objects.blind_to(member.user)
            .filter(collection__in=collections)
            .values_list("pk", flat=True)
        )
        self._count_pairs(pairs)
        self._read_seats(seats, Membership.objects.filter(collection__in=collections))
        self.rated = self._rated(seats)

    @cached_property
    def batches(self):
        """{id: batch}, in their order, for pages that name them."""
        return {row.pk: row for row in self._batches if row.pk in self.collection_of}

    def _count_pairs(self, pairs):
        rows = list(pairs.order_by().values_list(*COUNTED_BY).annotate(n=EACH))
        agreed = {}
        if any(state in DECIDED for _, _, state, _, _ in rows):
            audited = pairs.filter(pk__in=Pair.objects.decided_in_audits().values("pk"))
            counts = audited.order_by().values_list(*COUNTED_BY).annotate(n=EACH)
            agreed = {tuple(key): n for *key, n in counts}
        self.pairs = [PairCount(*row, agreed.get(row[:-1], 0)) for row in rows]
        # {batch: {topic: pairs}}, and {batch: pairs}
        self.sizes = defaultdict(Counter)
        self.whole_sizes = Counter()
        for row in self.pairs:
            if row.batch is not None:
                self.sizes[row.batch][row.topic] += row.count
                self.whole_sizes[row.batch] += row.count

    def _read_seats(self, seats, members):
        self.seats = defaultdict(list)
        member_of = {row.pk: row for row in members}
        for row in seats.order_by("batch", "ordinal").values_list(*COUNTED):
            seat = CountedSeat(*row, member_of.get(row[HOLDER]))
            if seat.batch_id in self.collection_of:
                self.seats[seat.batch_id].append(seat)

    def apart(self):
        """The figures of each collection."""
        collections = [member.collection_id for member in self.members]
        topics = Topic.objects.filter(collection__in=collections)
        collection_of = dict(topics.values_list("pk", "collection"))
        for member in self.members:
            part = copy(self)
            part.members = (member,)
            part.member, part.collection = member, member.collection
            part.collection_of = {
                batch: collection
                for batch, collection in self.collection_of.items()
                if collection == member.collection_id
            }
            part.blind = self.blind & part.collection_of.keys()
            part.pairs = [
                row for row in self.pairs if collection_of[row.topic] == member.collection_id
            ]
            part.seats = defaultdict(list)
            part.seats.update({pk: self.seats[pk] for pk in part.collection_of if pk in self.seats})
            yield part

    def _rated(self, seats):
        """{seat: {(topic, annotator): ratings}}, as far as the lead may know them.

        A collection may have half a million ratings. A seat that is handed in has rated its whole
        batch; of others, ratings are counted by seat from an index alone. Their annotators and
        topics are read only where a seat had several holders or its batch several topics.
        """
        rated = defaultdict(dict)
        annotators_of_seat = defaultdict(set)
        for seat, annotator in Tenure.objects.filter(seat__in=seats).values_list("seat", "member"):
            annotators_of_seat[seat].add(annotator)
        plain, mixed = {}, []
        for batch, of_batch in self.seats.items():
            for seat in of_batch:
                if len(self.sizes[batch]) == 1 and len(annotators_of_seat[seat.pk]) == 1:
                    [(topic, size)] = self.sizes[batch].items()
                    [annotator] = annotators_of_seat[seat.pk]
                    if seat.is_handed_in:
                        rated[seat.pk][topic, annotator] = size
                    else:
                        plain[seat.pk] = topic, annotator
                elif annotators_of_seat[seat.pk]:
                    mixed.append(seat.pk)
        ratings = Rating.objects.order_by()
        of_plain = ratings.filter(seat__in=seats.filter(handed_in_at=None))
        for seat, n in of_plain.values_list("seat").annotate(n=EACH) if plain else []:
            if seat in plain:
                rated[seat][plain[seat]] = n
        of_mixed = ratings.filter(seat__in=mixed) if mixed else ratings.none()
        for topic, seat, annotator, n in of_mixed.values_list(
            "pair__topic_id", "seat_id", "annotator_id"
        ).annotate(n=EACH):
            rated[seat][topic, annotator] = n
        member_ids = {member.pk for member in self.members}
        for seat in (seat.pk for batch in self.blind for seat in self.seats[batch]):
            rated[seat] = {key: n for key, n in rated[seat].items() if key[1] in member_ids}
        return rated

    @property
    def ratings_given(self):
        """{member: ratings} that they gave in any seat, as far as the lead may know them."""
        counts = Counter()
        for of_seat in self.rated.values():
            for (_, annotator), n in of_seat.items():
                counts[annotator] += n
        return counts

    @cached_property
    def handed_in(self):
        """The batches of which every seat is handed in."""
        return {
            batch
            for batch in self.collection_of
            if all(seat.is_handed_in for seat in self.seats[batch])
        }

    @property
    def in_queue(self):
        """The pairs of batches that are handed in: their disputes are for an adjudicator."""
        return [row for row in self.pairs if row.batch in self.handed_in]

    @property
    def has_open_disputes(self):
        return any(row.state == Pair.State.DISPUTED for row in self.in_queue)

    def progress(self, seat, *, topic=None):
        """Progress of a seat over its whole batch, or over one topic's pairs in it."""
        batch = seat.batch_id
        size = self.whole_sizes[batch] if topic is None else self.sizes[batch][topic]
        if batch in self.blind and seat.holder_id != self.member.pk:
            return SeatProgress(seat, size, None, None)
        rated = sum(n for (of, _), n in self.rated[seat.pk].items() if topic in (None, of))
        return SeatProgress(seat, size, rated, seat.is_handed_in)

    def own_share(self, seat):
        """(to rate, answered): the pairs of a seat left to its holder, and how many they rated.

        In a batch that the lead is blind to, the ratings of earlier holders are not known, so they
        are not subtracted.
        """
        answered = of_others = 0
        for (_, annotator), n in self.rated[seat.pk].items():
            if annotator == seat.holder_id:
                answered += n
            else:
                of_others += n
        return self.whole_sizes[seat.batch_id] - of_others, answered


def titles(collection):
    """{topic id: title of its query, or how that begins, or the topic's own text}."""
    return _titles(TopicPlace.objects.filter(topic__collection=collection))


def titles_of(topic_ids):
    """The same of these topics."""
    return _titles(TopicPlace.objects.filter(topic__in=topic_ids))


def _titles(topic_places):
    names, untitled = {}, {}
    for topic, text, title, query, paper in topic_places.order_by("-pk").values_list(
        "topic_id", "topic__text", "query__document__title", "query__text", "query__document"
    ):
        names[topic] = text or title or query
        if not names[topic]:
            untitled[topic] = paper
    papers = Document.objects.only("title", "sentences").in_bulk(set(untitled.values()))
    return names | {topic: papers[paper].heading for topic, paper in untitled.items()}


def asking_queries(collection):
    """{topic id: ids of the queries that ask for it, in their order}."""
    places = TopicPlace.objects.filter(query__in=Query.objects.filter(collection=collection))
    rows = places.order_by("query__position", "query").values_list("topic", "query__external_id")
    return grouped(rows.distinct())


def facet_names(scheme):
    """{facet key: its name in the current wording} of the facets that are shown."""
    facets = scheme.current.words.facets
    return {key: words.name for key, words in facets.items() if key != PLAIN_FACET}


def listed_topics(collection):
    """Those of the collection, in its order."""
    topics = Topic.objects.filter(collection=collection)
    return [ListedTopic(*row) for row in topics.values_list(*ListedTopic._fields)]


def percent(part, total):
    """Whole percent, rounded down so that 100 means all; 0 of nothing and of what is hidden."""
    return 100 * part // total if part and total else 0
