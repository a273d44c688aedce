from django.db import migrations, models

from audit.hashes import ContentHash, fill_hashes
from audit.triggers import with_triggers_aside


class Migration(migrations.Migration):
    dependencies = [("datasets", "0009_scoring_guard")]

    operations = [
        *with_triggers_aside(
            [
                migrations.AddField(
                    "query",
                    "description",
                    models.TextField(blank=True, default=""),
                    preserve_default=False,
                ),
                migrations.AddField(
                    "query",
                    "narrative",
                    models.TextField(blank=True, default=""),
                    preserve_default=False,
                ),
                migrations.AddField(
                    "query",
                    "beside_sha256",
                    ContentHash(of=["description", "narrative"], default=""),
                    preserve_default=False,
                ),
            ]
        ),
        fill_hashes("datasets", "query"),
    ]
