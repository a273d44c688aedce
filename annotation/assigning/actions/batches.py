"""Handing pairs out in batches, raising their overlap, locking topics."""

from collections.abc import Iterable, Sequence

from django.db.models import Exists, OuterRef
from django.db.models.functions import Now

from accounts.models import User
from annotation.assigning.actions.assign import refuse_if_locked, settle_batch
from annotation.models import Batch, Pair, Seat
from audit.actions import record
from audit.refusals import Invalid, Refused
from audit.transactions import one_transaction
from datasets.models import Collection, Topic
from datasets.positions import next_position

MAX_OVERLAP = 9
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
    Collection.objects.select_for_update(no_key=True).get(pk=collection.pk)
    waiting = Pair.objects.waiting().filter(topic__collection=collection)
    if topics is not None:
        waiting = waiting.filter(topic__in=topics)
    by_topic: dict[Topic, list[int]] = {}
    for pair in waiting.select_related("topic").order_by("topic__position", "topic_id"):
        by_topic.setdefault(pair.topic, []).append(pair.pk)
    names = set(collection.batches.values_list("name", flat=True))
    first = next_position(collection.batches)
    batches = []
    for position, (topic, pair_ids) in enumerate(by_topic.items(), start=first):
        batch = Batch(
            collection=collection,
            name=free_name(topic.external_id, names),
            overlap=collection.scheme.overlap,
            position=position,
            created_by=by,
        )
        names.add(batch.name)
        batches.append(hand_out(batch, pair_ids))
    return batches


def hand_out(batch: Batch, pair_ids: Sequence[int]) -> Batch:
    """Save a new batch with its seats and put waiting pairs into it; returns the batch.

    Part of a transaction that read the pairs as waiting. It fails when another batch took one of
    them meanwhile: a batch holds all the pairs that were drawn for it.
    """
    batch.save(force_insert=True)
    add_seats(batch)
    pair_count = 0
    for start in range(0, len(pair_ids), ROWS_AT_ONCE):
        waiting = Pair.objects.filter(pk__in=pair_ids[start : start + ROWS_AT_ONCE], batch=None)
        pair_count += Pair.including_inactive.filter(pk__in=waiting.values("pk")).update(
            batch=batch
        )
    if pair_count != len(pair_ids):
        raise Refused("Other batches were made meanwhile. Nothing was changed; try again.")
    record(
        verb="make batch",
        subject=batch,
        by=batch.created_by,
        collection=batch.collection,
        after={
            "name": batch.name,
            "overlap": batch.overlap,
            "pairs": len(pair_ids),
            "way": batch.way,
        }
        | ({"drawn": batch.drawn} if batch.drawn else {}),
    )
    return batch


@one_transaction
def set_way(*, batch: Batch, way: str, by: User) -> Batch:
    """Change in which order the pairs of a batch are worked through; no rating is touched."""
    batch = Batch.objects.select_for_update(no_key=True, of=("self",)).get(pk=batch.pk)
    if way not in Batch.Way:
        raise Invalid("Choose one of the two ways to work.")
    before = batch.way
    if way != before:
        batch.way = way
        batch.save(update_fields=["way"])
        record(
            verb="set way",
            subject=batch,
            by=by,
            collection=batch.collection,
            before={"way": before},
            after={"way": way},
        )
    return batch


@one_transaction
def raise_overlap(*, batch: Batch, overlap: int, by: User, reason: str) -> Batch:
    """Add seats to a batch; its pairs wait for them, and no rating is touched."""
    batch = Batch.objects.select_for_update(no_key=True, of=("self",)).get(pk=batch.pk)
    refuse_if_locked(batch)
    if not batch.overlap < overlap <= MAX_OVERLAP:
        raise Invalid(
            f"The overlap can only rise, from {batch.overlap} to at most {MAX_OVERLAP} annotators."
        )
    if not reason.strip():
        raise Invalid("Say why the pairs need more annotators.")
    before = batch.overlap
    batch.overlap = overlap
    batch.save(update_fields=["overlap"])
    add_seats(batch)
    settle_batch(batch)
    record(
        verb="raise overlap",
        subject=batch,
        by=by,
        collection=batch.collection,
        before={"overlap": before},
        after={"overlap": overlap},
        reason=reason,
    )
    return batch


def add_seats(batch: Batch) -> list[Seat]:
    """Create the seats that the overlap asks for and that are not there yet."""
    existing = set(batch.seats.values_list("ordinal", flat=True))
    missing = [n for n in range(1, batch.overlap + 1) if n not in existing]
    return Seat.objects.bulk_create(Seat(batch=batch, ordinal=ordinal) for ordinal in missing)


@one_transaction
def lock_topic(*, topic: Topic, by: User) -> Topic:
    """End all changes to a topic: its gold is final. Every pair must have gold first."""
    topic = Topic.objects.select_for_update(no_key=True, of=("self",)).get(pk=topic.pk)
    if topic.is_locked:
        return topic
    if Batch.objects.unfinished().filter(pairs__topic=topic).exists():
        raise Refused("A seat of this topic is not handed in. Lock the topic when all are.")
    missing = topic.pairs.without_gold().count()
    if missing:
        pairs = "pair has" if missing == 1 else "pairs have"
        raise Refused(f"{missing:,} {pairs} no gold yet. Lock the topic when all have.")
    Topic.objects.filter(pk=topic.pk).update(locked_at=Now(), locked_by=by)
    topic.refresh_from_db(fields=["locked_at", "locked_by"])
    record(verb="lock topic", subject=topic, by=by, collection=topic.collection)
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
    return [lock_topic(topic=topic, by=by) for topic in done.order_by("pk")]


@one_transaction
def unlock_topic(*, topic: Topic, by: User, reason: str) -> Topic:
    """Allow changes again, with a reason."""
    topic = Topic.objects.select_for_update(no_key=True, of=("self",)).get(pk=topic.pk)
    if not reason.strip():
        raise Invalid("Say why the topic is unlocked.")
    if not topic.is_locked:
        return topic
    topic.locked_at = topic.locked_by = None
    topic.save(update_fields=["locked_at", "locked_by"])
    record(verb="unlock topic", subject=topic, by=by, collection=topic.collection, reason=reason)
    return topic


def free_name(stem: str, taken: set[str]) -> str:
    """`stem`, or with a number where a batch of the collection is called so."""
    name, number = stem, 2
    while name in taken:
        name, number = f"{stem} ({number})", number + 1
    return name
