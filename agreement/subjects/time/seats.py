"""Seats that are not handed in, and how many pairs are left to rate in each."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from django.db.models import Q

from agreement.study.filters import ALL
from agreement.study.ratings import Ratings
from agreement.study.rows import Ids
from annotation.models import Rating, Seat


@dataclass(frozen=True)
class OpenSeat:
    """A seat that is not handed in, or may not be: who holds it (None for nobody), and its pairs
    without an answer by facet; None where the viewer may not know."""

    holder: int | None
    facets: frozenset[str]
    unanswered: Counter | None


def left_in(seats: Sequence[OpenSeat], holder: int | None, facet: str) -> int:
    return sum(
        number
        for seat in seats
        if seat.holder == holder and seat.unanswered
        for key, number in seat.unanswered.items()
        if facet in (ALL, key)
    )


def open_seats_of(ratings: Ratings, member) -> list[OpenSeat]:
    """Those with any of the pairs. In a batch that is withheld from the lead `member` they know of
    their own seat and of what they themselves rated in it, as on the collection's overview."""
    order = np.argsort(ratings.batch, kind="stable")
    batches, starts = np.unique(ratings.batch[order], return_index=True)
    bounds = pairwise([*starts, len(order)])
    pairs_of = {
        batch: order[start:end]
        for batch, (start, end) in zip(batches.tolist(), bounds, strict=True)
    }
    facets = np.array([topic.facet for topic in ratings.topics], dtype=object)
    withheld = np.unique(ratings.batch[ratings.is_withheld]).tolist()
    rated_by_viewer = _pairs_rated_by(member)
    open_seats = []
    for batch, ordinal, holder in (
        Seat.objects.filter(batch__collection=member.collection_id)
        # Where progress is withheld, a seat that is handed in must look like one that is not.
        .filter(Q(handed_in_at=None) | Q(batch__in=withheld))
        .order_by("batch", "ordinal")
        .values_list("batch", "ordinal", "holder")
    ):
        pairs = pairs_of.get(batch)
        if pairs is None:
            continue
        of_pair = facets[ratings.topic[pairs]]
        is_unrated = np.ones(len(pairs), dtype=bool)
        is_shown = True
        if ratings.is_withheld[pairs[0]]:
            is_shown = holder == member.pk
            is_unrated = ~np.isin(ratings.pair[pairs], rated_by_viewer)
        elif ordinal <= len(ratings.is_answered):
            is_unrated = ~ratings.is_answered[ordinal - 1, pairs]
        unanswered = Counter(of_pair[is_unrated].tolist()) if is_shown else None
        open_seats.append(OpenSeat(holder, frozenset(of_pair.tolist()), unanswered))
    return open_seats


def _pairs_rated_by(member) -> Ids:
    """The pairs that the viewer rated in seats which they hold."""
    rated = Rating.objects.filter(annotator=member, seat__holder=member)
    return np.array(list(rated.values_list("pair", flat=True)), dtype=np.int64)
