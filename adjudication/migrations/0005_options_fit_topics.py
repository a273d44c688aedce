from django.db import migrations

from audit.triggers import Refusal

# The option is none of the scale on which the pair's topic is judged.
OFF_THE_SCALE = """NEW.option_id IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM annotation_pair pair
    JOIN datasets_topic topic ON topic.id = pair.topic_id
    JOIN annotation_scheme scheme ON scheme.collection_id = topic.collection_id
    JOIN annotation_option option ON option.id = NEW.option_id
    JOIN annotation_scale scale ON scale.id = option.scale_id
    WHERE pair.id = NEW.pair_id AND scale.scheme_id = scheme.id
    AND scale.facet IN ('', topic.facet))"""

REFUSALS = [
    Refusal(
        f"{table}_option_fits",
        table,
        "INSERT",
        f"{table}_option_fits: the option is not of the scale of the topic",
        OFF_THE_SCALE,
    )
    for table in ("adjudication_decision", "adjudication_firstvalue")
]


class Migration(migrations.Migration):
    dependencies = [
        ("adjudication", "0004_audit_refusals"),
        ("annotation", "0017_options_fit_topics"),
    ]

    operations = [refusal.operation() for refusal in REFUSALS]
