"""The rows that figures rest on: the state they are in, and the rows themselves as numpy arrays.

One statement tells the state of all topics, and so of one moment; rows are read one topic at a
time.
"""

import hashlib
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from django.db import DEFAULT_DB_ALIAS, connections
from django.db.models import (
    Case,
    Count,
    F,
    FloatField,
    Func,
    Max,
    Q,
    QuerySet,
    SmallIntegerField,
    Sum,
    Value,
    When,
)
from django.db.models.functions import Cast, Coalesce

from adjudication.models import Decision
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
                *(
                    (SEATS, batch, seats.get(batch, 0), batch in unfinished)
                    for batch in batches_of[topic]
                ),
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


Rows = npt.NDArray[np.void]

# Ids are 0 where there is none, numbers NaN; times are seconds since 1970. A change here needs
# another FORMAT, so that no copy of the old shape is taken for one of the new.
FORMAT = 1
PAIR = np.dtype(
    [
        ("pair", "i8"),
        ("topic", "i8"),
        ("document", "i8"),
        ("batch", "i8"),
        ("position", "i4"),
        ("origin", "i1"),
        ("gold", "f8"),
    ]
)
RATING = np.dtype(
    [
        ("pair", "i8"),
        ("ordinal", "i1"),
        ("annotator", "i8"),
        ("option", "i8"),  # 0 is "cannot judge"
        ("given_at", "f8"),
        ("seconds", "f4"),
        ("is_flagged", "?"),
        ("version", "i8"),
    ]
)
DECISION = np.dtype(
    [
        ("pair", "i8"),
        ("adjudicator", "i8"),
        ("option", "i8"),  # 0 is an exclusion
        ("decided_at", "f8"),
        ("cause", "U60"),
    ]
)

# How a pair came by its gold; 0 is not at all.
ORIGINS = {Pair.Origin.CONSENSUS: 1, Pair.Origin.ADJUDICATED: 2, Pair.Origin.EXCLUDED: 3}
CONSENSUS, ADJUDICATED, EXCLUDED = ORIGINS.values()


class Epoch(Func):
    """A time as seconds since 1970, a float."""

    output_field = FloatField()

    def as_sqlite(self, compiler, connection, **context):
        template = "((julianday(%(expressions)s) - 2440587.5) * 86400.0)"
        return self.as_sql(compiler, connection, template=template, **context)

    def as_postgresql(self, compiler, connection, **context):
        template = "EXTRACT(EPOCH FROM %(expressions)s)::double precision"
        return self.as_sql(compiler, connection, template=template, **context)


def read_pairs(topics: Iterable[int], using: str = DEFAULT_DB_ALIAS) -> Rows:
    """PAIR rows of the topics, by topic and place in the pool."""
    origin = Case(
        *(When(gold_origin=name, then=Value(code)) for name, code in ORIGINS.items()),
        default=Value(0),
        output_field=SmallIntegerField(),
    )
    pairs = (
        Pair.objects.using(using)
        .filter(topic__in=topics)
        .order_by("topic", "position", "pk")
        .values_list(
            "pk",
            "topic_id",
            "document_id",
            Coalesce("batch_id", 0),
            "position",
            origin,
            Cast("gold_value", FloatField()),
        )
    )
    return _rows(pairs, PAIR)


def read_ratings(topics: Iterable[int], using: str = DEFAULT_DB_ALIAS) -> Rows:
    """RATING rows of the topics, in no particular order."""
    ratings = (
        Rating.objects.using(using)
        .filter(pair__topic__in=topics)
        .order_by()
        .values_list(
            "pair_id",
            "seat__ordinal",
            "annotator_id",
            Coalesce("option_id", 0),
            Epoch("created_at"),
            Cast("active_seconds", FloatField()),
            "is_flagged",
            "scheme_version_id",
        )
    )
    return _rows(ratings, RATING)


def read_decisions(topics: Iterable[int], using: str = DEFAULT_DB_ALIAS) -> Rows:
    """DECISION rows of the topics: the decisions that stand."""
    decisions = (
        Decision.objects.using(using)
        .filter(pair__topic__in=topics, superseded_at=None)
        .order_by()
        .values_list(
            "pair_id", "adjudicator_id", Coalesce("option_id", 0), Epoch("decided_at"), F("cause")
        )
    )
    return _rows(decisions, DECISION)


def _rows(queryset: QuerySet, dtype: np.dtype) -> Rows:
    """The rows as the driver gives them: none of these columns needs Django's conversion, which
    takes several times as long as reading them."""
    sql, parameters = queryset.query.sql_with_params()
    with connections[queryset.db].cursor() as cursor:
        cursor.execute(sql, parameters)
        return np.fromiter(cursor, dtype=dtype)
