from django.db import migrations, models

from audit.triggers import Refusal, with_triggers_aside

HELD = """EXISTS (
    SELECT 1 FROM annotation_tenure tenure WHERE tenure.batch_id = {}.batch_id)"""

REFUSALS = [
    Refusal(
        "annotation_seat_handover_counted",
        "annotation_seat",
        "UPDATE OF holder_id",
        "annotation_seat_handover_counted: a change of holder is counted in handovers",
        "COALESCE(NEW.holder_id, 0) <> COALESCE(OLD.holder_id, 0) "
        "AND NEW.handovers <= OLD.handovers",
    ),
    Refusal(
        "annotation_pair_joins_no_held_batch",
        "annotation_pair",
        "INSERT",
        "annotation_pair_joins_no_held_batch: somebody holds or held a seat of the batch",
        HELD.format("NEW"),
    ),
    Refusal(
        "annotation_pair_of_a_held_batch_stays",
        "annotation_pair",
        "UPDATE OF batch_id",
        "annotation_pair_of_a_held_batch_stays: somebody holds or held a seat of the batch",
        "COALESCE(NEW.batch_id, 0) <> COALESCE(OLD.batch_id, 0) "
        f"AND ({HELD.format('NEW')} OR {HELD.format('OLD')})",
    ),
]


class Migration(migrations.Migration):
    dependencies = [("annotation", "0010_lists_of_ratings")]

    operations = [
        *with_triggers_aside(
            [
                migrations.AddField(
                    "seat", "handovers", models.PositiveIntegerField(default=0, editable=False)
                )
            ]
        ),
        *[refusal.operation() for refusal in REFUSALS],
    ]
