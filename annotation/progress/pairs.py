"""Pairs with the ratings that a lead may see of them."""

from collections import defaultdict
from dataclasses import dataclass

from annotation.models import Pair, Rating
from datasets.models.documents import read_untitled


@dataclass
class NamedRating:
    """A rating, with the name of its option where another option has the same value."""

    rating: Rating
    name: str


@dataclass
class PairRow:
    """`ratings` in the order of the seats; `cells` has one for each list, None where it is open."""

    pair: Pair
    ratings: list[NamedRating]
    cells: list[NamedRating | None]


def pair_rows(pairs, *, scheme, user, ordinals=()):
    """Rows for `pairs` (a queryset that is limited to what the person may see), in its order."""
    names = names_of_equals(scheme)
    ratings_of = defaultdict(list)
    visible = (
        Rating.objects.visible_to(user)
        .filter(pair__in=pairs.order_by().values("pk"))
        .select_related("option", "annotator", "seat")
        .order_by("seat__ordinal")
    )
    for rating in visible:
        ratings_of[rating.pair_id].append(NamedRating(rating, names.get(rating.option_id, "")))
    shown = pairs.select_related("document", "topic", "gold_option", "side_text").defer(
        *("document__sentences", "document__metadata", "document__extra", "topic__metadata"),
        "side_text__text",
    )
    read_untitled(pair.document for pair in shown)
    rows = []
    for pair in shown:
        by_ordinal = {answer.rating.seat.ordinal: answer for answer in ratings_of[pair.pk]}
        cells = [by_ordinal.get(ordinal) for ordinal in ordinals]
        rows.append(PairRow(pair, ratings_of[pair.pk], cells))
    return rows


def names_of_equals(scheme):
    """{option id: its name} of the options that the value alone does not tell apart.

    One that stands for imported values has none: which label it was is not known.
    """
    equals = [
        option
        for scale in scheme.all_scales
        for option in scale.offered
        if sum(option.value == other.value for other in scale.offered) > 1
    ]
    if not equals:
        return {}
    words = scheme.current.words
    return {option.pk: words.option_name(option.scale.facet, option.key) for option in equals}
