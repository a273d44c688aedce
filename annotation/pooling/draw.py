"""Drawing a pool's documents from runs. Pure functions on rankings.

A pool is the same for the same rankings, way and seed, in whatever order runs and topics come.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

MAX_SIZE = 10_000
MAX_SEED_LENGTH = 40

Rankings = Mapping[str, Mapping[str, Sequence[str]]]  # {run: {topic: documents, best first}}


class Way(StrEnum):
    DEPTH = "depth"  # the first k of every run
    DRAW = "draw"  # CSFCube's: runs take turns until each has given n


@dataclass
class Pooled:
    """A document of a pool, with the rank that each run which proposed it gives it."""

    document: str
    ranks: dict[str, int] = field(default_factory=dict)


Pool = dict[str, list[Pooled]]  # {topic: its documents, in the order in which they were taken}


def draw_pool(
    rankings: Rankings, *, way: Way, size: int, seed: str = "", whole_runs: Sequence[str] = ()
) -> Pool:
    """The pool of every topic that a run ranks. `size` is k or n; `whole_runs` names runs of which
    every document is taken, after the others (cited papers)."""
    partial = {run: rankings[run] for run in sorted(rankings.keys() - set(whole_runs))}
    topics = sorted({topic for lists in rankings.values() for topic in lists})
    pool = {}
    for topic in topics:
        lists = {run: ranked[topic] for run, ranked in partial.items() if topic in ranked}
        drawn = _by_depth(lists, size) if way == Way.DEPTH else _by_turns(lists, size, seed, topic)
        for run in sorted(set(whole_runs) & rankings.keys()):
            for rank, document in enumerate(rankings[run].get(topic, ()), start=1):
                drawn.setdefault(document, Pooled(document)).ranks[run] = rank
        pool[topic] = list(drawn.values())
    return pool


def _by_depth(lists: Mapping[str, Sequence[str]], depth: int) -> dict[str, Pooled]:
    """The first `depth` of each, by the best rank that a run gives; ties by id."""
    pool: dict[str, Pooled] = {}
    for run, documents in lists.items():
        for rank, document in enumerate(documents[:depth], start=1):
            pool.setdefault(document, Pooled(document)).ranks[run] = rank
    ordered = sorted(
        pool.values(), key=lambda pooled: (min(pooled.ranks.values()), pooled.document)
    )
    return {pooled.document: pooled for pooled in ordered}


def _by_turns(
    lists: Mapping[str, Sequence[str]], count: int, seed: str, topic: str
) -> dict[str, Pooled]:
    """Runs take turns in an order shuffled for the topic. At its turn a run gives its next
    document that is not in yet; one that is in gets the run among its sources. A run is done with
    `count` documents of its own, or at its end."""
    pool: dict[str, Pooled] = {}
    for _, run, rank, document in turns(lists, count, seed, topic):
        pool.setdefault(document, Pooled(document)).ranks[run] = rank
    return pool


def turns(
    lists: Mapping[str, Sequence[str]], count: int, seed: str, topic: str
) -> Iterator[tuple[int, str, int, str]]:
    """(round from 1, run, rank, document) of each document that a run is asked for. The first
    rounds of many are those of few."""
    taken: set[str] = set()
    order = sorted(lists, key=lambda run: _lot(seed, topic, run))
    at = dict.fromkeys(order, 0)
    for number in range(1, count + 1):
        for run in order:
            documents = lists[run]
            while at[run] < len(documents):
                document = documents[at[run]]
                at[run] += 1
                yield number, run, at[run], document
                if document not in taken:
                    taken.add(document)
                    break


def _lot(seed: str, topic: str, run: str) -> tuple[str, str]:
    text = "\n".join((seed, topic, run))
    return hashlib.sha256(text.encode()).hexdigest(), run
