from django.db import migrations, models

from audit.triggers import with_triggers_aside


class Migration(migrations.Migration):
    dependencies = [("datasets", "0011_ranks_of_candidates")]

    operations = with_triggers_aside(
        [
            migrations.AddField(
                model_name="collection",
                name="programs_may_rate",
                field=models.BooleanField(default=False, verbose_name="programs may rate"),
            ),
        ]
    )
