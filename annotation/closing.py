"""When a collection is closed: its leads have locked all of it, and nothing can change any more."""

from django.db.models import Exists, OuterRef, Q, QuerySet

from annotation.models import Batch, Pair
from datasets.models import Collection, Topic


def closed_collections() -> QuerySet:
    """Every topic with pairs is locked, every pair has gold, and no seat is open.

    A topic is only locked when its seats are handed in and its pairs have gold, and while it is, no
    seat is returned, no decision changes and no pair is added. Pairs that imports of an earlier
    version brought into a locked topic, and that wait for a batch, open the collection again.
    """
    of_collection = Pair.objects.filter(topic__collection=OuterRef("pk"))
    unlocked = Topic.objects.filter(collection=OuterRef("pk"), locked_at=None)
    of_topic = Pair.objects.filter(topic=OuterRef("pk"))
    of_batch = Pair.objects.filter(batch=OuterRef("pk"))
    unfinished = Batch.objects.unfinished().filter(collection=OuterRef("pk"))
    return Collection.objects.filter(
        Exists(of_collection),
        ~Exists(unlocked.filter(Exists(of_topic))),
        ~Exists(unfinished.filter(Exists(of_batch))),
        ~Exists(of_collection.filter(Q(gold_origin="") | Q(batch=None))),
    )


def is_closed(collection: Collection) -> bool:
    return closed_collections().filter(pk=collection.pk).exists()
