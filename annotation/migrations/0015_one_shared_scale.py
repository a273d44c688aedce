from django.db import migrations


def share_one_scale(apps, schema_editor):
    """Every scheme had one list of options for all that it judges."""
    alias = schema_editor.connection.alias
    scheme_model, scale_model = (apps.get_model("annotation", name) for name in ("Scheme", "Scale"))
    for scheme in scheme_model.objects.using(alias):
        scale = scale_model.objects.using(alias).create(
            scheme=scheme, facet="", is_ordinal=True, distance=scheme.rule_distance
        )
        scheme.options.update(scale=scale)


def forget_scales(apps, schema_editor):
    """Backwards, as far as it goes: a scheme with a scale for each facet has no place for them."""
    alias = schema_editor.connection.alias
    scale_model = apps.get_model("annotation", "Scale")
    if scale_model.objects.using(alias).exclude(facet="").exists():
        raise ValueError("A scheme has a scale for each facet, which earlier versions cannot hold.")
    for scale in scale_model.objects.using(alias).select_related("scheme"):
        scale.options.update(scheme=scale.scheme, scale=None)
        scale.scheme.rule_distance = scale.distance
        scale.scheme.save(update_fields=["rule_distance"])
        scale.delete()


class Migration(migrations.Migration):
    dependencies = [("annotation", "0014_scales")]

    operations = [migrations.RunPython(share_one_scale, forget_scales)]
