"""The review of a seat's answers before its hand-in, and the summary after it."""

from collections.abc import Mapping
from dataclasses import dataclass
from statistics import median
from typing import Any
from urllib.parse import urlencode

from annotation.flags.querysets import answers_for_holder
from annotation.models import Seat
from annotation.progress.figures import titles_of
from annotation.workbench.bench import Bench, Place, position_of
from annotation.workbench.own_pairs import ORDERS, Filters, OwnPair, columns, own_pairs
from annotation.workbench.pages import pair_contexts
from formats.grouping import grouped


def hand_in_context(bench: Bench, query: Mapping[str, str]) -> dict[str, Any]:
    """The holder's own pairs in columns, filtered as the address says, and their own time."""
    filters = Filters.of(query)
    pairs = own_pairs(bench)
    shown = columns(bench, pairs, filters)
    seconds = [pair.seconds for pair in pairs if pair.seconds]
    pages = max(column.page_count for column in shown)
    return {
        "bench": bench,
        "seat": bench.seat,
        "title": _title(bench, pairs),
        "columns": shown,
        "filters": filters,
        "orders": ORDERS.items(),
        "open_places": [place for place in bench.places if place.is_open],
        "flagged_count": sum(pair.place.is_flagged for pair in pairs),
        "noted_count": sum(bool(pair.note) for pair in pairs),
        "changed_count": sum(pair.version > 1 for pair in pairs),
        "page_count": pages,
        "previous_page": _address(filters, filters.page - 1) if filters.page > 1 else "",
        "next_page": _address(filters, filters.page + 1) if filters.page < pages else "",
        "filter_address": _address(filters, 1),
        "median_seconds": median(seconds) if seconds else None,
        "total_minutes": int(sum(seconds) // 60),
        "next_seat": _next_seat(bench.seat),
        "flag_answers": _flag_answers(bench),
    }


def _title(bench: Bench, pairs: list[OwnPair]) -> str:
    """The query of the pairs, or the name of a batch of several, as the home page has it; and the
    facet, where there is one alone."""
    names = set(titles_of({place.step.topic_id for place in bench.places}).values()) - {""}
    name = names.pop() if len(names) == 1 else bench.seat.batch.name
    facets = {bench.version.words.shown_name(pair.facet) for pair in pairs}
    return ", ".join(filter(None, [name, *(facets if len(facets) == 1 else ())]))


def _flag_answers(bench: Bench) -> list[tuple[Place, list[Any]]]:
    """[(place, answers to the holder's flag there)], once the seat is handed in."""
    answers = grouped((row.rating.pair_id, row) for row in answers_for_holder(bench.seat))
    return [
        (place, answers[place.step.pair_id])
        for place in bench.places
        if place.step.pair_id in answers
    ]


def _address(filters: Filters, page: int) -> str:
    """The filters as an address says them."""
    parameters = {
        "words": filters.words,
        "flagged": "on" if filters.is_flagged else "",
        "noted": "on" if filters.has_note else "",
        "order": "" if filters.order == "marked" else filters.order,
        "page": page if page > 1 else "",
    }
    return urlencode({name: value for name, value in parameters.items() if value})


@dataclass(frozen=True)
class Compared:
    """One of the two pairs side by side: what the workbench prints of it, and how it stands."""

    context: dict[str, Any]
    place: Place
    is_other_topic: bool


def compare_context(bench: Bench, query: Mapping[str, str]) -> dict[str, Any] | None:
    """Two pairs side by side, as `compare=46,77` names their positions; None where it names none.

    The first stays; the second goes on through the pairs that were answered alike.
    """
    places = [bench.place(position_of(text)) for text in query.get("compare", "").split(",")]
    if len(places) != 2 or None in places or places[0] == places[1]:
        return None
    steps = [place.step for place in places]
    contexts = list(pair_contexts(bench, steps))
    filters = Filters.of(query)
    shown = columns(bench, own_pairs(bench), filters)
    with_other = (
        column for column in shown if any(pair.place == places[1] for pair in column.pairs)
    )
    alike = next(with_other, None)
    pairs = [pair for pair in alike.pairs if pair.place != places[0]] if alike else []
    at = next((i for i, pair in enumerate(pairs) if pair.place == places[1]), 0)

    def address(pair: OwnPair) -> str:
        comparison = urlencode({"compare": f"{places[0].position},{pair.place.position}"}, safe=",")
        return f"{bench.hand_in_url}?{comparison}&{_address(filters, 1)}".rstrip("&")

    return {
        "bench": bench,
        "seat": bench.seat,
        "compared": [
            Compared(context, place, context["query_key"] != contexts[0]["query_key"])
            for context, place in zip(contexts, places, strict=True)
        ],
        "first": contexts[0],
        "column": alike,
        "back": f"{bench.hand_in_url}?{_address(filters, 1)}".rstrip("?"),
        "previous_address": address(pairs[at - 1]) if at > 0 else "",
        "next_address": address(pairs[at + 1]) if at + 1 < len(pairs) else "",
    }


def _next_seat(seat: Seat) -> Seat | None:
    """Another open seat of the same person in the collection, for when this one is done."""
    if seat.holder is None:
        return None
    open_seats = Seat.objects.of(seat.holder.user_id).open()
    others = open_seats.filter(batch__collection=seat.batch.collection_id)
    return others.exclude(pk=seat.pk).order_by("batch__position", "batch_id").first()
