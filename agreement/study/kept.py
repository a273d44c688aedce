"""What is kept of a study, so that nothing is read or computed twice.

Copies of topics are in the database. They are taken where they are still true, and made anew where
a topic has changed. A figure needs one state of all topics. Reading it holds no lock and no long
transaction: one statement reads the state; what has changed since it was copied comes from the
tables; then the state is read again. If none of the topics just read has moved, everything at hand
is of the moment of the first statement; else only those that moved are read once more.

Figures are in the memory of a process for as long as nothing they rest on has changed. The trail
says whether anything has: every change of a collection writes an event in its own transaction, and
no event is ever removed. So the number of a collection's events is the version of all that its
figures rest on. What a viewer may not see is part of the key, beside the version. Inside a
transaction no figure is kept, since what is read there may never be committed.
"""

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar

import numpy as np
from django.db import OperationalError, connection
from django.utils import timezone

from agreement.models import TopicCopy
from agreement.study.rows import (
    DECISION,
    PAIR,
    RATING,
    Rows,
    State,
    read_decisions,
    read_pairs,
    read_ratings,
    read_state,
)
from annotation.workbench.kept import Shelf
from audit.models import Event
from audit.refusals import Refused
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


TRIES = 20
# So few topics at a time that on SQLite no reader holds up a save for long.
TOPICS_AT_A_TIME = 100
NONE = ("", b"", b"", b"")


@dataclass(frozen=True)
class Copies:
    """All pairs, ratings and standing decisions of a collection as they were at `read_at`."""

    pairs: Rows
    ratings: Rows
    decisions: Rows
    state: State
    read_at: datetime


def read_copies(collection, *, may_keep: bool = True) -> Copies:
    """Everything of one moment; Refused if ratings come in faster than a topic can be read.

    The collection is read from the database that it came from. `may_keep`: copies are stored for
    the next reader, which a view of the database that takes no rows cannot.
    """
    read_at, state = timezone.now(), read_state(collection)
    known = _known(collection, state)
    for _ in range(TRIES):
        changed = [
            pk for pk, fingerprint in state.topics.items() if known.get(pk, NONE)[0] != fingerprint
        ]
        if not changed:
            return _joined(known, state, read_at)
        fresh = dict(_read(changed, state, collection._state.db))
        again_at, again = timezone.now(), read_state(collection)
        settled = {pk: copy for pk, copy in fresh.items() if again.topics.get(pk) == copy[0]}
        if may_keep:
            _keep(settled)
        known |= settled
        if len(settled) < len(changed):
            read_at, state = again_at, again
    raise Refused("Ratings are coming in too fast to read one state of them. Try again.")


def _known(collection, state) -> dict[int, tuple[str, bytes, bytes, bytes]]:
    rows = TopicCopy.objects.using(collection._state.db).filter(topic__collection=collection)
    copies = rows.values_list("topic_id", "state", "pairs", "ratings", "decisions")
    return {
        pk: (fingerprint, bytes(pairs), bytes(ratings), bytes(decisions))
        for pk, fingerprint, pairs, ratings, decisions in copies
        if state.topics.get(pk) == fingerprint
    }


def _read(topics, state, using) -> Iterator[tuple[int, tuple[str, bytes, bytes, bytes]]]:
    for start in range(0, len(topics), TOPICS_AT_A_TIME):
        some = topics[start : start + TOPICS_AT_A_TIME]
        pairs = read_pairs(some, using)
        ratings = _by_topic(read_ratings(some, using), pairs)
        decisions = _by_topic(read_decisions(some, using), pairs)
        for pk in some:
            of_topic = pairs[pairs["topic"] == pk]
            yield (
                pk,
                (
                    state.topics[pk],
                    of_topic.tobytes(),
                    ratings.get(pk, b""),
                    decisions.get(pk, b""),
                ),
            )


def _by_topic(rows, pairs):
    """{topic: the bytes of its rows}; rows of pairs that are not to be seen are left out."""
    if not (len(rows) and len(pairs)):
        return {}
    order = np.argsort(pairs["pair"])
    ids = pairs["pair"][order]
    at = np.minimum(np.searchsorted(ids, rows["pair"]), len(ids) - 1)
    seen = ids[at] == rows["pair"]
    topics = pairs["topic"][order][at][seen]
    by_topic = np.argsort(topics, kind="stable")
    topics_there, starts = np.unique(topics[by_topic], return_index=True)
    parts = np.split(rows[seen][by_topic], starts[1:])
    return {
        topic: part.tobytes() for topic, part in zip(topics_there.tolist(), parts, strict=False)
    }


def _keep(copies):
    """Store copies for the next reader; a database that is busy is not waited for twice."""
    rows = [
        TopicCopy(topic_id=pk, state=state, pairs=pairs, ratings=ratings, decisions=decisions)
        for pk, (state, pairs, ratings, decisions) in copies.items()
    ]
    try:
        TopicCopy.objects.bulk_create(
            rows,
            batch_size=TOPICS_AT_A_TIME,
            update_conflicts=True,
            unique_fields=["topic"],
            update_fields=["state", "pairs", "ratings", "decisions"],
        )
    except OperationalError:
        # Locked, or read only: the figures are at hand all the same.
        return


def _joined(known, state, read_at):
    copies = [known[pk] for pk in state.topics]
    pairs, ratings, decisions = (
        np.frombuffer(b"".join(copy[number] for copy in copies), dtype=dtype)
        for number, dtype in ((1, PAIR), (2, RATING), (3, DECISION))
    )
    return Copies(pairs, ratings, decisions, state, read_at)
