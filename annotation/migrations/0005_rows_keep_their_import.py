from django.db import migrations

from audit.triggers import Refusal

# Revisions may go only with an import that died before anybody saw it. So what came in by another
# way can never be made to look like part of such an import.
REFUSALS = [
    Refusal(
        "datasets_import_state_is_final",
        "datasets_import",
        "UPDATE OF state",
        "datasets_import_state_is_final: an import that is active or dead stays so",
        "OLD.state <> NEW.state AND OLD.state <> 'inactive'",
    ),
    Refusal(
        "annotation_pair_keeps_its_import",
        "annotation_pair",
        "UPDATE OF imported_id",
        "annotation_pair_keeps_its_import: a pair stays with the import that brought it",
        "COALESCE(OLD.imported_id, 0) <> COALESCE(NEW.imported_id, 0)",
    ),
    Refusal(
        "annotation_rating_keeps_its_pair",
        "annotation_rating",
        "UPDATE OF pair_id",
        "annotation_rating_keeps_its_pair: a rating stays with its pair",
        "OLD.pair_id <> NEW.pair_id",
    ),
]


class Migration(migrations.Migration):
    dependencies = [("annotation", "0004_machine_extra"), ("datasets", "0002_query_sentences")]

    operations = [refusal.operation() for refusal in REFUSALS]
