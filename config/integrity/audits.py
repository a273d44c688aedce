"""What must hold of audits, recomputed from raw rows."""

from collections import Counter

from adjudication.audits.actions import drawn_hash
from adjudication.models import Audit, AuditedPair
from audit.models import Event
from audit.verbs import Verb
from config.integrity.trail_state import is_of
from formats.grouping import grouped

# Names of what the trail says of a draw, and the columns that have it.
COLUMNS = {
    "name": "name",
    "seed": "seed",
    "facet": "facet",
    "query": "query__external_id",
    "batch": "batch__name",
    "size": "size",
    "population": "population",
    "controls": "control_count",
    "control_population": "control_population",
}


def audit_findings(using):
    """An audit is the one that was drawn, and closed where the trail says so; while it is open, a
    decision in it stands."""
    yield from _audits(using)
    yield from _audited_pairs(using)


def _audits(using):
    drawn = Counter(AuditedPair.objects.using(using).values_list("audit", "is_control"))
    through = Audit.adjudicators.through.objects.using(using)
    people = grouped(through.values_list("audit", "membership__public_id"))
    events = Event.objects.using(using).filter(subject_type=Audit._meta.label_lower)
    in_trail = {event.subject_id: event for event in events.filter(verb=Verb.DRAW_AUDIT)}
    closed = {event.subject_id: event for event in events.filter(verb=Verb.CLOSE_AUDIT)}
    for audit in Audit.objects.using(using).values(
        *("pk", "public_id", "drawn_by", "drawn_at", "closed_by", "closed_at"), *COLUMNS.values()
    ):
        pk, public_id = audit["pk"], str(audit["public_id"])
        stored = (drawn[pk, False], drawn[pk, True])
        if stored != (audit["size"], audit["control_count"]):
            yield f"Audit {pk} has {stored} agreed pairs and controls, not as drawn."
        closing = closed.get(public_id)
        if (audit["closed_at"] is None) != (closing is None):
            yield f"Audit {pk} is closed where the trail says it is open, or the reverse."
        elif closing and not is_of(closing, audit["closed_by"], audit["closed_at"]):
            yield f"Audit {pk} was not closed as the trail says."
        event = in_trail.pop(public_id, None)
        if event is None:
            yield f"Audit {pk} has no event in the trail."
            continue
        if not is_of(event, audit["drawn_by"], audit["drawn_at"]):
            yield f"Audit {pk} was not drawn by whom or when the trail says."
        after, row = event.after, {name: audit[column] for name, column in COLUMNS.items()}
        row["adjudicators"] = sorted(map(str, people[pk]))
        # Audits that were drawn earlier left no hash of their pairs.
        if "drawn" in after and after["drawn"] != drawn_hash(pk, using):
            yield f"Audit {pk} has other pairs than were drawn."
        if others := [name for name in row if name in after and after[name] != row[name]]:
            yield f"Audit {pk} is not what the trail says ({', '.join(others)})."
    for public_id in in_trail:
        yield f"The trail knows audit {public_id}, which is gone."


def _audited_pairs(using):
    through = Audit.adjudicators.through.objects.using(using)
    adjudicators = grouped(through.values_list("audit", "membership"))
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
