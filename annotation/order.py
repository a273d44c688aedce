"""The order in which a holder sees the pairs of a seat."""

import hashlib

from django.db.models import FilteredRelation, Q


def order_key(seed, member, topic_id, document_id):
    """Sort key of a pair: SHA-256 over the seat's seed, the holder and what the pair is.

    `topic_id` and `document_id` are the identifiers that exports carry, no database ids, so that
    the order can be recomputed anywhere; it differs from seat to seat and from holder to holder.
    """
    identity = "\x1f".join([seed, str(member.public_id), topic_id, document_id])
    return hashlib.sha256(identity.encode()).digest()


def ordered_rows(seat, *fields):
    """The seat's pairs in its holder's own order, as rows; position is the index plus one.

    A row is a dict with `pk`, `topic_id` and what `fields` name of the pair, or of the holder's
    rating under the alias `own` (None where there is none). It is one statement that loads no
    text, however large the batch.

    Topics stay together where a batch holds several. Pairs that a predecessor rated in this seat
    are left out: their ratings stand, and the holder does not see them.
    """
    rows = (
        seat.batch.pairs.annotate(
            own=FilteredRelation("ratings", condition=Q(ratings__seat=seat)),
        )
        .filter(Q(own__isnull=True) | Q(own__annotator=seat.holder))
        .values(
            "pk",
            "topic_id",
            "topic__position",
            "topic__external_id",
            "document__external_id",
            *fields,
        )
    )
    return sorted(
        rows,
        key=lambda row: (
            row["topic__position"],
            row["topic_id"],
            order_key(
                seat.seed, seat.holder, row["topic__external_id"], row["document__external_id"]
            ),
        ),
    )


def ordered_pairs(seat):
    """The same as pairs; their texts are loaded when they are asked for."""
    pairs = (
        seat.batch.pairs.select_related("topic", "document")
        .defer("document__title", "document__sentences", "document__metadata", "document__extra")
        .in_bulk()
    )
    return [pairs[row["pk"]] for row in ordered_rows(seat)]
