from django.db import migrations, models

from audit.triggers import with_triggers_aside


class Migration(migrations.Migration):
    dependencies = [("datasets", "0008_runs_and_judgments")]

    operations = with_triggers_aside(
        [
            migrations.AddField(
                model_name="collection",
                name="scores_wait_for_locking",
                field=models.BooleanField(
                    default=False,
                    verbose_name="scores of runs stay closed until every topic is locked",
                ),
            ),
        ]
    )
