from django.db import migrations

from audit.triggers import Refusal

# An audit changes once, when it is closed; how it was drawn never changes.
REDRAWN = """OLD.closed_at IS NOT NULL
    OR NEW.collection_id <> OLD.collection_id
    OR NEW.name <> OLD.name
    OR NEW.seed <> OLD.seed
    OR NEW.size <> OLD.size
    OR NEW.population <> OLD.population
    OR NEW.control_count <> OLD.control_count
    OR NEW.control_population <> OLD.control_population"""

EXCHANGED = """NOT OLD.is_open
    OR NEW.audit_id <> OLD.audit_id
    OR NEW.pair_id <> OLD.pair_id
    OR NEW.position <> OLD.position
    OR NEW.is_control <> OLD.is_control
    OR COALESCE(NEW.consensus, -1000) <> COALESCE(OLD.consensus, -1000)"""

OF_ANOTHER_PAIR = """NEW.decision_id IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM adjudication_decision decision
    WHERE decision.id = NEW.decision_id AND decision.pair_id = NEW.pair_id)"""

REFUSALS = [
    Refusal(
        "adjudication_audit_never_redrawn",
        "adjudication_audit",
        "UPDATE",
        "adjudication_audit_never_redrawn: an audit is closed once, and drawn once",
        REDRAWN,
    ),
    Refusal(
        "adjudication_audit_no_delete",
        "adjudication_audit",
        "DELETE",
        "adjudication_audit is append-only",
    ),
    Refusal(
        "adjudication_auditedpair_final",
        "adjudication_auditedpair",
        "UPDATE",
        "adjudication_auditedpair_final: a drawn pair stays, and a closed audit is final",
        EXCHANGED,
    ),
    Refusal(
        "adjudication_auditedpair_own_decision",
        "adjudication_auditedpair",
        "UPDATE",
        "adjudication_auditedpair_own_decision: the decision is about another pair",
        OF_ANOTHER_PAIR,
    ),
    Refusal(
        "adjudication_auditedpair_no_delete",
        "adjudication_auditedpair",
        "DELETE",
        "adjudication_auditedpair is append-only",
    ),
]


class Migration(migrations.Migration):
    dependencies = [("adjudication", "0003_audits")]

    operations = [refusal.operation() for refusal in REFUSALS]
