"""Pairs with the ratings that a lead may see of them."""

from collections.abc import Sequence
from dataclasses import dataclass

from accounts.listing import PAGE_SIZE, Listing, listing
from annotation.models import Pair, Rating
from datasets.models.documents import read_untitled
from formats.grouping import grouped


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


@dataclass
class PairList:
    """Pairs as a person asks for them: the `rows` of one page of the `listing`. `states` are those
    of all pairs, whether the page has them or not."""

    listing: Listing
    rows: list[PairRow]
    states: list[str]


def _difference(row):
    """Between the highest and the lowest rating; -1 where there are no two."""
    values = [answer.rating.option.value for answer in row.ratings if answer.rating.option]
    return max(values) - min(values) if len(values) > 1 else -1


ORDERS = {
    "title": ("title", lambda row: row.pair.document.heading.casefold()),
    "gold": ("highest gold first", lambda row: -(row.pair.gold_value or 0)),
    "widest": ("largest difference first", lambda row: -_difference(row)),
}


def text_of(row: PairRow) -> str:
    """The text that a search looks through."""
    notes = " ".join(answer.rating.note for answer in row.ratings)
    return f"{row.pair.document.title} {row.pair.document.external_id} {notes}"


def list_pairs(pairs, parameters, *, scheme, user, ordinals: Sequence[int], state="") -> PairList:
    """The pairs in one state, or in any. There may be thousands: all are read only to look for
    words in them, or to sort them."""
    states = dict(pairs.values_list("pk", "state"))
    wanted = pairs.filter(state=state) if state else pairs
    reads_all = bool(parameters.get("words") or parameters.get("order"))

    def rows_of(chosen_pairs):
        return pair_rows(chosen_pairs, scheme=scheme, user=user, ordinals=ordinals)

    listed = listing(
        rows_of(wanted) if reads_all else [pk for pk in states if state in ("", states[pk])],
        parameters,
        text=text_of,
        orders=ORDERS,
        size=PAGE_SIZE,
    )
    shown = list(listed.page.object_list)
    rows = shown if reads_all else rows_of(wanted.filter(pk__in=shown))
    return PairList(listed, rows, list(states.values()))


def pair_rows(pairs, *, scheme, user, ordinals=()):
    """Rows for `pairs` (a queryset that is limited to what the person may see), in its order."""
    names = names_of_equals(scheme)
    visible = (
        Rating.objects.visible_to(user)
        .filter(pair__in=pairs.order_by().values("pk"))
        .select_related("option", "annotator", "seat")
        .order_by("seat__ordinal")
    )
    ratings_of = grouped(
        (rating.pair_id, NamedRating(rating, names.get(rating.option_id, ""))) for rating in visible
    )
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
