"""The order in which a holder sees the pairs of a seat."""

import hashlib


def order_key(seed, member, pair):
    """Sort key of a pair: SHA-256 over the seat's seed, the holder and what the pair is.

    It uses identifiers that exports carry and no database id, so that the order can be
    recomputed anywhere, and differs from seat to seat and from holder to holder.
    """
    identity = "\x1f".join(
        [seed, str(member.public_id), pair.topic.external_id, pair.document.external_id]
    )
    return hashlib.sha256(identity.encode()).digest()


def ordered_pairs(seat):
    """The pairs of a seat in its holder's own order; position is the index plus one.

    Topics stay together where a batch holds several. Pairs that a predecessor rated in this seat
    are left out: their ratings stand, and the holder does not see them.
    """
    from_others = seat.ratings.exclude(annotator=seat.holder).values("pair")
    pairs = (
        seat.batch.pairs.select_related("topic", "document")
        .exclude(pk__in=from_others)
        .defer("document__metadata", "document__extra", "topic__metadata")
    )
    return sorted(
        pairs,
        key=lambda pair: (
            pair.topic.position,
            pair.topic_id,
            order_key(seat.seed, seat.holder, pair),
        ),
    )
