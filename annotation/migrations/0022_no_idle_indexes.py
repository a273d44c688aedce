"""Ratings and pairs lose the indexes of foreign keys that another index begins with, or that nobody
searches by: a save wrote 11 of them. Dropped by name, since SQLite would make each table anew."""

from django.conf import settings
from django.db import migrations, models


def without_index(model, name, to, hashed, *, related_name="+", null=False):
    index = f"annotation_{model}_{name}_id_{hashed}"
    field = models.ForeignKey(
        to, on_delete=models.PROTECT, null=null, related_name=related_name, db_index=False
    )
    return migrations.RunSQL(
        f"DROP INDEX {index}",
        f"CREATE INDEX {index} ON annotation_{model} ({name}_id)",
        state_operations=[migrations.AlterField(model, name, field)],
    )


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0021_program_saves_stay"),
        ("datasets", "0014_kept_answers"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        without_index("pair", "topic", "datasets.topic", "8ee4088e", related_name="pairs"),
        without_index("pair", "gold_option", "annotation.option", "97c9e9ef", null=True),
        without_index("rating", "pair", "annotation.pair", "655ec643", related_name="ratings"),
        without_index("rating", "seat", "annotation.seat", "35601f7a", related_name="ratings"),
        without_index(
            "rating", "annotator", "datasets.membership", "8a88457b", related_name="ratings"
        ),
        without_index("rating", "option", "annotation.option", "3c7df59f", null=True),
        without_index("rating", "scheme_version", "annotation.schemeversion", "c1197f12"),
        without_index(
            "ratingrevision", "rating", "annotation.rating", "8c68a31a", related_name="revisions"
        ),
        without_index("ratingrevision", "option", "annotation.option", "418d33ae", null=True),
        without_index(
            "ratingrevision", "saved_by", settings.AUTH_USER_MODEL, "4a58708e", null=True
        ),
        without_index("ratingrevision", "scheme_version", "annotation.schemeversion", "56ae7dff"),
    ]
