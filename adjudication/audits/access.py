"""Who gets at a pair of an audit, and what everybody else is told; see adjudication/access.py."""

from django.http import Http404

from adjudication.audits.querysets import contested_entries, readable_entries
from adjudication.models import Audit, AuditedPair
from datasets.access import get_membership
from datasets.models import Role


def get_audit(user, slug, public_id):
    """An adjudicator's membership and an open audit in which they have something to do or did."""
    member = get_membership(user, slug, Role.ADJUDICATOR)
    audit = Audit.objects.filter(collection=member.collection_id, public_id=public_id).first()
    if audit is None or not readable_entries(member).filter(audit=audit).exists():
        raise Http404("There is no such audit.")
    return member, audit


def get_entry_to_read(user, public_id):
    """An adjudicator's membership and a pair of an audit that waits or that they decided."""
    return _get_entry(user, public_id, readable_entries)


def get_entry_to_decide(user, public_id):
    """The same, and also a pair that somebody else has decided since it was opened, or one of an
    audit that was closed."""
    return _get_entry(user, public_id, contested_entries)


def _get_entry(user, public_id, entries_for):
    entry = (
        AuditedPair.objects.select_related(
            "audit__collection__scheme",
            "pair__topic__collection__scheme",
            "pair__document",
            "pair__side_text",
            "decision__option",
        )
        .filter(public_id=public_id)
        .first()
    )
    if entry is None:
        raise Http404("There is no such pair.")
    member = get_membership(user, entry.audit.collection.slug, Role.ADJUDICATOR)
    if not entries_for(member).filter(pk=entry.pk).exists():
        raise Http404("There is no such pair.")
    return member, entry
