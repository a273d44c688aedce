from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotation", "0003_aspects")]

    operations = [
        migrations.AddField("machinescore", "extra", models.JSONField(blank=True, default=dict)),
    ]
