"""Querysets of the pairs that wait for an adjudicator."""

from collections import Counter
from decimal import Decimal

from django.db.models import Case, Count, Exists, F, Max, Min, OuterRef, Q, QuerySet, When
from django.db.models.expressions import OrderBy

from adjudication.models import AuditedPair, Decision
from annotation.models import Pair, Rating, Scheme
from annotation.querysets import PairQuerySet
from datasets.models import Membership, Topic


def topic_pairs(*, member: Membership, topic: Topic) -> PairQuerySet:
    """A topic's pairs that an adjudicator may open: its disputes, and their own decisions.

    Largest difference of the values first; a "cannot judge" has none, and pairs with only one value
    or none come after the rest. Ties keep the order of the pool. All keep the order of the pool
    where the scheme hides the ratings, which the order would reveal, and where grades have no
    order. The order does not change as pairs are decided. Annotated with `lowest`, `highest` and
    `difference` of the values, `rating_count` and `cannot_judge_count`.
    """
    return (
        _with_values(readable_by(member).filter(topic=topic))
        .annotate(
            rating_count=Count("ratings"),
            cannot_judge_count=Count("ratings", filter=Q(ratings__option=None)),
        )
        .order_by(*_widest_first(topic.collection.scheme), "position", "pk")
    )


def _with_values(pairs: PairQuerySet) -> PairQuerySet:
    return pairs.annotate(
        lowest=Min("ratings__option__value"),
        highest=Max("ratings__option__value"),
        difference=F("highest") - F("lowest"),
    )


def _widest_first(scheme: Scheme) -> list[OrderBy]:
    """The order of a topic's pairs, under any facet; none where it would show hidden ratings."""
    ordinal = [scale.facet for scale in scheme.all_scales if scale.is_ordinal]
    if scheme.hides_ratings or not ordinal:
        return []
    difference: F | Case = F("difference")
    if not scheme.shares_a_scale:
        difference = Case(When(topic__facet__in=ordinal, then=difference))
    return [difference.desc(nulls_last=True)]


def queue_pairs(*, member: Membership) -> PairQuerySet:
    """The disputed pairs that this adjudicator may decide, topic by topic, and in each in the order
    of `topic_pairs`."""
    return (
        _with_values(_waiting_for(member))
        .select_related("topic")
        .order_by(
            *("topic__position", "topic_id"),
            *_widest_first(member.collection.scheme),
            *("position", "pk"),
        )
    )


def dispute_counts(*, member: Membership) -> dict[int, int]:
    """{topic: its disputes for this adjudicator}, of topics with any."""
    counts = _waiting_for(member).order_by().values_list("topic").annotate(Count("pk"))
    return dict(counts)


def _waiting_for(member: Membership) -> PairQuerySet:
    return decidable_by(member).disputed().filter(topic__collection=member.collection_id)


def queue_topics(*, member: Membership) -> list[Topic]:
    """Topics of the member's collection with disputes for them, in the order of the collection.

    Each carries `disputed_count`, and `widest`: lowest and highest value of the disputed pair
    whose values lie furthest apart, None where no pair has two values.
    """
    spreads = (
        _waiting_for(member)
        .order_by()
        .annotate(lowest=Min("ratings__option__value"), highest=Max("ratings__option__value"))
        .values_list("topic", "lowest", "highest")
    )
    counts: Counter[int] = Counter()
    widest: dict[int, tuple[Decimal, Decimal]] = {}
    for topic_id, lowest, highest in spreads:
        counts[topic_id] += 1
        if lowest is not None:
            furthest = widest.get(topic_id, (lowest, highest))
            widest[topic_id] = max(furthest, (lowest, highest), key=lambda ends: ends[1] - ends[0])
    topics = list(_topics().filter(pk__in=counts))
    for topic in topics:
        topic.collection = member.collection  # with its scheme, which is then read once for all
        topic.disputed_count = counts[topic.pk]  # type: ignore[attr-defined]
        topic.widest = widest.get(topic.pk)  # type: ignore[attr-defined]
    return topics


def decided_topics(*, member: Membership) -> list[Topic]:
    """Topics in which decisions of this adjudicator stand; each carries `decided_count`."""
    counts = dict(
        readable_by(member)
        .filter(topic__collection=member.collection_id)
        .filter(~Q(state=Pair.State.DISPUTED))
        .order_by()
        .values_list("topic")
        .annotate(Count("pk"))
    )
    topics = list(_topics().filter(pk__in=counts))
    for topic in topics:
        topic.decided_count = counts[topic.pk]  # type: ignore[attr-defined]
    return topics


def _topics() -> QuerySet[Topic]:
    return (
        Topic.objects.select_related("hold__adjudicator")
        .prefetch_related("places__query__document")
        .order_by("position", "id")
    )


def readable_by(member: Membership) -> PairQuerySet:
    """Disputed pairs and those whose standing decision is the member's; every seat handed in."""
    own_decisions = Decision.objects.filter(
        pair=OuterRef("pk"), superseded_at=None, adjudicator=member
    )
    return _in_the_queue_of(member).filter(Q(state=Pair.State.DISPUTED) | Exists(own_decisions))


def contested(member: Membership) -> PairQuerySet:
    """Pairs that this adjudicator may send a decision about. Pairs that another one has decided
    meanwhile are among them, so that the answer can say so."""
    decided = [Pair.State.DISPUTED, Pair.State.ADJUDICATED, Pair.State.EXCLUDED]
    return _in_the_queue_of(member).filter(state__in=decided)


def decidable_by(member: Membership) -> PairQuerySet:
    """Pairs whose every seat is handed in and that this member did not rate, of open topics."""
    return _in_the_queue_of(member).filter(topic__locked_at=None)


def of_audits() -> QuerySet[AuditedPair]:
    """Entries of audits that keep their pair out of the queue, for everybody.

    Those of an open audit, decided or not, and later those whose decision still stands. A control
    in the queue would show its ratings there. It would also tell whoever works through the audit
    that this pair is disputed and the others are not.
    """
    stands = Q(decision__isnull=False, decision__superseded_at=None)
    return AuditedPair.objects.filter(Q(is_open=True) | stands)


def handed_in_and_not_rated_by(member: Membership) -> PairQuerySet:
    """Pairs whose every seat is handed in and that this member did not rate."""
    rated = Rating.objects.filter(pair=OuterRef("pk"), annotator=member)
    return Pair.objects.handed_in().filter(~Exists(rated))


def _in_the_queue_of(member: Membership) -> PairQuerySet:
    audited = of_audits().filter(pair=OuterRef("pk"))
    return handed_in_and_not_rated_by(member).filter(~Exists(audited))
