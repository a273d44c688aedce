"""An adjudicator who rated a part of a batch alone reads the rest of it once it is finished."""

from dataclasses import replace
from importlib import import_module

from django.db import migrations

from audit.triggers import Consequence

before = import_module("annotation.migrations.0009_readers_do_not_rate")

# Their own pairs they neither decide nor see; those of an earlier or later holder they do.
RATED_A_PART = """EXISTS (
    SELECT 1 FROM annotation_pair pair WHERE pair.batch_id = annotation_tenure.batch_id
    AND NOT EXISTS (
        SELECT 1 FROM annotation_rating rating WHERE rating.pair_id = pair.id
        AND rating.annotator_id = annotation_tenure.member_id))"""

READERS_OF_THE_BATCH_READ = f"""UPDATE annotation_tenure SET could_read_since = {{now}}
    WHERE batch_id = NEW.batch_id AND could_read_since IS NULL AND EXISTS (
        SELECT 1 FROM datasets_membership member
        WHERE member.id = annotation_tenure.member_id AND member.removed_at IS NULL
        AND (member.is_lead OR (member.is_adjudicator AND {RATED_A_PART})))"""  # noqa: S608

READER_READS_FINISHED_BATCHES = f"""{before.LEAD_READS_FINISHED_BATCHES}
    AND (NEW.is_lead OR {RATED_A_PART})"""

# What they changed before stays as it is.
ADJUDICATORS_COULD_READ = f"""UPDATE annotation_tenure SET could_read_since = CURRENT_TIMESTAMP
    WHERE could_read_since IS NULL AND NOT EXISTS (
        SELECT 1 FROM annotation_seat open_seat
        WHERE open_seat.batch_id = annotation_tenure.batch_id
        AND open_seat.handed_in_at IS NULL)
    AND EXISTS (
        SELECT 1 FROM datasets_membership member
        WHERE member.id = annotation_tenure.member_id AND member.removed_at IS NULL
        AND member.is_adjudicator)
    AND {RATED_A_PART}"""  # noqa: S608


def widened(trigger):
    if trigger.table == "datasets_membership":
        return replace(
            trigger,
            statements=(READER_READS_FINISHED_BATCHES,),
            condition="(NEW.is_lead OR NEW.is_adjudicator) AND NEW.removed_at IS NULL",
        )
    return replace(trigger, statements=(READERS_OF_THE_BATCH_READ,))


class Migration(migrations.Migration):
    dependencies = [("annotation", "0024_changed_ratings")]

    operations = [
        *(
            operation
            for trigger in before.TRIGGERS
            if isinstance(trigger, Consequence)
            for operation in (trigger.removal(), widened(trigger).operation())
        ),
        migrations.RunSQL(ADJUDICATORS_COULD_READ, migrations.RunSQL.noop),
    ]
