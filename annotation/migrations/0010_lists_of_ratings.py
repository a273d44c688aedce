"""Indexes for medians of times and for flags, so that pages need not sort every rating."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0009_readers_do_not_rate"),
        ("datasets", "0007_role_periods_kept"),
    ]

    operations = [
        migrations.AddIndex(
            model_name="rating",
            index=models.Index(
                fields=["annotator", "active_seconds"], name="annotation_rating_times"
            ),
        ),
        migrations.AddIndex(
            model_name="rating",
            index=models.Index(
                condition=models.Q(("is_flagged", True)),
                fields=["seat"],
                name="annotation_rating_flags",
            ),
        ),
    ]
