from django.db import migrations

from audit.triggers import Consequence, Refusal

END_PERIODS = """UPDATE datasets_roleperiod SET until = {now}
    WHERE member_id = NEW.id AND until IS NULL AND (
        NEW.removed_at IS NOT NULL
        OR (role = 'annotator' AND NOT NEW.is_annotator)
        OR (role = 'adjudicator' AND NOT NEW.is_adjudicator)
        OR (role = 'lead' AND NOT NEW.is_lead))"""

BEGIN_PERIODS = """INSERT INTO datasets_roleperiod (member_id, role, since)
    SELECT NEW.id, held.role, {now} FROM (
        SELECT 'annotator' AS role, NEW.is_annotator AS is_held
        UNION ALL SELECT 'adjudicator', NEW.is_adjudicator
        UNION ALL SELECT 'lead', NEW.is_lead) held
    WHERE held.is_held AND NEW.removed_at IS NULL AND NOT EXISTS (
        SELECT 1 FROM datasets_roleperiod period
        WHERE period.member_id = NEW.id AND period.role = held.role AND period.until IS NULL)"""

# A period ends once, and only when its member has the role no more.
REWRITTEN = """OLD.until IS NOT NULL
    OR NEW.until IS NULL
    OR NEW.member_id <> OLD.member_id
    OR NEW.role <> OLD.role
    OR NEW.since <> OLD.since
    OR EXISTS (
        SELECT 1 FROM datasets_membership member
        WHERE member.id = OLD.member_id AND member.removed_at IS NULL AND (
            (OLD.role = 'annotator' AND member.is_annotator)
            OR (OLD.role = 'adjudicator' AND member.is_adjudicator)
            OR (OLD.role = 'lead' AND member.is_lead)))"""

OF_A_DEAD_IMPORT = """EXISTS (
    SELECT 1 FROM datasets_membership member
    JOIN datasets_import import ON import.id = member.imported_id
    WHERE member.id = OLD.member_id AND import.state = 'dead')"""

TRIGGERS = [
    Consequence(
        "datasets_membership_begins_roles",
        "datasets_membership",
        "INSERT",
        (BEGIN_PERIODS,),
    ),
    Consequence(
        "datasets_membership_changes_roles",
        "datasets_membership",
        "UPDATE",
        (END_PERIODS, BEGIN_PERIODS),
    ),
    Refusal(
        "datasets_roleperiod_never_rewritten",
        "datasets_roleperiod",
        "UPDATE",
        "datasets_roleperiod_never_rewritten: a period ends once, with the role",
        REWRITTEN,
    ),
    Refusal(
        "datasets_roleperiod_no_delete",
        "datasets_roleperiod",
        "DELETE",
        "datasets_roleperiod is append-only",
        f"NOT ({OF_A_DEAD_IMPORT})",
    ),
]


class Migration(migrations.Migration):
    dependencies = [("datasets", "0006_role_history")]

    operations = [trigger.operation() for trigger in TRIGGERS]
