"""Rules of writing a query: who may write it, and the pairs that follow from it."""

import hashlib
from collections.abc import Iterable

from django.db.models import Exists, OuterRef, Q, QuerySet

from annotation.models import Pair
from annotation.reading.fixed import Fixed, lock_batches
from audit.models import Event
from audit.refusals import Locked, Refused, Stale
from audit.transactions import locked
from audit.verbs import Verb
from datasets.models import Candidate, Collection, Import, Query, Topic, TopicPlace
from datasets.positions import next_positions
from datasets.tree import Aspect, Tree
from formats.grouping import grouped, in_chunks

# What the trail calls the end of a topic and of a query, whose ids are never given again.


def lock_query(query: Query) -> Query:
    """The query read afresh, with its collection and all batches locked.

    Whoever is given a seat meanwhile waits for this transaction, or has been seen by it.
    """
    if query.document_id:
        raise Refused("This query is a paper. It changes by an import alone.")
    return lock_any_query(query)


def lock_any_query(query: Query) -> Query:
    """The same of a query that may be a paper."""
    lock_collection(query.collection)
    lock_batches(query.collection)
    return Query.objects.select_related("collection").get(pk=query.pk)


def lock_collection(collection: Collection) -> None:
    """Let one person at a time write queries; nobody beside an import, which checks its input
    against what it finds at its start."""
    locked(collection)
    being_written = Q(state=Import.State.INACTIVE)
    being_cleared = Q(state=Import.State.DEAD) & ~Q(summary__has_key="swept")
    if Import.objects.filter(being_written | being_cleared, collection=collection).exists():
        raise Refused("An import into this collection is running. Wait until it is done.")


def sentences_token(query: Query) -> str:
    """A hash of the query's sentences: a save compares it to the one that the editor had in
    view."""
    texts = "\x1f".join(sentence["text"] for sentence in query.sentences)
    return hashlib.sha256(texts.encode()).hexdigest()[:16]


def topics_of(query: Query) -> QuerySet[Topic]:
    return Topic.objects.filter(pk__in=TopicPlace.objects.filter(query=query).values("topic"))


def tree_of(query: Query) -> Tree:
    """The query's aspects as a tree; keys are the ids of the places."""
    return trees_of([query]).get(query.pk, ())


def trees_of(queries: Iterable[Query]) -> dict[int, Tree]:
    """{id of a query: its tree} of those that have aspects, in one statement."""
    places = TopicPlace.objects.filter(query__in=queries).order_by("position", "pk")
    rows = places.values_list("query_id", "parent_id", "pk", "topic__external_id")
    below: dict[tuple[int, int | None], list[tuple[int, str]]] = grouped(
        ((query, parent), (place, topic)) for query, parent, place, topic in rows
    )

    def branch(query: int, parent: int | None) -> Tree:
        return tuple(
            Aspect(place, topic, branch(query, place))
            for place, topic in below.get((query, parent), [])
        )

    return {query: branch(query, None) for query, parent in below if parent is None}


def place_in(query: Query, pk: int | None) -> TopicPlace:
    """A place of the query's tree as it is stored now. Raises Stale where there is none."""
    places = query.places.select_related("topic", "parent__topic")
    place = None if pk is None else places.filter(pk=pk).first()
    if place is None:
        raise Stale("This aspect was removed meanwhile. Nothing was changed.")
    return place


def next_topic_id(query: Query) -> str:
    """An external id that no topic of the collection has or ever had.

    The next integer where the ids are integers, as in DORIS-MAE; else `<query>-a<n>`.
    """
    return _next_id(query.collection, Topic, Verb.REMOVE_ASPECT, "aspect", f"{query.external_id}-a")


def next_query_id(collection: Collection) -> str:
    """An external id that no query of the collection has or ever had.

    The next integer where the ids are integers; else `q<n>`.
    """
    return _next_id(collection, Query, Verb.REMOVE_QUERY, "query", "q")


def _next_id(
    collection: Collection, model: type[Query] | type[Topic], verb: Verb, key: str, prefix: str
) -> str:
    """`verb` is that of the events that tell of removed rows, with their ids under `key`."""
    rows = model.including_inactive.filter(collection=collection)
    events = Event.objects.of_collection(collection).filter(
        subject_type=model._meta.label_lower, verb=verb
    )
    used_ids = set(rows.values_list("external_id", flat=True))
    used_ids |= {before[key] for before in events.values_list("before", flat=True) if before}
    if all(map(_is_integer, used_ids)):
        return str(max(map(int, used_ids), default=-1) + 1)
    number = 1
    while f"{prefix}{number}" in used_ids:
        number += 1
    return f"{prefix}{number}"


def _is_integer(text: str) -> bool:
    return text.isascii() and text.isdecimal() and str(int(text)) == text


def add_missing_pairs(query: Query) -> int:
    """Create the pairs of the query's topics and pool that are not there; returns how many.

    They wait for a batch. A locked topic takes none: its gold is final.
    """
    topics = list(topics_of(query))
    documents = list(
        query.candidates.filter(document__isnull=False).values_list("document", flat=True)
    )
    rows = Pair.including_inactive.filter(topic__in=topics)
    existing = set(rows.filter(document__in=documents).values_list("topic", "document"))
    next_of = next_positions(rows, by="topic")
    missing = []
    for topic in topics:
        new = [document for document in documents if (topic.pk, document) not in existing]
        if new and topic.is_locked:
            raise Locked(f"Topic {topic.external_id} is locked. Unlock it first.")
        first = next_of.get(topic.pk, 0)
        missing += [
            Pair(topic=topic, document_id=document, position=first + index)
            for index, document in enumerate(new)
        ]
    Pair.objects.bulk_create(missing, batch_size=500)
    return len(missing)


def drop_stray_pairs(pairs: QuerySet[Pair]) -> int:
    """Delete those of `pairs` that no query asks for any more; returns how many.

    Call it after the place or the candidate is gone. Refused where a batch holds one of them, or
    a machine scored it.
    """
    candidates = Candidate.objects.filter(
        document=OuterRef("document"), query__places__topic=OuterRef("topic")
    )
    stray = pairs.filter(~Exists(candidates))
    pair = stray.filter(batch__isnull=False).select_related("batch").first()
    if pair:
        raise Fixed(f"Pairs of it are handed out in batch {pair.batch}, so it stays.")
    if stray.filter(machine_scores__isnull=False).exists():
        raise Fixed("A machine has scored pairs of it, so it stays.")
    ids = list(stray.values_list("pk", flat=True))
    for chunk in in_chunks(ids, 500):
        Pair.objects.filter(pk__in=chunk).delete()
    return len(ids)
