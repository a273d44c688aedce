"""The rows that figures rest on, as numpy arrays: read from the tables, and put in their places."""

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt
from django.db import DEFAULT_DB_ALIAS, connections
from django.db.models import Case, F, FloatField, Func, QuerySet, SmallIntegerField, Value, When
from django.db.models.functions import Cast, Coalesce

from adjudication.models import Decision
from annotation.models import Pair, Rating

Rows = npt.NDArray[np.void]
Mask = npt.NDArray[np.bool_]
Ids = npt.NDArray[np.int64]

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
NOWHERE = -1


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


class Places:
    """The places of rows that name a pair; rows of pairs that may not be told have none."""

    def __init__(self, pairs: Ids, is_visible: Mask) -> None:
        order = np.argsort(pairs)
        self.sorted = pairs[order]
        # The last is the place of rows of other pairs.
        self.place = np.append(np.where(is_visible[order], order, NOWHERE), NOWHERE)

    def of(self, rows):
        """The rows that may be told, and the place of each row's pair."""
        at = self.place[numbers_of(rows["pair"], self.sorted)]
        kept = at != NOWHERE
        return (rows, at) if kept.all() else (rows[kept], at[kept])


def numbers_of(ids: Ids, known_ids: Ids) -> Ids:
    """The place of each id among those known, which ascend; their number where it is none of them.

    Where ids lie close together, as those of one study do, a table takes a quarter of the time of a
    search.
    """
    count = len(known_ids)
    if not count:
        return np.zeros(len(ids), dtype=np.int64)
    lowest, highest = int(known_ids[0]), int(known_ids[-1])
    if highest - lowest > 4 * (len(ids) + count):
        at = np.searchsorted(known_ids, ids)
        return np.where(np.append(known_ids, lowest - 1)[at] == ids, at, count)
    numbers = np.full(highest - lowest + 3, count)
    numbers[known_ids - lowest + 1] = np.arange(count)
    return numbers[np.clip(ids, lowest - 1, highest + 1) - (lowest - 1)]


def spread(shape, at, empty, values):
    """An array of `empty` with the values at their places, counted row by row."""
    spread = np.full(np.prod(shape), empty, dtype=values.dtype)
    spread[at] = values
    return spread.reshape(shape)


def shortened(texts):
    """The texts in arrays as wide as the longest; room for sixty letters is most of a study."""
    return texts.astype(f"U{max(1, np.char.str_len(texts).max(initial=0))}")


def looked_up(ids, table, *, missing=0):
    """The table's value for every id, from 0."""
    known_ids = np.array(sorted(table), dtype=np.int64)
    values = np.array([*(table[number] for number in known_ids.tolist()), missing])
    return values[numbers_of(ids, known_ids)]
