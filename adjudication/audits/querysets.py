"""An adjudicator's pairs of an audit. Nothing here depends on the annotators' answers."""

from typing import Any

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from adjudication.models import AuditedPair
from adjudication.querysets import handed_in_and_not_rated_by
from datasets.models import Membership


def readable_entries(member: Membership) -> QuerySet[AuditedPair]:
    """Pairs of the member's open audits that wait for a decision or that they decided themselves.

    Once a topic is locked or a seat returned, its undecided pairs are gone, agreed and disputed
    ones alike. A locked topic has no dispute, so a pair that stayed would tell that it was agreed.
    """
    waits = Q(decision=None, pair__topic__locked_at=None)
    return contested_entries(member).filter(waits | Q(decision__adjudicator=member), is_open=True)


def contested_entries(member: Membership) -> QuerySet[AuditedPair]:
    """Pairs that an adjudicator may send a decision about. Pairs that somebody else decided
    meanwhile, or whose audit was closed, are among them, so that the answer can say so."""
    decidable = handed_in_and_not_rated_by(member).filter(pk=OuterRef("pair"))
    return AuditedPair.objects.filter(Exists(decidable), audit__adjudicators=member)


def waiting_audits(member: Membership) -> list[dict[str, Any]]:
    """The member's open audits as rows: `public_id`, `name`, `pair_count`, `decided_count`."""
    rows = (
        readable_entries(member)
        .order_by("audit")
        .values("audit__public_id", "audit__name")
        .annotate(pair_count=Count("pk"), decided_count=Count("decision"))
    )
    return [
        {
            "public_id": row["audit__public_id"],
            "name": row["audit__name"],
            "pair_count": row["pair_count"],
            "decided_count": row["decided_count"],
        }
        for row in rows
    ]
