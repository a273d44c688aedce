"""A long list as a person asks for it: the rows with some words, in an order, a page at a time."""

from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.core.paginator import Page, Paginator
from django.utils.http import urlencode

PAGE_SIZE = 100
# Fewer rows are seen at a glance.
LONG = 12


@dataclass(frozen=True)
class Listing:
    """`order` is the key of one of `orders`, or empty for the list's own; `of` is the number of
    rows before the search."""

    page: Page
    words: str
    order: str
    orders: list[tuple[str, str]]
    of: int

    @property
    def is_long(self) -> bool:
        return self.of > LONG or bool(self.words)

    def context(self, **filters: str) -> dict[str, Any]:
        """The part of a page's context that its templates read. `filters` stay in the address while
        somebody searches; `address` is that of the list as it is, to which its pages add."""
        kept = {name: value for name, value in filters.items() if value}
        searched = {"words": self.words, "order": self.order}
        parameters = {name: value for name, value in searched.items() if value} | kept
        return {
            "listing": self,
            "page": self.page,
            "address": urlencode(parameters),
            "kept": kept.items(),
        }


def chosen(parameters: Mapping[str, str], name: str, choices: Container[str]) -> str:
    """The choice of an address among filters or orders of a list; empty for a word that is none."""
    word = parameters.get(name, "")
    return word if word in choices else ""


def listing(
    rows: Iterable[Any],
    parameters: Mapping[str, str],
    *,
    text: Callable[[Any], str],
    orders: Mapping[str, tuple[str, Callable[[Any], Any]]] | None = None,
    size: int = PAGE_SIZE,
) -> Listing:
    """A search looks through the `text` of each row; `orders` has (words, sort key) by name."""
    rows, orders = list(rows), orders or {}
    words = " ".join(parameters.get("words", "").split())[:200]
    order = chosen(parameters, "order", orders)
    search_words = words.casefold().split()
    shown = [row for row in rows if all(word in text(row).casefold() for word in search_words)]
    if order:
        shown.sort(key=orders[order][1])
    return Listing(
        page=Paginator(shown, size).get_page(parameters.get("page")),
        words=words,
        order=order,
        orders=[(name, label) for name, (label, _) in orders.items()],
        of=len(rows),
    )
