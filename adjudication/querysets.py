"""What waits for an adjudicator, and what no adjudicator may decide."""

from django.db.models import Count, Exists, F, Max, Min, OuterRef, Q

from adjudication.models import Decision
from annotation.models import Pair, Rating
from datasets.models import Membership, Topic


def topic_pairs(*, member, topic):
    """What an adjudicator may open of a topic: its disputes, and the pairs they decided.

    Largest difference of the values first; a "cannot judge" has none, and pairs with only one
    value or none come after the rest. Ties keep the order of the pool. Where the scheme hides the
    ratings all keep the order of the pool, since the order would tell. The order does not change
    as pairs are decided. Annotated with `difference` and `cannot_judge_count`.
    """
    by_difference = [F("difference").desc(nulls_last=True)]
    if topic.collection.scheme.hides_ratings:
        by_difference = []
    return (
        _readable_by(member)
        .filter(topic=topic)
        .annotate(
            difference=Max("ratings__option__value") - Min("ratings__option__value"),
            cannot_judge_count=Count("ratings", filter=Q(ratings__option=None)),
        )
        .order_by(*by_difference, "position", "pk")
    )


def queue_pairs(*, member, topic):
    """The disputed pairs of a topic that this adjudicator may decide, in their order."""
    return topic_pairs(member=member, topic=topic).disputed().filter(topic__locked_at=None)


def queue_topics(*, member):
    """Topics of the member's collection with disputes for them, in the order of the collection.

    Each carries `disputed_count`, and `widest`: the largest difference of its disputed pairs,
    None where no pair has two values.
    """
    disputed = decidable_by(member).disputed().filter(topic__collection=member.collection_id)
    counts = {
        row["topic"]: row["count"]
        for row in disputed.order_by().values("topic").annotate(count=Count("pk"))
    }
    spreads = (
        disputed.order_by()
        .annotate(difference=Max("ratings__option__value") - Min("ratings__option__value"))
        .values_list("topic", "difference")
    )
    widest = {}
    for topic_id, difference in spreads:
        if difference is not None:
            widest[topic_id] = max(difference, widest.get(topic_id, difference))
    topics = list(_topics().filter(pk__in=counts))
    for topic in topics:
        topic.disputed_count = counts[topic.pk]
        topic.widest = widest.get(topic.pk)
    return topics


def decided_topics(*, member):
    """Topics in which decisions of this adjudicator stand; each carries `decided_count`."""
    counts = dict(
        _readable_by(member)
        .filter(topic__collection=member.collection_id)
        .filter(~Q(state=Pair.State.DISPUTED))
        .order_by()
        .values_list("topic")
        .annotate(Count("pk"))
    )
    topics = list(_topics().filter(pk__in=counts))
    for topic in topics:
        topic.decided_count = counts[topic.pk]
    return topics


def _topics():
    return (
        Topic.objects.select_related("hold__adjudicator")
        .prefetch_related("places__query__document")
        .order_by("position", "id")
    )


def _readable_by(member):
    """Disputed pairs and those whose standing decision is the member's; every seat handed in."""
    own = Decision.objects.filter(pair=OuterRef("pk"), superseded_at=None, adjudicator=member)
    return _not_rated_by(member).filter(Q(state=Pair.State.DISPUTED) | Exists(own))


def decidable_by(member):
    """Pairs whose every seat is handed in and that this member did not rate."""
    return _not_rated_by(member).filter(topic__locked_at=None)


def _not_rated_by(member):
    rated = Rating.objects.filter(pair=OuterRef("pk"), annotator=member)
    return Pair.objects.handed_in().filter(~Exists(rated))


def undecidable_pairs(collection):
    """Disputed pairs in the queue that every current adjudicator has rated: nobody may decide.

    An adjudicator who cannot sign in, imported or deactivated, decides nothing.
    """
    adjudicators = Membership.objects.current().filter(
        collection=collection, is_adjudicator=True, user__is_active=True
    )
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
