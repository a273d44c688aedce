from django.db import migrations

from audit.triggers import Consequence, Refusal, append_only

FINISHED = """NOT EXISTS (
    SELECT 1 FROM annotation_seat open_seat
    WHERE open_seat.batch_id = NEW.batch_id AND open_seat.handed_in_at IS NULL)"""

# Whoever was lead or adjudicator at any time since another's first rating of the batch.
COULD_READ = """EXISTS (
    SELECT 1 FROM datasets_roleperiod period
    JOIN annotation_seat seat ON seat.batch_id = NEW.batch_id
    JOIN annotation_rating rating ON rating.seat_id = seat.id
    WHERE period.member_id = NEW.member_id AND period.role IN ('lead', 'adjudicator')
    AND rating.annotator_id <> NEW.member_id
    AND (period.until IS NULL OR period.until >= rating.created_at))
    AND NOT EXISTS (
        SELECT 1 FROM annotation_waiver waiver
        WHERE waiver.batch_id = NEW.batch_id AND waiver.member_id = NEW.member_id)"""

NOT_AN_ANNOTATOR = """NEW.holder_id IS NOT NULL
    AND (OLD.holder_id IS NULL OR OLD.holder_id <> NEW.holder_id)
    AND NOT EXISTS (
        SELECT 1 FROM annotation_tenure tenure
        JOIN datasets_membership member ON member.id = tenure.member_id
        WHERE tenure.seat_id = NEW.id AND tenure.member_id = NEW.holder_id
        AND member.is_annotator AND member.removed_at IS NULL)"""

OPEN_TO_A_READER = """NEW.holder_id IS NOT NULL AND NEW.handed_in_at IS NULL
    AND EXISTS (
        SELECT 1 FROM annotation_tenure tenure
        WHERE tenure.batch_id = NEW.batch_id AND tenure.member_id = NEW.holder_id
        AND tenure.could_read_since IS NOT NULL)"""

CHANGED_BY_A_READER = """EXISTS (
    SELECT 1 FROM annotation_seat seat
    JOIN annotation_tenure tenure ON tenure.batch_id = seat.batch_id
    WHERE seat.id = NEW.seat_id AND tenure.member_id = NEW.annotator_id
    AND tenure.could_read_since IS NOT NULL)"""

LEADS_OF_THE_BATCH_READ = """UPDATE annotation_tenure SET could_read_since = {now}
    WHERE batch_id = NEW.batch_id AND could_read_since IS NULL AND EXISTS (
        SELECT 1 FROM datasets_membership member
        WHERE member.id = annotation_tenure.member_id
        AND member.is_lead AND member.removed_at IS NULL)"""

LEAD_READS_FINISHED_BATCHES = """UPDATE annotation_tenure SET could_read_since = {now}
    WHERE member_id = NEW.id AND could_read_since IS NULL AND NOT EXISTS (
        SELECT 1 FROM annotation_seat open_seat
        WHERE open_seat.batch_id = annotation_tenure.batch_id
        AND open_seat.handed_in_at IS NULL)"""

FOR_ONESELF = """EXISTS (
    SELECT 1 FROM datasets_membership member
    WHERE member.id = NEW.member_id AND member.user_id = NEW.given_by_id)"""

THE_MEMBER = "FROM datasets_membership WHERE id = NEW.member_id"
THE_HOLDER = "FROM datasets_membership WHERE id = NEW.holder_id"
THE_HOLDERS = """FROM datasets_membership WHERE id IN (
    SELECT member_id FROM annotation_tenure WHERE batch_id = NEW.batch_id) ORDER BY id"""

TRIGGERS = [
    Refusal(
        "annotation_tenure_of_no_reader",
        "annotation_tenure",
        "INSERT",
        "annotation_tenure_of_no_reader: who could read the ratings of a batch does not rate in it",
        COULD_READ,
        locked=THE_MEMBER,
    ),
    Refusal(
        "annotation_seat_held_by_an_annotator",
        "annotation_seat",
        "UPDATE",
        "annotation_seat_held_by_an_annotator: the holder is an annotator with a tenure of it",
        NOT_AN_ANNOTATOR,
        locked=THE_HOLDER,
    ),
    Refusal(
        "annotation_seat_not_open_to_a_reader",
        "annotation_seat",
        "UPDATE",
        "annotation_seat_not_open_to_a_reader: the holder could read the ratings of the batch",
        OPEN_TO_A_READER,
    ),
    Refusal(
        "annotation_rating_fixed_for_a_reader",
        "annotation_rating",
        "UPDATE",
        "annotation_rating_fixed_for_a_reader: its author could read the ratings of the batch",
        CHANGED_BY_A_READER,
    ),
    Consequence(
        "annotation_seat_lets_leads_read",
        "annotation_seat",
        "UPDATE",
        (LEADS_OF_THE_BATCH_READ,),
        f"NEW.handed_in_at IS NOT NULL AND OLD.handed_in_at IS NULL AND {FINISHED}",
        locked=THE_HOLDERS,
    ),
    Consequence(
        "annotation_tenure_lets_leads_read",
        "annotation_tenure",
        "INSERT",
        (LEADS_OF_THE_BATCH_READ,),
        FINISHED,
    ),
    Consequence(
        "annotation_membership_lets_leads_read",
        "datasets_membership",
        "UPDATE",
        (LEAD_READS_FINISHED_BATCHES,),
        "NEW.is_lead AND NEW.removed_at IS NULL",
    ),
    *append_only("annotation_waiver"),
    Refusal(
        "annotation_waiver_not_for_oneself",
        "annotation_waiver",
        "INSERT",
        "annotation_waiver_not_for_oneself: another lead waives",
        FOR_ONESELF,
    ),
]


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0008_could_read_history"),
        ("datasets", "0007_role_periods_kept"),
    ]

    operations = [trigger.operation() for trigger in TRIGGERS]
