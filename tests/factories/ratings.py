"""Ratings as figures take them, made of plain lists without a database."""

from datetime import UTC, datetime

import numpy as np

from agreement.study.ratings import Ratings, TopicFacts
from agreement.study.scales import Scale

SKIPPED = "cannot judge"
SCALE = Scale((0.0, 1.0, 2.0, 3.0))


def facts(key, facet="method", queries=None, pk=0):
    """A topic; by default of a query of its own."""
    queries = (f"of {key}",) if queries is None else queries
    return TopicFacts(pk, f"public-{key}", key, f"Title of {key}", facet, queries)


def ratings_of(*seats, topics=(), scale=SCALE, **columns):
    """A row per seat: a value, None for no answer, SKIPPED for "cannot judge".

    Every pair is of the first topic and of batch 1, whose seats are all handed in by annotators
    11, 12 and so on; `columns` say otherwise, those that are one value for all pairs.
    """
    size = len(seats[0]) if seats else 0
    values = [[given if isinstance(given, int | float) else np.nan for given in s] for s in seats]
    answered = np.array([[given is not None for given in seat] for seat in seats], dtype=bool)
    chosen = np.array([[isinstance(given, int | float) for given in s] for s in seats], dtype=bool)
    shape = (len(seats), size)
    of_pairs = {
        "topic": 0,
        "pair": np.arange(1, size + 1),
        "document": np.arange(101, size + 101),
        "batch": 1,
        "seats": len(seats),
        "is_finished": True,
        "is_withheld": False,
        "origin": 0,
        "gold": np.nan,
        "adjudicator": 0,
        "decided_at": np.nan,
        "cause": "",
    }
    of_answers = {
        "annotator": answered * (np.arange(len(seats)) + 11)[:, np.newaxis],
        "option": chosen * 1,
        "given_at": 0.0,
        "seconds": 0.0,
        "is_flagged": False,
        "version": 1,
    }
    return Ratings(
        scales={"": scale},
        topics=tuple(topics) or (facts("q1"),),
        read_at=datetime(2026, 1, 1, tzinfo=UTC),
        values=np.array(values, dtype=float).reshape(shape),
        is_answered=answered.reshape(shape),
        **{
            name: np.array(np.broadcast_to(columns.get(name, usual), (size,)))
            for name, usual in of_pairs.items()
        },
        **{
            name: np.array(np.broadcast_to(columns.get(name, usual), shape))
            for name, usual in of_answers.items()
        },
    )
