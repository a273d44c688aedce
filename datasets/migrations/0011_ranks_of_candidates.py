from django.db import migrations, models

from audit.triggers import with_triggers_aside


class Migration(migrations.Migration):
    dependencies = [("datasets", "0010_description_and_narrative")]

    operations = with_triggers_aside(
        [
            migrations.AddField(
                model_name="candidate",
                name="ranks",
                field=models.JSONField(blank=True, default=dict),
            ),
        ]
    )
