"""Handing pairs out in batches, raising their overlap, locking topics."""

from collections.abc import Iterable, Sequence

from django.db.models import Exists, OuterRef
from django.db.models.functions import Now

from accounts.models import User
from annotation.assigning.actions.assign import refuse_if_locked, settle_batch
from annotation.models import Batch, Pair, Seat
from audit.actions import event, record, record_all
from audit.models import Event
from audit.refusals import Invalid, Refused
from audit.transactions import locked, one_transaction
from audit.verbs import Verb
from datasets.models import Collection, Topic
from datasets.positions import next_position
from formats.grouping import grouped, in_chunks
from formats.records import MAX_OVERLAP

# SQLite takes no more parameters in one statement than it was built for.
ROWS_AT_ONCE = 500


@one_transaction
def make_batches(
    *, collection: Collection, by: User, topics: Iterable[Topic] | None = None
) -> list[Batch]:
    """One batch per topic from the pairs that no batch holds yet; returns the new batches.

    `topics` limits it to some topics. A topic that got new candidates after its first batch gets
    another batch for them.
    """
    # One at a time, as samples are drawn: two would find the same pairs waiting.
    locked(collection)
    waiting = Pair.objects.waiting().filter(topic__collection=collection)
    if topics is not None:
        waiting = waiting.filter(topic__in=topics)
    rows = waiting.order_by("topic__position", "topic_id")
    by_topic = grouped(rows.values_list("topic__external_id", "pk"))
    overlap = collection.scheme.overlap
    drawn = [(Batch(name=topic, overlap=overlap), pairs) for topic, pairs in by_topic.items()]
    return hand_out(drawn, collection=collection, by=by)


def hand_out(
    drawn: Sequence[tuple[Batch, Sequence[int]]], *, collection: Collection, by: User | None
) -> list[Batch]:
    """Save new batches with their seats and put waiting pairs into each; returns the batches.

    A batch comes with its name, which gets a number where another is called so, its overlap, and
    its way. Part of a transaction that read the pairs as waiting. It fails when another batch took
    one of them meanwhile: a batch holds all the pairs that were drawn for it.
    """
    names = batch_names(collection)
    for position, (batch, _) in enumerate(drawn, start=next_position(collection.batches)):
        batch.collection, batch.created_by, batch.position = collection, by, position
        batch.name = free_name(batch.name, names)
        names.add(batch.name)
    batches = Batch.objects.bulk_create(batch for batch, _ in drawn)
    Seat.objects.bulk_create(seat for batch in batches for seat in _seats(batch))
    for batch, pair_ids in drawn:
        _put(pair_ids, batch)
    record_all([_made(batch, len(pair_ids)) for batch, pair_ids in drawn])
    return batches


def _seats(batch: Batch, *, after: int = 0) -> list[Seat]:
    return [Seat(batch=batch, ordinal=ordinal) for ordinal in range(after + 1, batch.overlap + 1)]


def _put(pair_ids: Sequence[int], batch: Batch) -> None:
    pair_count = 0
    for chunk in in_chunks(pair_ids, ROWS_AT_ONCE):
        waiting = Pair.objects.filter(pk__in=chunk, batch=None)
        pair_count += Pair.including_inactive.filter(
            pk__in=waiting.values("pk"), batch=None
        ).update(batch=batch)
    if pair_count != len(pair_ids):
        raise Refused("Other batches were made meanwhile. Nothing was changed; try again.")


def _made(batch: Batch, pair_count: int) -> Event:
    return event(
        Verb.MAKE_BATCH,
        batch,
        by=batch.created_by,
        after={"name": batch.name, "overlap": batch.overlap, "pairs": pair_count, "way": batch.way}
        | ({"drawn": batch.drawn} if batch.drawn else {}),
    )


@one_transaction
def set_way(*, batch: Batch, way: str, by: User) -> Batch:
    """Change in which order the pairs of a batch are worked through; no rating is touched."""
    batch = locked(batch)
    if way not in Batch.Way:
        raise Invalid("Choose one of the two ways to work.")
    before = batch.way
    if way != before:
        batch.way = way
        batch.save(update_fields=["way"])
        record(Verb.SET_WAY, batch, by=by, before={"way": before}, after={"way": way})
    return batch


@one_transaction
def raise_overlap(*, batch: Batch, overlap: int, by: User, reason: str) -> Batch:
    """Add seats to a batch; its pairs wait for them, and no rating is touched."""
    batch = locked(batch)
    refuse_if_locked(batch)
    if not batch.overlap < overlap <= MAX_OVERLAP:
        raise Invalid(
            f"The overlap can only rise, from {batch.overlap} to at most {MAX_OVERLAP} annotators."
        )
    if not reason.strip():
        raise Invalid("Say why the pairs need more annotators.")
    add_seats([(batch, overlap)], by=by, reason=reason)
    settle_batch(batch)
    return batch


def add_seats(overlaps: Iterable[tuple[Batch, int]], *, by: User | None, reason: str) -> None:
    """Raise the overlap of locked batches; the caller settles their pairs."""
    batches, seats, events = [], [], []
    for batch, overlap in overlaps:
        before, batch.overlap = batch.overlap, overlap
        batches.append(batch)
        seats += _seats(batch, after=before)
        overlap_raised = {"before": {"overlap": before}, "after": {"overlap": overlap}}
        events.append(event(Verb.RAISE_OVERLAP, batch, by=by, reason=reason, **overlap_raised))
    Batch.objects.bulk_update(batches, ["overlap"], batch_size=ROWS_AT_ONCE)
    Seat.objects.bulk_create(seats)
    record_all(events)


@one_transaction
def lock_topic(*, topic: Topic, by: User) -> Topic:
    """End all changes to a topic: its gold is final. Every pair must have gold first."""
    topic = locked(topic)
    if topic.is_locked:
        return topic
    if Batch.objects.unfinished().filter(pairs__topic=topic).exists():
        raise Refused("A seat of this topic is not handed in. Lock the topic when all are.")
    missing = topic.pairs.without_gold().count()
    if missing:
        pairs = "pair has" if missing == 1 else "pairs have"
        raise Refused(f"{missing:,} {pairs} no gold yet. Lock the topic when all have.")
    [topic] = _lock([topic], by)
    return topic


@one_transaction
def lock_done_topics(*, collection: Collection, by: User) -> list[Topic]:
    """Lock every topic of which all pairs have gold and all seats are handed in; return them."""
    pairs = Pair.objects.filter(topic=OuterRef("pk"))
    unfinished = Batch.objects.unfinished().filter(pairs__topic=OuterRef("pk"))
    done = Topic.objects.filter(
        Exists(pairs),
        ~Exists(pairs.without_gold()),
        ~Exists(unfinished),
        collection=collection,
        locked_at=None,
    )
    done = done.select_related("collection").order_by("pk")
    held = set(done.select_for_update(no_key=True, of=("self",)).values_list("pk", flat=True))
    # Read again under their locks: a seat may have been returned meanwhile. What was done only
    # since is not held, and left for the next time.
    return _lock([topic for topic in done if topic.pk in held], by)


def _lock(topics: Sequence[Topic], by: User) -> list[Topic]:
    """Lock topics that are done; returns them as they are now."""
    rows = Topic.objects.filter(pk__in=[topic.pk for topic in topics])
    rows.update(locked_at=Now(), locked_by=by)
    record_all([event(Verb.LOCK_TOPIC, topic, by=by) for topic in topics])
    return list(rows.order_by("pk"))


@one_transaction
def unlock_topic(*, topic: Topic, by: User, reason: str) -> Topic:
    """Allow changes again, with a reason."""
    _check_reason(reason)
    topic = locked(topic)
    if topic.is_locked:
        [topic] = _unlock([topic], by, reason)
    return topic


@one_transaction
def unlock_topics(*, collection: Collection, by: User, reason: str) -> list[Topic]:
    """Allow changes to every locked topic of a collection again, with a reason; return them."""
    _check_reason(reason)
    final = collection.topics.filter(locked_at__isnull=False).order_by("pk")
    topics = list(final.select_for_update(no_key=True, of=("self",)))
    if not topics:
        raise Refused("No topic is locked.")
    return _unlock(topics, by, reason)


def _check_reason(reason: str) -> None:
    if not reason.strip():
        raise Invalid("Say why the topic is unlocked.")


def _unlock(topics: Sequence[Topic], by: User, reason: str) -> list[Topic]:
    """Unlock these topics; returns them as they are now."""
    rows = Topic.objects.filter(pk__in=[topic.pk for topic in topics])
    rows.update(locked_at=None, locked_by=None)
    record_all([event(Verb.UNLOCK_TOPIC, topic, by=by, reason=reason) for topic in topics])
    return list(rows.order_by("pk"))


def batch_names(collection: Collection) -> set[str]:
    """The names of its batches, also of those that an import is still writing."""
    batches = Batch.including_inactive.filter(collection=collection)
    return set(batches.values_list("name", flat=True))


def free_name(stem: str, used_names: set[str]) -> str:
    """`stem`, or with a number where a batch of the collection is called so."""
    name, number = stem, 2
    while name in used_names:
        name, number = f"{stem} ({number})", number + 1
    return name
