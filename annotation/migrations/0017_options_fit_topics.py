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

BESIDE_ANOTHER = """EXISTS (
    SELECT 1 FROM annotation_scale other
    WHERE other.scheme_id = NEW.scheme_id AND other.id <> COALESCE(NEW.id, 0)
    AND (other.facet = '' OR NEW.facet = ''))"""

REFUSALS = [
    *(
        Refusal(
            f"annotation_rating_option_fits_{name}",
            "annotation_rating",
            event,
            "annotation_rating_option_fits: the option is not of the scale of the topic",
            OFF_THE_SCALE,
        )
        for name, event in [("insert", "INSERT"), ("update", "UPDATE OF option_id")]
    ),
    *(
        Refusal(
            f"annotation_scale_is_alone_or_of_a_facet_{name}",
            "annotation_scale",
            event,
            "annotation_scale_is_alone_or_of_a_facet: one shared scale, or one for each facet",
            BESIDE_ANOTHER,
        )
        for name, event in [("insert", "INSERT"), ("update", "UPDATE OF facet")]
    ),
]


class Migration(migrations.Migration):
    dependencies = [("annotation", "0016_options_of_scales")]

    operations = [refusal.operation() for refusal in REFUSALS]
