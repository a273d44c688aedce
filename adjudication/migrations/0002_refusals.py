from django.db import migrations

from audit.triggers import Refusal

RATED_BY_THE_ADJUDICATOR = """EXISTS (
    SELECT 1 FROM annotation_rating rating
    WHERE rating.pair_id = NEW.pair_id AND rating.annotator_id = NEW.adjudicator_id)"""

DECIDED_BY_THE_ANNOTATOR = """EXISTS (
    SELECT 1 FROM adjudication_decision decision
    WHERE decision.pair_id = NEW.pair_id AND decision.adjudicator_id = NEW.annotator_id)"""

# A decision changes once, when it is superseded; what was decided never changes.
REWRITTEN = """OLD.superseded_at IS NOT NULL
    OR NEW.pair_id <> OLD.pair_id
    OR NEW.adjudicator_id <> OLD.adjudicator_id
    OR COALESCE(NEW.option_id, 0) <> COALESCE(OLD.option_id, 0)
    OR NEW.exclusion_reason <> OLD.exclusion_reason
    OR NEW.cause <> OLD.cause
    OR NEW.rationale <> OLD.rationale"""

OF_A_DEAD_IMPORT = """EXISTS (
    SELECT 1 FROM annotation_pair pair
    JOIN datasets_import import ON import.id = pair.imported_id
    WHERE pair.id = OLD.pair_id AND import.state = 'dead')"""

REFUSALS = [
    Refusal(
        "adjudication_decision_not_by_a_rater",
        "adjudication_decision",
        "INSERT",
        "adjudication_decision_not_by_a_rater: nobody adjudicates a pair that they rated",
        RATED_BY_THE_ADJUDICATOR,
    ),
    Refusal(
        "adjudication_rating_not_by_the_adjudicator",
        "annotation_rating",
        "INSERT",
        "adjudication_rating_not_by_the_adjudicator: nobody rates a pair that they decided",
        DECIDED_BY_THE_ANNOTATOR,
    ),
    Refusal(
        "adjudication_decision_never_rewritten",
        "adjudication_decision",
        "UPDATE",
        "adjudication_decision_never_rewritten: a decision is superseded, never changed",
        REWRITTEN,
    ),
    Refusal(
        "adjudication_decision_no_delete",
        "adjudication_decision",
        "DELETE",
        "adjudication_decision is append-only",
        f"NOT ({OF_A_DEAD_IMPORT})",
    ),
]


class Migration(migrations.Migration):
    dependencies = [("adjudication", "0001_initial"), ("annotation", "0002_refusals")]

    operations = [refusal.operation() for refusal in REFUSALS]
