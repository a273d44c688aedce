"""A role ends no earlier than a seat was taken or a pair rated while it lasted, also where the clock
was set back since: who could read is told from these times."""

from dataclasses import replace
from importlib import import_module

from django.db import migrations

before = import_module("datasets.migrations.0007_role_periods_kept")
[CHANGES] = [
    trigger for trigger in before.TRIGGERS if trigger.name == "datasets_membership_changes_roles"
]

LATEST = """(SELECT MAX(moments.moment) FROM (
        SELECT {now} AS moment
        UNION ALL SELECT MAX(rating.created_at) FROM annotation_rating rating
            JOIN annotation_seat seat ON seat.id = rating.seat_id
            JOIN annotation_batch batch ON batch.id = seat.batch_id
            WHERE batch.collection_id = NEW.collection_id
        UNION ALL SELECT MAX(tenure.since) FROM annotation_tenure tenure
            JOIN annotation_batch batch ON batch.id = tenure.batch_id
            WHERE batch.collection_id = NEW.collection_id) moments)"""
END_PERIODS = before.END_PERIODS.replace("{now}", LATEST)


class Migration(migrations.Migration):
    dependencies = [("annotation", "0025_adjudicators_read_the_rest")]

    operations = [
        CHANGES.removal(),
        replace(CHANGES, statements=(END_PERIODS, before.BEGIN_PERIODS)).operation(),
    ]
