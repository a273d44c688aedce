"""Changes that are refused: a batch's pairs and their display are fixed once a seat was held.

From then on texts are handed out ahead of need, and the order of a seat is kept in memory
(`annotation/workbench/cache.py`). So their documents, their topics, and the queries with the place
of each topic in them stay as they are. A collection may grow: what is added, and what waits for a
batch, is free.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from django.db.models import Exists, Min, OuterRef, Q, QuerySet

from annotation.models import Batch, MachineScore, Pair, Tenure
from annotation.reading.aspects import in_reading_order
from audit.refusals import Locked
from datasets.models import Collection, Query, Topic, TopicPlace
from datasets.tree import mark_of
from formats.grouping import grouped


class Fixed(Locked):
    """Nothing that is handed out, rated or locked changes any more."""


def lock_batches(collection: Collection) -> None:
    """Let nobody be given a seat until the transaction ends: what is not fixed now stays free."""
    rows = Batch.including_inactive.filter(collection=collection).order_by("pk")
    list(rows.select_for_update(no_key=True).values_list("pk", flat=True))


def is_held(batch: str) -> str:
    return f"Somebody holds or held a seat of batch {batch}."


def fixed_topics(topics: QuerySet[Topic]) -> dict[str, str]:
    """Why the text, the sentences and the places of these topics are fixed, by external id: a
    sentence, where they are.

    Somebody holds or held a seat of one of its batches, a lead locked it, or a machine rated a
    pair of it.
    """
    batch_of_topic = held_batches(Q(pairs__topic__in=topics), "pairs__topic__external_id")
    fixed = {topic: is_held(batch) for topic, batch in batch_of_topic.items()}
    scores = MachineScore.objects.filter(pair__topic=OuterRef("pk"))
    for external_id, locked_at in topics.filter(
        Q(locked_at__isnull=False) | Exists(scores)
    ).values_list("external_id", "locked_at"):
        because = "The topic is locked." if locked_at else "A machine has rated pairs of it."
        fixed.setdefault(external_id, because)
    return fixed


def held_batches(pairs: Q, by: str) -> dict[str, str]:
    """{key: name of a held batch with pairs of it}; somebody holds or held a seat of such a batch.
    `pairs` is a condition on batches, and `by` the path from a batch to the key."""
    batches = Batch.objects.filter(pairs, Exists(Tenure.objects.filter(batch=OuterRef("pk"))))
    return dict(batches.order_by().values_list(by).annotate(first=Min("name")))


def held_topics(collection: Collection) -> dict[str, str]:
    """{topic: batch} of the collection's topics of which pairs are in a held batch."""
    return held_batches(Q(collection=collection), "pairs__topic__external_id")


def held_documents(collection: Collection, external_ids: Iterable[str]) -> dict[str, str]:
    """{document: batch} for those of the documents whose text is fixed. Such a document is in a
    pair of the batch, or is the query paper of one."""
    in_collection = Q(collection=collection)
    as_candidate, as_query = "pairs__document", "pairs__topic__places__query__document"
    ids = list(external_ids)
    batch_of_document = held_batches(
        in_collection & Q(**{f"{as_query}__external_id__in": ids}), f"{as_query}__external_id"
    )
    return batch_of_document | held_batches(
        in_collection & Q(**{f"{as_candidate}__external_id__in": ids}),
        f"{as_candidate}__external_id",
    )


@contextmanager
def shown_as_before(topics: Iterable[int]) -> Iterator[None]:
    """At the end of the block, refuse a change that shows a pair of a held batch with another
    query, or its topic at another place in the query's tree. `topics` are the keys of those that
    may be concerned."""
    ids = set(topics)
    before = _Shown.of(ids)
    yield
    after = _Shown.of(ids)
    for pair, topic, batch in before.pairs:
        was, now = before.query_of(pair, topic), after.query_of(pair, topic)
        if was != now or before.marks[topic][was] != after.marks[topic][now]:
            raise Fixed(
                f"{is_held(batch)} The display of its pairs is fixed, and this would change it."
            )


@dataclass(frozen=True)
class _Shown:
    """With which query the pairs of held batches are shown, and where their topics stand in it."""

    pairs: list[tuple[int, int, str]]  # with topic and the name of the batch
    marks: dict[int, dict[int, list[str]]]  # {topic: {query: marks of its places}}
    chosen: dict[int, int]  # {pair: query}, where the topic stands in several

    @classmethod
    def of(cls, topics: set[int]) -> "_Shown":
        held_pairs = Pair.objects.filter(
            Exists(Tenure.objects.filter(batch=OuterRef("batch"))), topic__in=topics
        )
        pairs = list(held_pairs.order_by("pk").values_list("pk", "topic", "batch__name"))
        marks = _marks({topic for _, topic, _ in pairs})
        several = [topic for topic, queries in marks.items() if len(queries) > 1]
        of_topics = Pair.objects.with_query().filter(
            pk__in=held_pairs.values("pk"), topic__in=several
        )
        return cls(pairs, marks, dict(of_topics.order_by().values_list("pk", "query_id")))

    def query_of(self, pair: int, topic: int) -> int:
        return self.chosen.get(pair) or next(iter(self.marks[topic]))


def _marks(topics: set[int]) -> dict[int, dict[int, list[str]]]:
    queries = Query.objects.filter(places__topic__in=topics)
    places = TopicPlace.objects.filter(query__in=queries.values("pk"))
    trees = grouped((place.query_id, place) for place in places)
    marks: dict[int, dict[int, list[str]]] = defaultdict(dict)
    for query, tree in trees.items():
        for place, numbers in in_reading_order(tree):
            if place.topic_id in topics:
                marks[place.topic_id].setdefault(query, []).append(mark_of(numbers))
    return marks
