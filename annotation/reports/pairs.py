"""Pairs with the ratings that a lead may see of them."""

from collections import defaultdict
from dataclasses import dataclass

from annotation.models import Pair, Rating


@dataclass
class PairRow:
    """`ratings` in the order of the seats; `cells` has one for each list, None where it is open."""

    pair: Pair
    ratings: list[Rating]
    cells: list[Rating | None]


def pair_rows(pairs, *, user, ordinals=()):
    """Rows for `pairs` (a queryset that is limited to what the person may see), in its order."""
    ratings = defaultdict(list)
    found = (
        Rating.objects.visible_to(user)
        .filter(pair__in=pairs.order_by().values("pk"))
        .select_related("option", "annotator", "seat")
        .order_by("seat__ordinal")
    )
    for rating in found:
        ratings[rating.pair_id].append(rating)
    shown = pairs.select_related("document", "topic", "gold_option").defer(
        "document__sentences", "document__metadata", "document__extra", "topic__metadata"
    )
    rows = []
    for pair in shown:
        by_ordinal = {rating.seat.ordinal: rating for rating in ratings[pair.pk]}
        cells = [by_ordinal.get(ordinal) for ordinal in ordinals]
        rows.append(PairRow(pair, ratings[pair.pk], cells))
    return rows
