"""Copies of topics: taken where they are still true, made anew where a topic has changed.

A figure needs one state of all topics. This holds no lock and no long transaction. One statement
reads the state; what has changed since it was copied comes from the tables; then the state is read
again. If none of the topics just read has moved, everything at hand is of the
moment of the first statement; else only those that moved are read once more.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

import numpy as np
from django.db import OperationalError
from django.utils import timezone

from agreement.models import TopicCopy
from agreement.study.columns import (
    DECISION,
    PAIR,
    RATING,
    Rows,
    read_decisions,
    read_pairs,
    read_ratings,
)
from agreement.study.states import State, read_state
from audit.refusals import Refused

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
