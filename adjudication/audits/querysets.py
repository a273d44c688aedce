"""What an adjudicator may open of an audit. Nothing here depends on what the annotators did."""

from django.db.models import Count, Exists, OuterRef, Q

from adjudication.models import AuditedPair
from adjudication.querysets import handed_in_and_not_rated_by
from annotation.models import Pair

UNDECIDED = [Pair.State.AGREED, Pair.State.DISPUTED]


def readable_entries(member):
    """Pairs of the member's open audits that wait for a decision or that they decided themselves.

    Where a topic is locked or a seat returned, what is undecided is gone, agreed and disputed
    pairs alike: a dispute in a locked topic cannot be, and would so tell what the others are.
    """
    waits = Q(decision=None, pair__state__in=UNDECIDED, pair__topic__locked_at=None)
    return contested_entries(member).filter(waits | Q(decision__adjudicator=member), is_open=True)


def contested_entries(member):
    """What an adjudicator may send a decision about: also pairs that somebody else decided
    meanwhile, or of an audit that was closed, so that they are told so."""
    decidable = handed_in_and_not_rated_by(member).filter(pk=OuterRef("pair"))
    return AuditedPair.objects.filter(Exists(decidable), audit__adjudicators=member)


def waiting_audits(member):
    """The member's open audits as rows: `public_id`, `name`, `pair_count`, `decided_count`."""
    rows = (
        readable_entries(member)
        .filter(audit__collection=member.collection_id)
        .order_by("audit")
        .values("audit__public_id", "audit__name")
        .annotate(pair_count=Count("pk"), decided_count=Count("decision"))
    )
    return [
        {"public_id": row.pop("audit__public_id"), "name": row.pop("audit__name"), **row}
        for row in rows
    ]
