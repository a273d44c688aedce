from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("datasets", "0001_initial")]

    operations = [
        migrations.AddField("query", "sentences", models.JSONField(blank=True, default=list)),
        migrations.AddField("query", "extra", models.JSONField(blank=True, default=dict)),
    ]
