"""Deciding the pairs of an audit, one after the other."""

from django.contrib import messages
from django.shortcuts import redirect

from adjudication.audits.access import get_entry
from adjudication.audits.case import AuditCase, audit_strip
from adjudication.desk import Desk
from adjudication.scale import Scale


class AuditDesk(Desk):
    """Agreed and disputed pairs in one shuffled order, without the ratings."""

    def case_of(self, public_id, *, to_decide=False):
        member, entry = get_entry(self.request.user, public_id, to_decide=to_decide)
        return AuditCase(
            entry=entry,
            member=member,
            strip=audit_strip(member=member, audit=entry.audit, current=entry),
            scale=Scale(entry.audit.collection.scheme, entry.pair.topic.facet),
        )

    def after_the_last(self, case):
        messages.success(
            self.request,
            f"Every pair of {case.audit.name} is decided. You can change your decisions until "
            "a lead closes the audit or locks the topic.",
        )
        return redirect(case.strip.home)
