"""Two triggers look only at changes of the columns that they are about: a save changes others."""

from dataclasses import replace

from django.db import migrations

from audit.triggers import Refusal

SEAT_OF_ANOTHER_BATCH = """NOT EXISTS (
    SELECT 1 FROM annotation_seat seat
    JOIN annotation_pair pair ON pair.batch_id = seat.batch_id
    WHERE seat.id = NEW.seat_id AND pair.id = NEW.pair_id)"""

RATED_BEFORE = """EXISTS (
    SELECT 1 FROM annotation_pair pair WHERE pair.id = OLD.id
    AND pair.batch_id IS NOT NULL
    AND EXISTS (SELECT 1 FROM annotation_rating rating WHERE rating.pair_id = OLD.id))
    AND (NEW.batch_id IS NULL OR NEW.batch_id <> OLD.batch_id)"""

REFUSALS = [
    Refusal(
        "annotation_rating_stays_in_its_batch",
        "annotation_rating",
        "UPDATE OF pair_id, seat_id",
        "annotation_rating_stays_in_its_batch: the seat is of another batch than the pair",
        SEAT_OF_ANOTHER_BATCH,
    ),
    Refusal(
        "annotation_pair_stays_in_its_batch",
        "annotation_pair",
        "UPDATE OF batch_id",
        "annotation_pair_stays_in_its_batch: the pair has ratings",
        RATED_BEFORE,
    ),
]


class Migration(migrations.Migration):
    dependencies = [("annotation", "0022_no_idle_indexes")]

    operations = [
        operation
        for refusal in REFUSALS
        for operation in (replace(refusal, event="UPDATE").removal(), refusal.operation())
    ]
