from django.db import migrations

from audit.hashes import ContentHash, fill_hashes
from audit.triggers import with_triggers_aside

TEXTS = {
    "document": ["title", "sentences"],
    "query": ["text", "sentences"],
    "topic": ["facet", "text"],
}


class Migration(migrations.Migration):
    dependencies = [("datasets", "0002_query_sentences")]

    operations = [
        *with_triggers_aside(
            [
                migrations.AddField(
                    model, "text_sha256", ContentHash(of=fields, default=""), preserve_default=False
                )
                for model, fields in TEXTS.items()
            ]
        ),
        fill_hashes("datasets", *TEXTS),
    ]
