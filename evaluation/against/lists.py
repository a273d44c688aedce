"""The pairs behind a cell of the comparison of two sources."""

from django.core.exceptions import BadRequest
from django.urls import reverse
from django.utils.http import urlencode

from agreement.study.selection import Selection
from datasets.runs.rankings import plain_number
from evaluation.against.figures import NotComparable, compare
from evaluation.sources.choices import source_named
from formats.decimals import printed_grade

ROUTE = "evaluation:against"


def cell_named(first: str, second: str, ours: float, theirs: float) -> str:
    """With the whole values: pairs are found by them."""
    return f"{first} {second} {plain_number(ours)} {plain_number(theirs)}"


def pairs_behind(selection: Selection, cell: str) -> tuple[str, str, list[int]]:
    """The words of a cell, as "gold judgments:nist 2 1", the address of its table, and its
    pairs."""
    try:
        key, other_key, *values = cell.split(" ")
        ours, theirs = map(float, values)
        first = source_named(selection.collection, key)
        second = source_named(selection.collection, other_key)
        pairs = compare(selection, first, second).behind(ours, theirs)
    except (ValueError, NotComparable):
        raise BadRequest(
            f"cell is {cell!r}; expected two sources and a value of each, such as "
            "'gold judgments:nist 2 1'."
        ) from None
    filters = selection.filters.address()
    sources = urlencode({"a": first.address, "b": second.address})
    home = reverse(ROUTE, args=[selection.collection.slug])
    back = f"{home}?{sources}" + (f"&{filters}" if filters else "")
    return (
        f"{first.in_words} {printed_grade(ours)}, {second.in_words} {printed_grade(theirs)}",
        back,
        pairs,
    )
