"""What must hold of audits, recomputed from raw rows."""

from collections import Counter, defaultdict

from adjudication.audits.actions import drawn_hash
from adjudication.models import Audit, AuditedPair
from audit.models import Event
from audit.verbs import Verb


def audit_findings(using):
    """An audit has the pairs it was drawn with; while it is open, a decision in it stands."""
    yield from _draws(using)
    yield from _audited_pairs(using)


def _draws(using):
    drawn = Counter(AuditedPair.objects.using(using).values_list("audit", "is_control"))
    events = Event.objects.using(using).filter(verb=Verb.DRAW_AUDIT)
    in_trail = dict(events.values_list("subject_id", "after"))
    for audit in Audit.objects.using(using).values("pk", "public_id", "size", "control_count"):
        drawn_pairs = drawn_hash(audit["pk"], using)
        # Audits that were drawn earlier left no hash of their pairs.
        if in_trail.get(str(audit["public_id"]), {}).get("drawn", drawn_pairs) != drawn_pairs:
            yield f"Audit {audit['pk']} has other pairs than were drawn."
        stored = (drawn[audit["pk"], False], drawn[audit["pk"], True])
        if stored != (audit["size"], audit["control_count"]):
            yield f"Audit {audit['pk']} has {stored} agreed pairs and controls, not as drawn."


def _audited_pairs(using):
    adjudicators = defaultdict(set)
    for audit, member in Audit.adjudicators.through.objects.using(using).values_list(
        "audit", "membership"
    ):
        adjudicators[audit].add(member)
    for row in AuditedPair.objects.using(using).values(
        "pk",
        "pair",
        "audit",
        "is_open",
        "audit__closed_at",
        "audit__collection",
        "pair__topic__collection",
        "decision",
        "decision__pair",
        "decision__adjudicator",
        "decision__superseded_at",
    ):
        if row["is_open"] != (row["audit__closed_at"] is None):
            yield f"Audited pair {row['pk']} is open where its audit is not, or the reverse."
        if row["audit__collection"] != row["pair__topic__collection"]:
            yield f"Audited pair {row['pk']} is of another collection than its audit."
        if row["decision"] is None:
            continue
        if row["decision__pair"] != row["pair"]:
            yield f"Audited pair {row['pk']} names a decision on another pair."
        if row["decision__adjudicator"] not in adjudicators[row["audit"]]:
            yield f"Audited pair {row['pk']} was decided by somebody outside its audit."
        if row["is_open"] and row["decision__superseded_at"] is not None:
            yield f"Audited pair {row['pk']} counts a decision that no longer stands."
