import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0019_pairs_counted_from_an_index"),
        ("datasets", "0013_tokens"),
    ]

    operations = [
        migrations.CreateModel(
            name="ProgramSave",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "revision",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="program_save",
                        to="annotation.ratingrevision",
                    ),
                ),
                (
                    "token",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="datasets.token",
                    ),
                ),
            ],
        ),
    ]
