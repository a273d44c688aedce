"""Ratings that were changed have an index of their own, which a first save does not write."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0023_triggers_of_what_moves"),
        ("datasets", "0014_kept_answers"),
    ]

    operations = [
        migrations.AddIndex(
            model_name="rating",
            index=models.Index(
                condition=models.Q(("version__gt", 1)),
                fields=["pair", "version"],
                name="annotation_rating_changed",
            ),
        ),
    ]
