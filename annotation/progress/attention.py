"""Pairs that want the lead's attention."""

from collections import Counter

from django.db.models import Count, Exists, OuterRef, Q

from annotation.models import Pair, Rating
from datasets.models import Membership
from formats.grouping import in_chunks

COLLECTIONS_AT_ONCE = 100  # SQLite refuses a statement of more than 500 parts


def flagged_pairs(*, collection, user):
    """Pairs that somebody flagged, agreed ones too; not those of batches the lead is blind to."""
    # From the flags to the pairs: few ratings are flagged, and they have an index of their own.
    flagged = Rating.objects.filter(is_flagged=True, seat__batch__collection=collection)
    return (
        Pair.objects.visible_to_lead(user)
        .filter(pk__in=flagged.values("pair"))
        .order_by("topic__position", "topic_id", "position", "pk")
    )


def flag_counts(*, collection, user):
    """(pairs with a flag that waits for an answer, all flagged pairs), as `flagged_pairs`."""
    waiting = Rating.objects.filter(
        is_flagged=True, seat__batch__collection=collection, flag_answers=None
    )
    counts = (
        flagged_pairs(collection=collection, user=user)
        .order_by()
        .aggregate(
            waiting=Count("pk", filter=Q(pk__in=waiting.values("pair"))), flagged=Count("pk")
        )
    )
    return counts["waiting"], counts["flagged"]


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
    # Asked once for all pairs, which are not looked at one by one where somebody decides all.
    rated_nothing = adjudicators.filter(~Exists(Rating.objects.filter(annotator=OuterRef("pk"))))
    return (
        Pair.objects.handed_in()
        .disputed()
        .filter(~Exists(rated_nothing), ~Exists(may_decide), topic__collection=collection)
        .select_related("topic", "document")
        .order_by("topic__position", "topic_id", "position", "pk")
    )


def undecidable_counts(collections):
    """{collection: how many pairs of it nobody may decide}, in a statement for each hundred."""
    counts = Counter()
    for chunk in in_chunks(collections, COLLECTIONS_AT_ONCE):
        first, *others = (
            undecidable_pairs(collection)
            .order_by()
            .values_list("topic__collection")
            .annotate(Count("pk"))
            for collection in chunk
        )
        counts.update(dict(first.union(*others, all=True)))
    return counts
