from django.db import migrations, models


class Migration(migrations.Migration):
    """Guesses are counted by limits instead of windows; what was counted may be forgotten."""

    dependencies = [("accounts", "0001_initial")]

    operations = [
        migrations.DeleteModel(name="Attempt"),
        migrations.CreateModel(
            name="Attempt",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("key", models.CharField(max_length=64, unique=True)),
                ("free_at", models.PositiveBigIntegerField(db_index=True)),
            ],
        ),
    ]
