"""Names the list of verbs. The table stays as it is."""

from django.db import migrations, models

from audit.verbs import verbs


class Migration(migrations.Migration):
    dependencies = [("audit", "0005_no_index_of_actors")]

    operations = [
        migrations.AlterField("event", "verb", models.CharField(choices=verbs, max_length=60))
    ]
