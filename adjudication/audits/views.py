"""The adjudicator's screens of an audit. Its figures are a floor above, in agreement."""

from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from adjudication.audits.access import get_audit, get_entry
from adjudication.audits.case import audit_strip
from adjudication.audits.desk import AuditDesk
from adjudication.views import show_guidelines


@require_safe
def audit(request, slug, public_id):
    """To the audit's first waiting pair; once all are decided, to the first decided one."""
    member, audit = get_audit(request.user, slug, public_id)
    strip = audit_strip(member=member, audit=audit)
    return redirect((strip.next_open or strip.places[0]).address)


@require_http_methods(["GET", "HEAD", "POST"])
def audit_pair(request, public_id):
    """A pair of an audit, and the decision; for scripts as in `adjudication.views.decide_pair`."""
    return AuditDesk(request).answer(public_id)


@require_safe
def audit_guidelines(request, public_id):
    """The guidelines on a page of their own, for browsers without script."""
    member, _ = get_entry(request.user, public_id)
    back = reverse("adjudication:audit-pair", args=[public_id])
    return show_guidelines(request, member, back)
