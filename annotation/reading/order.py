"""The order in which a holder works through the pairs of a seat.

A pair's position, which is its address, is its rank in the order by topic. A batch worked through
by document walks through the same positions in another order.
"""

import hashlib
from collections import defaultdict
from itertools import count

from django.db.models import FilteredRelation, Q

from annotation.models import Batch, Pair
from annotation.reading.aspects import in_reading_order
from audit.statements import Select
from datasets.models import Candidate, Query, TopicPlace
from formats.grouping import grouped


def order_key(seed, member, *identifiers):
    """Sort key: SHA-256 over the seat's seed, the holder and what is sorted.

    It is made of the identifiers that exports carry (of topic and document, or of the document
    alone), so that the order can be recomputed anywhere. It differs from seat to seat and from
    holder to holder.
    """
    identity = "\x1f".join([seed, str(member.public_id), *identifiers])
    return hashlib.sha256(identity.encode()).digest()


# Of a seat, its batch and its holder. `seat_rating` is the seat's rating of a pair.
ROWS = Select(
    lambda seat, batch, holder: (
        Pair.objects.annotate(
            seat_rating=FilteredRelation("ratings", condition=Q(ratings__seat=seat)),
        )
        .filter(Q(seat_rating__isnull=True) | Q(seat_rating__annotator=holder), batch=batch)
        .order_by()
        .values(
            "pk",
            "topic_id",
            "document_id",
            "topic__position",
            "topic__external_id",
            "topic__facet",
            "document__external_id",
        )
    ),
    *[int] * 3,
)


def ordered_rows(seat):
    """The seat's pairs in its holder's order by topic, as rows; `position` counts from 1.

    A row is a dict with the columns of `ROWS` and `position`. It is one statement that loads no
    text, however large the batch.

    Topics stay together where a batch holds several. Pairs that a predecessor rated in this seat
    are left out: their ratings stand, and the holder does not see them.
    """
    in_order = sorted(
        ROWS.rows(seat.pk, seat.batch_id, seat.holder_id),
        key=lambda row: (
            row.topic__position,
            row.topic_id,
            order_key(seat.seed, seat.holder, row.topic__external_id, row.document__external_id),
        ),
    )
    return [row._asdict() | {"position": position} for position, row in enumerate(in_order, 1)]


def walked_rows(seat):
    """The same rows in the order in which the batch is worked through."""
    rows = ordered_rows(seat)
    if seat.batch.way == Batch.Way.BY_DOCUMENT:
        return by_document(rows, seat, _reading_ranks(seat.batch))
    return rows


def by_document(rows, seat, rank_of):
    """Rows in the order by document: documents shuffled, and under each its topics as in the tree.

    `rank_of` gives a row's rank among those of its document.
    """
    return sorted(
        rows,
        key=lambda row: (
            order_key(seat.seed, seat.holder, row["document__external_id"]),
            row["document_id"],
            rank_of(row),
            row["position"],
        ),
    )


def _reading_ranks(batch):
    """From a row to the rank of its topic in the tree of the query that the pair is shown with.

    The query is that of `PairQuerySet.with_query`; pools are read only where a topic stands in
    several queries. Trees follow each other as their queries do.
    """
    queries = Query.objects.filter(places__topic__pairs__batch=batch)
    places = TopicPlace.objects.filter(query__in=queries.values("pk")).values_list(
        "pk", "parent_id", "position", "topic_id", "query_id", "query__position", named=True
    )
    trees = grouped(((place.query__position, place.query_id), place) for place in places)
    ranks = defaultdict(dict)  # by topic, in the order of its queries: {query: rank}
    rank = count()
    for position, query_id in sorted(trees):
        for place, _ in in_reading_order(trees[position, query_id]):
            ranks[place.topic_id].setdefault(query_id, next(rank))
    several = {
        query
        for ranks_by_query in ranks.values()
        if len(ranks_by_query) > 1
        for query in ranks_by_query
    }
    pools = Candidate.objects.filter(query__in=several).values_list("query", "document")
    pooled_documents = set(pools) if several else set()

    def rank_of(row):
        ranks_of_topic = ranks[row["topic_id"]]
        holding = (
            query for query in ranks_of_topic if (query, row["document_id"]) in pooled_documents
        )
        return ranks_of_topic[next(holding, next(iter(ranks_of_topic)))]

    return rank_of
