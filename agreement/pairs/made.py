"""The common parts of every list of pairs: its words, the page of its number, its cell."""

from collections.abc import Callable

from django.core.exceptions import BadRequest
from django.urls import reverse

from agreement.study.ratings import Ratings
from agreement.study.rows import Ids, Mask
from agreement.study.selection import Selection

# (words, address of the page with the number, ids of pairs)
Made = tuple[str, str, list[int]]
Maker = Callable[[Selection, str], Made]

DISAGREEMENTS, OVERVIEW = "agreement:disagreements", "agreement:agreement"
FACETS, POOL = "agreement:facets", "agreement:pool"
ANNOTATORS, TIME = "agreement:annotators", "agreement:time"


def listed(selection: Selection, page: str, words: str, ratings: Ratings, mask: Mask) -> Made:
    """The pairs of the mask, and the way back to a page under the same filters."""
    filters = selection.filters.address()
    back = reverse(page, args=[selection.collection.slug]) + (f"?{filters}" if filters else "")
    return words, back, ids(ratings.pair[mask])


def ids(pairs: Ids) -> list[int]:
    return [int(pair) for pair in pairs]


def two_values(cell: str) -> tuple[float, float]:
    try:
        first, second = (float(part) for part in cell.split(","))
    except ValueError:
        raise wrong(cell, "two values such as 0,3") from None
    return first, second


def one_value(cell: str) -> float:
    try:
        return float(cell)
    except ValueError:
        raise wrong(cell, "a value such as 2") from None


def wrong(cell: str, expected: str) -> BadRequest:
    return BadRequest(f"cell is {cell!r}; expected {expected}.")
