"""The documents and topics that a run has and lacks, in the collection as it is now."""

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Q, QuerySet

from datasets.models import Candidate, Collection, Level, Query, Run, Topic, TopicPlace
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


def with_lists(runs: QuerySet[Run], collection: Collection) -> QuerySet[Run]:
    """With `list_count`, the lists of each run, and `known_count`, those of what the collection has
    at the run's level. Which parts of a query are sub-queries is said by those who make them."""
    is_known = Q(level=Level.SUB_QUERIES)
    for level, rows in ((Level.TOPICS, Topic.objects), (Level.QUERIES, Query.objects)):
        ids = rows.filter(collection=collection).order_by().values("external_id")
        is_known |= Q(level=level, rankings__external_id__in=ids)
    return runs.annotate(
        list_count=Count("rankings"), known_count=Count("rankings", filter=is_known)
    )


def gaps_of(run: Any, counts: Mapping[str, int]) -> list[str]:
    """What a run of `with_lists` lacks or has more than the collection, in words. `counts` has the
    number of topics, and of queries, in the collection."""
    missing = counts.get(run.level, run.known_count) - run.known_count
    unknown = run.list_count - run.known_count
    lists = "list" if unknown == 1 else "lists"
    return [
        *([f"lacks {missing:,} of {counts[run.level]:,} {run.level}"] if missing else []),
        *([f"{unknown:,} {lists} about something unknown"] if unknown else []),
    ]


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
