import django.db.models.deletion
from django.db import migrations, models

from audit.triggers import with_triggers_aside


class Migration(migrations.Migration):
    dependencies = [("annotation", "0015_one_shared_scale")]

    operations = with_triggers_aside(
        [
            migrations.RemoveConstraint("option", "annotation_option_key_once_per_scheme"),
            migrations.AlterField(
                "option",
                "scale",
                models.ForeignKey(
                    on_delete=django.db.models.deletion.PROTECT,
                    related_name="options",
                    to="annotation.scale",
                ),
            ),
            migrations.RemoveField("option", "scheme"),
            migrations.AlterModelOptions("option", {"ordering": ["scale__position", "position"]}),
            migrations.AddConstraint(
                "option",
                models.UniqueConstraint(
                    fields=("scale", "key"), name="annotation_option_key_once_per_scale"
                ),
            ),
            migrations.RemoveField("scheme", "rule_distance"),
        ]
    )
