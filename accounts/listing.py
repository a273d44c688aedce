"""A long list as a person asks for it: the rows with some words, in an order, a page at a time."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.core.paginator import Page, Paginator
from django.utils.http import urlencode

PAGE_SIZE = 100
# Fewer rows are seen at a glance.
LONG = 12


@dataclass(frozen=True)
class Listing:
    """`order` is the key of one of `orders`, or empty for the list's own; `of` are all rows that
    there are to search."""

    page: Page
    words: str
    order: str
    orders: list[tuple[str, str]]
    of: int

    @property
    def is_long(self) -> bool:
        return self.of > LONG or bool(self.words)

    def address(self, **more: str) -> str:
        """The query string of the list as it is; its pages and filters add to it."""
        parameters = {"words": self.words, "order": self.order, **more}
        return urlencode({name: value for name, value in parameters.items() if value})

    def context(self, **more: str) -> dict[str, Any]:
        """The part of a page's context that its templates read; `more` as of `address`."""
        return {"listing": self, "page": self.page, "address": self.address(**more)}


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
    order = parameters.get("order", "")
    order = order if order in orders else ""
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
