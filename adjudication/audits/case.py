"""A pair of an audit as its adjudicator has it in view, and the audit as a strip of pairs."""

from django.urls import reverse

from adjudication.audits.querysets import readable_entries
from adjudication.case import Case
from adjudication.strip import Place, Strip

ROUTE = "adjudication:audit-pair"


def audit_strip(*, member, audit, current=None):
    """The pairs of an audit in its shuffled order: those that wait and those decided here."""

    def read():
        entries = (
            readable_entries(member)
            .filter(audit=audit)
            .select_related("pair__document")
            .only("public_id", "decision", "pair__document__title")
            .order_by("position")
        )
        return [
            Place(
                number,
                entry.pair,
                entry.public_id,
                ROUTE,
                is_decided=entry.decision_id is not None,
                is_current=entry == current,
            )
            for number, entry in enumerate(entries, start=1)
        ]

    return Strip(
        read_places=read,
        home=reverse("adjudication:queue", args=[audit.collection.slug]),
        title=f"Pairs of {audit.name}",
        noun="pair",
        scope="in this audit",
        is_hidden=True,
    )


class AuditCase(Case):
    """A pair to decide from the texts alone, the same page for an agreed and a disputed one."""

    raters, first_value, asks_first_value = None, None, False
    route, guidelines_route = ROUTE, "adjudication:audit-guidelines"

    def __init__(self, *, entry, member, strip, scale):
        decision = entry.decision
        if decision is not None and decision.adjudicator_id != member.pk:
            decision = None
        super().__init__(
            key=entry.public_id,
            pair=entry.pair,
            member=member,
            decision=decision,
            strip=strip,
            scale=scale,
        )
        self.audit = entry.audit
