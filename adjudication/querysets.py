"""What waits for an adjudicator, and what no adjudicator may decide."""

from django.db.models import Count, Exists, F, Max, Min, OuterRef

from annotation.models import Pair, Rating
from datasets.models import Membership, Topic


def queue_pairs(*, member, topic):
    """The disputed pairs of a topic that this adjudicator may decide, largest difference first.

    Annotated with `difference` of the values; a "cannot judge" has none, and pairs with only one
    value or none come after the rest. Ties keep the order of the pool.
    """
    return (
        decidable_by(member)
        .filter(topic=topic)
        .disputed()
        .annotate(
            difference=Max("ratings__option__value") - Min("ratings__option__value"),
        )
        .order_by(F("difference").desc(nulls_last=True), "position", "pk")
    )


def decided_pairs(*, member, topic):
    """Pairs of a topic whose standing decision is this adjudicator's own, last decided first."""
    return (
        Pair.objects.filter(
            topic=topic, decisions__adjudicator=member, decisions__superseded_at=None
        )
        .annotate(decided_at=F("decisions__decided_at"))
        .order_by("-decisions__id")
    )


def queue_topics(*, member):
    """Topics of the member's collection with disputes for them, in the order of the collection.

    Each carries `disputed_count`.
    """
    disputed = decidable_by(member).disputed().filter(topic__collection=member.collection_id)
    counts = {
        row["topic"]: row
        for row in disputed.order_by()
        .values("topic")
        .annotate(disputed_count=Count("pk"))
        .values("topic", "disputed_count")
    }
    topics = list(
        Topic.objects.filter(pk__in=counts)
        .select_related("hold__adjudicator")
        .order_by("position", "id")
    )
    for topic in topics:
        topic.disputed_count = counts[topic.pk]["disputed_count"]
    return topics


def decidable_by(member):
    """Pairs whose every seat is handed in and that this member did not rate."""
    rated = Rating.objects.filter(pair=OuterRef("pk"), annotator=member)
    return Pair.objects.handed_in().filter(~Exists(rated), topic__locked_at=None)


def undecidable_pairs(collection):
    """Disputed pairs in the queue that every current adjudicator has rated: nobody may decide."""
    adjudicators = Membership.objects.current().filter(collection=collection, is_adjudicator=True)
    may_decide = adjudicators.filter(
        ~Exists(Rating.objects.filter(pair=OuterRef(OuterRef("pk")), annotator=OuterRef("pk")))
    )
    return (
        Pair.objects.handed_in()
        .disputed()
        .filter(~Exists(may_decide), topic__collection=collection)
        .select_related("topic", "document")
        .order_by("topic__position", "position")
    )
