"""Which state a collection's ratings are in, told in one statement and so of one moment."""

import hashlib
from collections import defaultdict
from dataclasses import dataclass

from django.db.models import Count, F, Max, Q, Sum, Value

from adjudication.models import Decision
from agreement.study.columns import FORMAT
from annotation.models import Pair, Rating, Seat

PAIRS, RATINGS, DECISIONS, SEATS = range(4)


@dataclass(frozen=True)
class State:
    """`topics` maps a topic's id to a fingerprint that changes with its pairs, batches, ratings,
    gold and decisions; topics without pairs are not in it. `seats` has the number of seats of
    each batch, `unfinished` the batches with a seat that is not handed in."""

    topics: dict[int, str]
    seats: dict[int, int]
    unfinished: frozenset[int]


def read_state(collection) -> State:
    """Counts, highest ids and sums of versions: these rows only ever grow, so no two states have
    the same. One statement sees one state on either database, however many rows change around it.
    """
    of_topics = defaultdict(list)
    batches_of = defaultdict(set)
    seats, unfinished = {}, set()
    for kind, topic, batch, *numbers in _statement(collection):
        if kind == SEATS:
            count, handed_in, _ = numbers
            seats[batch] = count
            if handed_in < count:
                unfinished.add(batch)
            continue
        of_topics[topic].append((kind, batch or 0, *(number or 0 for number in numbers)))
        if kind == PAIRS and batch:
            batches_of[topic].add(batch)
    # Ratings may be those of pairs that an import has not finished yet; such topics have no pairs.
    fingerprints = {
        topic: _fingerprint(
            [
                *rows,
                *((SEATS, one, seats.get(one, 0), one in unfinished) for one in batches_of[topic]),
            ]
        )
        for topic, rows in of_topics.items()
        if any(kind == PAIRS for kind, *_ in rows)
    }
    return State(fingerprints, seats, frozenset(unfinished))


def _statement(collection):
    """(kind, topic, batch, number, number, number) of every topic and batch of the collection."""
    pairs = (
        Pair.objects.using(collection._state.db)
        .filter(topic__collection=collection)
        .order_by()
        .values(kind=Value(PAIRS), of_topic=F("topic_id"), of_batch=F("batch_id"))
        .annotate(a=Count("pk"), b=Max("pk"), c=Count("pk", filter=~Q(gold_origin="")))
    )
    ratings = (
        Rating.objects.using(collection._state.db)
        .filter(pair__topic__collection=collection)
        .order_by()
        .values(kind=Value(RATINGS), of_topic=F("pair__topic_id"), of_batch=Value(0))
        .annotate(a=Count("pk"), b=Max("pk"), c=Sum("version"))
    )
    decisions = (
        Decision.objects.using(collection._state.db)
        .filter(pair__topic__collection=collection)
        .order_by()
        .values(kind=Value(DECISIONS), of_topic=F("pair__topic_id"), of_batch=Value(0))
        .annotate(a=Count("pk"), b=Max("pk"), c=Count("superseded_at"))
    )
    seats = (
        Seat.objects.using(collection._state.db)
        .filter(batch__collection=collection)
        .order_by()
        .values(kind=Value(SEATS), of_topic=Value(0), of_batch=F("batch_id"))
        .annotate(a=Count("pk"), b=Count("handed_in_at"), c=Max("pk"))
    )
    columns = ("kind", "of_topic", "of_batch", "a", "b", "c")
    parts = [part.values_list(*columns) for part in (pairs, ratings, decisions, seats)]
    return parts[0].union(*parts[1:], all=True)


def _fingerprint(rows):
    text = repr((FORMAT, sorted(rows)))
    return hashlib.sha256(text.encode()).hexdigest()
