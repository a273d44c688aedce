"""A pair of an audit as its adjudicator has it in view, and the audit as a strip of pairs."""

from django.urls import reverse

from adjudication.actions import decide
from adjudication.audits.querysets import readable_entries
from adjudication.case import PairInView
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


class AuditCase(PairInView):
    """A pair to decide from the texts alone, the same page for an agreed and a disputed one."""

    raters, first_value, asks_first_value = None, None, False

    def __init__(self, *, entry, member, strip, scale):
        decision = entry.decision
        if decision is not None and decision.adjudicator_id != member.pk:
            decision = None
        super().__init__(
            pair=entry.pair, member=member, decision=decision, strip=strip, scale=scale
        )
        self.entry, self.audit = entry, entry.audit

    @property
    def key(self):
        return self.entry.public_id

    @property
    def address(self):
        return reverse(ROUTE, args=[self.key])

    @property
    def guidelines_address(self):
        return reverse("adjudication:audit-guidelines", args=[self.key])

    def decide(self, *, by, **decision):
        return decide(pair=self.pair, by=by, audit=self.audit, **decision)
