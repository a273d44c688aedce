"""The order in which a holder works through the pairs of a seat.

A pair's position, which is its address, is its rank in the order by topic. A batch worked through
by document walks through the same positions in another order.
"""

import hashlib

from django.db.models import FilteredRelation, Q

from annotation.aspects import in_reading_order
from annotation.models import Batch
from datasets.models import TopicPlace


def order_key(seed, member, *identifiers):
    """Sort key: SHA-256 over the seat's seed, the holder and what is sorted.

    The identifiers are those that exports carry (of the topic and the document, or of the document
    alone), no database ids, so that the order can be recomputed anywhere; it differs from seat to
    seat and from holder to holder.
    """
    identity = "\x1f".join([seed, str(member.public_id), *identifiers])
    return hashlib.sha256(identity.encode()).digest()


def ordered_rows(seat, *fields):
    """The seat's pairs in its holder's order by topic, as rows; `position` counts from 1.

    A row is a dict with `pk`, `topic_id`, `document_id`, `position` and what `fields` name of the
    pair, or of the holder's rating under the alias `own` (None where there is none). It is one
    statement that loads no text, however large the batch.

    Topics stay together where a batch holds several. Pairs that a predecessor rated in this seat
    are left out: their ratings stand, and the holder does not see them.
    """
    pairs = seat.batch.pairs.annotate(
        own=FilteredRelation("ratings", condition=Q(ratings__seat=seat)),
    ).filter(Q(own__isnull=True) | Q(own__annotator=seat.holder))
    if seat.batch.way == Batch.Way.BY_DOCUMENT:
        pairs = pairs.with_query()
        fields = (*fields, "query_id")
    rows = pairs.order_by().values(
        "pk",
        "topic_id",
        "document_id",
        "topic__position",
        "topic__external_id",
        "document__external_id",
        *fields,
    )
    in_order = sorted(
        rows,
        key=lambda row: (
            row["topic__position"],
            row["topic_id"],
            order_key(
                seat.seed, seat.holder, row["topic__external_id"], row["document__external_id"]
            ),
        ),
    )
    return [row | {"position": position} for position, row in enumerate(in_order, start=1)]


def walked_rows(seat, *fields):
    """The same rows in the order in which the batch is worked through."""
    rows = ordered_rows(seat, *fields)
    if seat.batch.way == Batch.Way.BY_DOCUMENT:
        return by_document(rows, seat, _reading_ranks(seat.batch))
    return rows


def by_document(rows, seat, ranks):
    """Rows in the order by document: documents shuffled, and under each its topics as in the tree.

    `ranks` sorts topics by (query, topic); a topic without a rank comes last.
    """
    return sorted(
        rows,
        key=lambda row: (
            order_key(seat.seed, seat.holder, row["document__external_id"]),
            row["document_id"],
            ranks.get((row["query_id"], row["topic_id"]), len(ranks)),
            row["position"],
        ),
    )


def _reading_ranks(batch):
    """{(query, topic): rank} of the topics of the queries that the batch asks about."""
    queries = TopicPlace.objects.filter(topic__pairs__batch=batch).values("query")
    by_query = {}
    for place in TopicPlace.objects.filter(query__in=queries).values_list(
        "pk", "parent_id", "position", "topic_id", "query_id", "query__position", named=True
    ):
        by_query.setdefault((place.query__position, place.query_id), []).append(place)
    ranks = {}
    for query in sorted(by_query):
        for place, _ in in_reading_order(by_query[query]):
            ranks.setdefault((place.query_id, place.topic_id), len(ranks))
    return ranks


def ordered_pairs(seat):
    """The pairs by position; their texts are loaded when they are asked for."""
    pairs = (
        seat.batch.pairs.select_related("topic", "document")
        .defer("document__title", "document__sentences", "document__metadata", "document__extra")
        .in_bulk()
    )
    return [pairs[row["pk"]] for row in ordered_rows(seat)]
