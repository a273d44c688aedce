"""A pair of an audit as its adjudicator has it in view, and the audit as a strip of pairs."""

from dataclasses import dataclass
from functools import cached_property

from django.urls import reverse

from adjudication.actions import decide
from adjudication.audits.querysets import readable_entries
from adjudication.models import AuditedPair
from adjudication.queue import Case, Strip


@dataclass(frozen=True)
class AuditPlace:
    """One pair in the strip; nothing is told of its ratings."""

    number: int
    entry: AuditedPair
    is_current: bool
    gap = None

    @property
    def pair(self):
        return self.entry.pair

    @property
    def is_decided(self):
        return self.entry.decision_id is not None

    @property
    def key(self):
        return self.entry.public_id

    @property
    def address(self):
        return reverse("adjudication:audit-pair", args=[self.key])


class AuditStrip(Strip):
    """The pairs of an audit in its shuffled order: those that wait and those decided here."""

    noun, whole = "pair", "in this audit"
    shown, is_hidden = "", True

    def __init__(self, *, member, audit, current=None):
        self.member, self.audit, self.entry = member, audit, current

    @property
    def title(self):
        return f"Pairs of {self.audit.name}"

    @property
    def home(self):
        return reverse("adjudication:queue", args=[self.audit.collection.slug])

    @cached_property
    def places(self):
        entries = (
            readable_entries(self.member)
            .filter(audit=self.audit)
            .select_related("pair__document")
            .only("public_id", "decision", "pair__document__title")
            .order_by("position")
        )
        return [
            AuditPlace(number, entry, self.entry is not None and entry.pk == self.entry.pk)
            for number, entry in enumerate(entries, start=1)
        ]


class AuditCase(Case):
    """A pair to decide from the texts alone, the same page for an agreed and a disputed one."""

    asks_first_value, first_value, raters = False, None, None

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
        return reverse("adjudication:audit-pair", args=[self.key])

    @property
    def guidelines_address(self):
        return reverse("adjudication:audit-guidelines", args=[self.key])

    def decide(self, *, by, **decision):
        return decide(pair=self.pair, by=by, audit=self.audit, **decision)
