import django.db.models.deletion
from django.db import migrations, models

from audit.triggers import with_triggers_aside


class Migration(migrations.Migration):
    dependencies = [("annotation", "0013_flag_answers_stay")]

    operations = with_triggers_aside(
        [
            migrations.CreateModel(
                name="Scale",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    ("facet", models.SlugField(blank=True, max_length=60)),
                    ("is_ordinal", models.BooleanField(default=True)),
                    (
                        "distance",
                        models.DecimalField(blank=True, decimal_places=3, max_digits=6, null=True),
                    ),
                    ("position", models.PositiveSmallIntegerField(default=0)),
                    (
                        "scheme",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="scales",
                            to="annotation.scheme",
                        ),
                    ),
                ],
                options={
                    "ordering": ["position"],
                    "constraints": [
                        models.UniqueConstraint(
                            fields=("scheme", "facet"), name="annotation_scale_once_per_facet"
                        ),
                        models.CheckConstraint(
                            condition=models.Q(
                                ("distance__isnull", True),
                                models.Q(("distance__gt", 0), ("is_ordinal", True)),
                                _connector="OR",
                            ),
                            name="annotation_scale_distance_in_an_order",
                        ),
                    ],
                },
            ),
            migrations.AddField(
                "option",
                "scale",
                models.ForeignKey(
                    null=True,
                    on_delete=django.db.models.deletion.PROTECT,
                    related_name="options",
                    to="annotation.scale",
                ),
            ),
            # Both are removed once the scales are filled; the way back finds what it can fill.
            migrations.AlterField(
                "option",
                "scheme",
                models.ForeignKey(
                    null=True,
                    on_delete=django.db.models.deletion.PROTECT,
                    related_name="options",
                    to="annotation.scheme",
                ),
            ),
            migrations.RemoveConstraint("scheme", "annotation_scheme_distance_iff_its_rule"),
        ]
    )
