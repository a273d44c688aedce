"""Values gathered under their keys, and a few at a time."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")


def grouped(pairs: Iterable[tuple[K, V]]) -> defaultdict[K, list[V]]:
    """{key: its values}, both in the order in which they come; other keys have none."""
    groups: defaultdict[K, list[V]] = defaultdict(list)
    for key, value in pairs:
        groups[key].append(value)
    return groups


def in_chunks(values: Iterable[V], size: int) -> Iterator[list[V]]:
    """Lists of so many, the last one shorter."""
    remaining = iter(values)
    while chunk := list(islice(remaining, size)):
        yield chunk
