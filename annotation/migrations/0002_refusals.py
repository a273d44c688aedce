from django.db import migrations

from audit.triggers import Refusal, append_only

# An import that died takes its rows with it; nobody ever saw them.
OF_A_DEAD_IMPORT = """EXISTS (
    SELECT 1 FROM annotation_rating rating
    JOIN annotation_pair pair ON pair.id = rating.pair_id
    JOIN datasets_import import ON import.id = pair.imported_id
    WHERE rating.id = OLD.rating_id AND import.state = 'dead')"""

SEAT_OF_ANOTHER_BATCH = """NOT EXISTS (
    SELECT 1 FROM annotation_seat seat
    JOIN annotation_pair pair ON pair.batch_id = seat.batch_id
    WHERE seat.id = NEW.seat_id AND pair.id = NEW.pair_id)"""

ORDINAL_ABOVE_OVERLAP = """EXISTS (
    SELECT 1 FROM annotation_batch batch
    WHERE batch.id = NEW.batch_id AND NEW.ordinal > batch.overlap)"""

RATED_BEFORE = """EXISTS (
    SELECT 1 FROM annotation_pair pair WHERE pair.id = OLD.id
    AND pair.batch_id IS NOT NULL
    AND EXISTS (SELECT 1 FROM annotation_rating rating WHERE rating.pair_id = OLD.id))
    AND (NEW.batch_id IS NULL OR NEW.batch_id <> OLD.batch_id)"""

REFUSALS = [
    *append_only("annotation_ratingrevision", unless=OF_A_DEAD_IMPORT),
    Refusal(
        "annotation_rating_in_its_batch",
        "annotation_rating",
        "INSERT",
        "annotation_rating_in_its_batch: the seat is of another batch than the pair",
        SEAT_OF_ANOTHER_BATCH,
    ),
    Refusal(
        "annotation_rating_stays_in_its_batch",
        "annotation_rating",
        "UPDATE",
        "annotation_rating_stays_in_its_batch: the seat is of another batch than the pair",
        SEAT_OF_ANOTHER_BATCH,
    ),
    Refusal(
        "annotation_seat_within_overlap",
        "annotation_seat",
        "INSERT",
        "annotation_seat_within_overlap: the batch has no more seats than its overlap",
        ORDINAL_ABOVE_OVERLAP,
    ),
    Refusal(
        "annotation_pair_stays_in_its_batch",
        "annotation_pair",
        "UPDATE",
        "annotation_pair_stays_in_its_batch: the pair has ratings",
        RATED_BEFORE,
    ),
    Refusal(
        "annotation_batch_overlap_rises",
        "annotation_batch",
        "UPDATE",
        "annotation_batch_overlap_rises: the overlap of a batch can only rise",
        "NEW.overlap < OLD.overlap",
    ),
]


class Migration(migrations.Migration):
    dependencies = [("annotation", "0001_initial"), ("datasets", "0001_initial")]

    operations = [refusal.operation() for refusal in REFUSALS]
