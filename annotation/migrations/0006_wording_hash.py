from django.db import migrations

from audit.hashes import ContentHash, fill_hashes
from audit.triggers import with_triggers_aside


class Migration(migrations.Migration):
    dependencies = [("annotation", "0005_rows_keep_their_import")]

    operations = [
        *with_triggers_aside(
            [
                migrations.AddField(
                    "schemeversion",
                    "wording_sha256",
                    ContentHash(of=["wording", "guidelines"], default=""),
                    preserve_default=False,
                )
            ]
        ),
        fill_hashes("annotation", "schemeversion"),
    ]
