"""Figures that a process keeps in memory for as long as nothing they rest on has changed.

The trail says whether anything has: every change of a collection writes an event in its own
transaction, and no event is ever removed. So the number of a collection's events is the version of
all that its figures rest on. What a viewer may not see is part of the key, beside the version.

Inside a transaction nothing is kept, since what is read there may never be committed.
"""

from collections.abc import Callable, Hashable
from typing import TypeVar

from django.db import connection

from annotation.workbench.kept import Shelf
from audit.models import Event
from datasets.models import Collection

T = TypeVar("T")
# Of all figures together, by the pairs that each is of. Those of 165,000 pairs with three ratings
# take some 40 MB, and figures of one selection share most of it.
MAX_PAIRS = 1_500_000

_figures = Shelf(MAX_PAIRS)


def version_of(collection: Collection) -> int | None:
    """Another number after every change; None where nothing may be kept."""
    if connection.in_atomic_block:
        return None
    return Event.objects.of_collection(collection).count()


def keep(
    collection: Collection,
    version: int | None,
    key: Hashable,
    make: Callable[[], T],
    *,
    pairs: Callable[[T], int],
) -> T:
    """What `make` gives, from memory where it was made of this version before.

    What was made while the collection changed is of no version, and is not kept. `pairs` says how
    many it is of, so that large studies do not fill the memory.
    """
    if version is None:
        return make()
    return _figures.get(
        (collection.public_id, version, key),
        make,
        weigh=lambda value: max(pairs(value), 1),
        may_keep=lambda: version_of(collection) == version,
    )
