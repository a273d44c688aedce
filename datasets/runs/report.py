"""The documents and topics that a run has and lacks, in the collection as it is now."""

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass

from datasets.models import Candidate, Level, Query, Run, TopicPlace
from datasets.runs.levels import ids_of, known_ids
from datasets.runs.reading import rankings_of
from datasets.runs.strangers import KnownDocuments

SHOWN = 10


@dataclass(frozen=True)
class Listing:
    """The number of rows, and the first of them."""

    count: int
    first: list[str]

    @classmethod
    def of(cls, names: Iterable[str]) -> "Listing":
        ordered = list(names)
        return cls(len(ordered), ordered[:SHOWN])

    @property
    def more(self) -> int:
        return self.count - len(self.first)


@dataclass(frozen=True)
class Coverage:
    """`known` topics (or queries) of the run are the collection's; `missing` ones it does not rank;
    `unknown` ones the collection does not have. `outside` lists ranked documents that no pool
    holds, `unranked` those of pools that the run leaves out, each as "document for topic"; of those
    outside, the collection does not have the `strangers`.
    """

    known: int
    missing: Listing
    unknown: Listing
    outside: Listing
    unranked: Listing
    strangers: Listing


def compare(
    rankings: Mapping[str, Sequence[str]],
    stored: set[str],
    known_ids: set[str],
    pools: Mapping[str, set[str]],
    documents: Set[str],
) -> Coverage:
    """Compare {topic: documents} with the collection's topics and pools.

    Where a topic has no pool yet, no document is outside of it.
    """
    outside, unranked = [], []
    for name in rankings:
        if pool := pools.get(name, set()):
            ranked = set(rankings[name])
            outside += [
                f"{document} for {name}" for document in rankings[name] if document not in pool
            ]
            unranked += [f"{document} for {name}" for document in sorted(pool - ranked)]
    return Coverage(
        len(known_ids),
        Listing.of(sorted(stored - rankings.keys())),
        Listing.of(name for name in rankings if name not in known_ids),
        Listing.of(outside),
        Listing.of(unranked),
        Listing.of(
            f"{document} for {name}"
            for name, ranked in rankings.items()
            for document in ranked
            if document not in documents
        ),
    )


def coverage(run: Run) -> Coverage:
    """The run's coverage of the collection now."""
    collection, level = run.system.collection, Level(run.level)
    rankings = rankings_of([run])[run.pk]
    # Which parts of a query are sub-queries is said by those who make them.
    stored = set() if level == Level.SUB_QUERIES else ids_of(collection, level)
    stored_ids = known_ids(collection, level, rankings.keys())
    pools = _pools(run, rankings)
    documents = KnownDocuments(collection).ids
    return compare(rankings, stored, stored_ids, pools, documents)


def _pools(run: Run, names: Iterable[str]) -> dict[str, set[str]]:
    """{topic or query: ids of its pool}; a topic has the pools of the queries it stands in."""
    collection = run.system.collection
    by_query: dict[str, set[str]] = {}
    candidates = Candidate.objects.filter(query__collection=collection).order_by()
    for query, document in candidates.values_list("query__external_id", "external_id"):
        by_query.setdefault(query, set()).add(document)
    if run.level == Level.SUB_QUERIES:
        return {name: by_query.get(name.rpartition("_")[0], set()) for name in names}
    if run.level == Level.QUERIES:
        return by_query
    pools: dict[str, set[str]] = {}
    places = TopicPlace.objects.filter(query__in=Query.objects.filter(collection=collection))
    for topic, query in places.values_list("topic__external_id", "query__external_id"):
        pools.setdefault(topic, set()).update(by_query.get(query, set()))
    return pools
