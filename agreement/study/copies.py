"""Copies of the ratings of each topic, so that what has not changed is not read twice.

Copies are in the database. They are taken where they are still true, and made anew where a topic
has changed. A figure needs one state of all topics. Reading it holds no lock and no long
transaction: one statement reads the state; what has changed since it was copied comes from the
tables; then the state of those topics is read again. If none of them has moved, everything at hand
is of the moment of the first statement; else only those that moved are read once more.
"""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np
from django.db import OperationalError, connections
from django.db.models import Count, F, Max, Q, Sum, Value
from django.utils import timezone

from agreement.models import TopicCopy
from agreement.study.binary import rows_in_binary
from agreement.study.rows import (
    DECISION,
    FORMAT,
    PAIR,
    RATING,
    Rows,
    read_decisions,
    read_pairs,
    read_ratings,
)
from annotation.models import Pair, Seat
from audit.refusals import Refused
from datasets.models import Topic
from datasets.models.imports import active_in_list
from formats.grouping import in_chunks

TRIES = 20
# So few topics at a time that on SQLite no reader holds up a save for long.
TOPICS_AT_A_TIME = 100
# A topic's fingerprint, and its pairs, ratings and decisions.
Bytes = bytes | memoryview
Copy = tuple[str, Bytes, Bytes, Bytes]
NONE: Copy = ("", b"", b"", b"")
PAIRS, RATINGS, CHANGES, DECISIONS, SEATS = range(5)


@dataclass(frozen=True)
class State:
    """`topics` maps a topic's id to a fingerprint that changes with its pairs, batches, ratings,
    gold and decisions; topics without pairs are not in it. `seats` has the number of seats of
    each batch, `unfinished` the batches with a seat that is not handed in."""

    topics: dict[int, str]
    seats: dict[int, int]
    unfinished: frozenset[int]


def read_state(collection, topics: Sequence[int] | None = None) -> State:
    """Counts, highest ids and sums of versions: these rows only ever grow, so no two states have
    the same. One statement sees one state on either database, however many rows change around it.

    A large study has half a million ratings. A seat that is handed in has rated every pair of its
    batch, so that the number of such seats tells the number of their ratings; those of the others
    are counted.

    Of `topics` and their batches alone, where some are given.
    """
    of_topics = defaultdict(list)
    batches_of = defaultdict(set)
    seats, handed_in = {}, {}
    for kind, topic, batch, *numbers in _statement(collection, topics):
        if kind == SEATS:
            seats[batch], handed_in[batch], _ = numbers
            continue
        of_topics[topic].append((kind, batch or 0, *(number or 0 for number in numbers)))
        if kind == PAIRS and batch:
            batches_of[topic].add(batch)
    # Ratings may be those of pairs that an import has not finished yet; such topics have no pairs.
    fingerprints = {
        topic: _fingerprint(
            [
                *rows,
                *(
                    (SEATS, batch, seats.get(batch, 0), handed_in.get(batch, 0))
                    for batch in batches_of[topic]
                ),
            ]
        )
        for topic, rows in of_topics.items()
        if any(kind == PAIRS for kind, *_ in rows)
    }
    unfinished = frozenset(batch for batch, count in seats.items() if handed_in[batch] < count)
    return State(fingerprints, seats, unfinished)


def _statement(collection, topics):
    """(kind, topic, batch, number, number, number) of every topic and batch of the collection, or
    of these topics and their batches.

    Rows are grouped by the topic itself, not by what they say of their topic: so SQLite counts
    pairs in the order of their index, without sorting them.
    """
    using = collection._state.db
    of_topics = Topic.including_inactive.using(using).filter(collection=collection)
    seats = Seat.objects.using(using).filter(batch__collection=collection)
    if topics is not None:
        of_topics = of_topics.filter(pk__in=topics)
        batches = Pair.objects.using(using).filter(topic__in=topics).order_by().values("batch")
        seats = Seat.objects.using(using).filter(batch__in=batches)
    pair, rating, decision = "pairs", "pairs__ratings", "pairs__decisions"
    with_pairs = of_topics.filter(active_in_list("pairs__"), pairs__isnull=False)
    rated = of_topics.filter(pairs__ratings__seat__in=seats.open())
    changed = of_topics.filter(pairs__ratings__version__gt=1)
    decided = of_topics.filter(pairs__decisions__isnull=False)
    with_gold = Count(pair, filter=~Q(pairs__gold_origin=""))
    versions, superseded = Sum("pairs__ratings__version"), Count("pairs__decisions__superseded_at")
    parts = [
        _counted(PAIRS, with_pairs, "pk", "pairs__batch", Count(pair), Max(pair), with_gold),
        # Ratings are counted from an index alone, and those that were changed from another.
        _counted(RATINGS, rated, "pk", None, Count("*"), Value(0), Value(0)),
        _counted(CHANGES, changed, "pk", None, Count(rating), versions, Value(0)),
        _counted(DECISIONS, decided, "pk", None, Count(decision), Max(decision), superseded),
        _counted(SEATS, seats, None, "batch_id", Count("pk"), Count("handed_in_at"), Max("pk")),
    ]
    return parts[0].union(*parts[1:], all=True)


def _counted(kind, rows, topic, batch, *numbers):
    """Three numbers of the rows of each topic, of each batch, or of both."""
    return (
        rows.order_by()
        .values(
            kind=Value(kind),
            of_topic=F(topic) if topic else Value(0),
            of_batch=F(batch) if batch else Value(0),
        )
        .annotate(**dict(zip("abc", numbers, strict=True)))
        .values_list("kind", "of_topic", "of_batch", "a", "b", "c")
    )


def _fingerprint(rows):
    text = repr((FORMAT, sorted(rows)))
    return hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True)
class Copies:
    """All pairs, ratings and standing decisions of a collection as they were at `read_at`."""

    pairs: Rows
    ratings: Rows
    decisions: Rows
    state: State
    read_at: datetime


def read_copies(collection, *, may_keep: bool) -> Copies:
    """Everything of one moment; Refused if ratings come in faster than a topic can be read.

    The collection is read from the database that it came from. `may_keep`: copies are stored for
    the next reader, which a view of the database that takes no rows cannot.
    """
    read_at, state = timezone.now(), read_state(collection)
    known = _known(collection, state)
    for _ in range(TRIES):
        changed = [
            pk for pk, fingerprint in state.topics.items() if known.get(pk, NONE)[0] != fingerprint
        ]
        if not changed:
            return _joined(known, state, read_at)
        fresh = dict(_read(changed, state, collection._state.db))
        few = changed if len(changed) <= TOPICS_AT_A_TIME else None
        again = read_state(collection, few)
        settled = {pk: copy for pk, copy in fresh.items() if again.topics.get(pk) == copy[0]}
        if may_keep:
            _keep(settled)
        known |= settled
        if len(settled) < len(changed):
            read_at, state = timezone.now(), read_state(collection)
    raise Refused("Ratings are coming in too fast to read one state of them. Try again.")


def _known(collection, state) -> dict[int, Copy]:
    return {
        pk: (fingerprint, pairs, ratings, decisions)
        for pk, fingerprint, pairs, ratings, decisions in _kept(collection)
        if state.topics.get(pk) == fingerprint
    }


def _kept(collection) -> Iterable[tuple[int, str, Bytes, Bytes, Bytes]]:
    """All copies of the collection, of whichever state; those of a large study are 30 MB."""
    rows = TopicCopy.objects.using(collection._state.db).filter(topic__collection=collection)
    copies = rows.values_list("topic_id", "state", "pairs", "ratings", "decisions")
    if connections[rows.db].vendor != "postgresql":
        return copies
    return (
        (int.from_bytes(topic), str(state, "ascii"), pairs, ratings, decisions)
        for topic, state, pairs, ratings, decisions in rows_in_binary(copies)
    )


def _read(topics, state, using) -> Iterator[tuple[int, Copy]]:
    for topics_read in in_chunks(topics, TOPICS_AT_A_TIME):
        pairs = read_pairs(topics_read, using)
        ratings = _by_topic(read_ratings(topics_read, using), pairs)
        decisions = _by_topic(read_decisions(topics_read, using), pairs)
        for pk in topics_read:
            of_topic = pairs[pairs["topic"] == pk]
            yield (
                pk,
                (
                    state.topics[pk],
                    of_topic.tobytes(),
                    ratings.get(pk, b""),
                    decisions.get(pk, b""),
                ),
            )


def _by_topic(rows, pairs):
    """{topic: the bytes of its rows}; rows of pairs that are not to be seen are left out."""
    if not (len(rows) and len(pairs)):
        return {}
    order = np.argsort(pairs["pair"])
    ids = pairs["pair"][order]
    at = np.minimum(np.searchsorted(ids, rows["pair"]), len(ids) - 1)
    is_of_pair = ids[at] == rows["pair"]
    topics = pairs["topic"][order][at][is_of_pair]
    by_topic = np.argsort(topics, kind="stable")
    topics_there, starts = np.unique(topics[by_topic], return_index=True)
    parts = np.split(rows[is_of_pair][by_topic], starts[1:])
    return {
        topic: part.tobytes() for topic, part in zip(topics_there.tolist(), parts, strict=False)
    }


def _keep(copies):
    """Store copies for the next reader; a database that is busy is not waited for twice."""
    rows = [
        TopicCopy(topic_id=pk, state=state, pairs=pairs, ratings=ratings, decisions=decisions)
        for pk, (state, pairs, ratings, decisions) in copies.items()
    ]
    try:
        TopicCopy.objects.bulk_create(
            rows,
            batch_size=TOPICS_AT_A_TIME,
            update_conflicts=True,
            unique_fields=["topic"],
            update_fields=["state", "pairs", "ratings", "decisions"],
        )
    except OperationalError:
        # Locked, or read only: the figures are at hand all the same.
        return


def _joined(known, state, read_at):
    copies = [known[pk] for pk in state.topics]
    pairs, ratings, decisions = (
        np.frombuffer(b"".join(copy[number] for copy in copies), dtype=dtype)
        for number, dtype in ((1, PAIR), (2, RATING), (3, DECISION))
    )
    return Copies(pairs, ratings, decisions, state, read_at)
