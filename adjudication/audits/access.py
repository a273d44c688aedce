"""Access to the pairs of an audit: the loader, and its refusals; see adjudication/access.py."""

from uuid import UUID

from django.http import Http404

from accounts.models import User
from adjudication.audits.querysets import contested_entries, readable_entries
from adjudication.models import Audit, AuditedPair
from datasets.access import get_for, get_membership, no_object
from datasets.models import Membership, Role


def get_audit(user: User, slug: str, public_id: UUID) -> tuple[Membership, Audit]:
    """An adjudicator's membership and an open audit in which they have something to do or did."""
    member = get_membership(user, slug, Role.ADJUDICATOR)
    audit = Audit.objects.filter(collection=member.collection_id, public_id=public_id).first()
    if audit is None or not readable_entries(member).filter(audit=audit).exists():
        raise Http404("There is no such audit.")
    return member, audit


def get_entry(
    user: User, public_id: UUID, *, to_decide: bool = False
) -> tuple[Membership, AuditedPair]:
    """An adjudicator's membership and a pair of an audit that waits or that they decided;
    `to_decide` also one that somebody else has decided since it was opened, or whose audit was
    closed."""
    entries = AuditedPair.objects.select_related(
        "audit__collection__scheme",
        "pair__topic__collection__scheme",
        "pair__document",
        "pair__side_text",
        "decision__option",
    )
    entry, member = get_for(user, Role.ADJUDICATOR, entries, public_id, path="audit__collection")
    readable = contested_entries(member) if to_decide else readable_entries(member)
    if not readable.filter(pk=entry.pk).exists():
        raise no_object()
    return member, entry
