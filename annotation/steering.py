"""Limits on the scores that a lead may see, since looking at scores may steer the ratings."""

from dataclasses import dataclass

from django.db.models import Exists, OuterRef, QuerySet

from accounts.models import User
from annotation.models import Batch, Pair, Seat
from datasets.models import Collection, Topic

SCORES_CLOSED = "Scores stay closed until every topic is locked."


@dataclass(frozen=True)
class Steering:
    """`topics` are those whose judgments the lead may see. `left_out` names the batches that they
    still rate in themselves, whose topics are missing from `topics`. `open_seats` counts what is
    not handed in. `is_closed` is the collection's setting at work: no score is shown.
    """

    topics: QuerySet[Topic]
    left_out: list[str]
    open_seats: int
    is_closed: bool


def steering(collection: Collection, user: User) -> Steering:
    """The extent to which this lead may see scores of a collection, and what is held back."""
    using = collection._state.db
    batches = Batch.objects.using(using).filter(collection=collection)
    topics = Topic.objects.using(using).filter(collection=collection)
    blind = batches.blind_to(user)
    hidden = Pair.objects.using(using).filter(topic=OuterRef("pk"), batch__in=blind.values("pk"))
    return Steering(
        topics=topics.filter(~Exists(hidden)),
        left_out=list(blind.values_list("name", flat=True)),
        open_seats=Seat.objects.using(using).open().filter(batch__in=batches.values("pk")).count(),
        is_closed=collection.scores_wait_for_locking and topics.filter(locked_at=None).exists(),
    )
