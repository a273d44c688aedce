import uuid

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


def keep_sessions(apps, schema_editor):
    """Nobody is signed out by the update: what is in Django's own table moves."""
    earlier = apps.get_model("sessions", "Session").objects
    sessions = apps.get_model("accounts", "Session")
    rows = earlier.values("session_key", "session_data", "expire_date")
    sessions.objects.bulk_create([sessions(**row) for row in rows], batch_size=500)
    earlier.all().delete()


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0004_keys"),
        ("sessions", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="Session",
            fields=[
                (
                    "session_key",
                    models.CharField(
                        max_length=40,
                        primary_key=True,
                        serialize=False,
                        verbose_name="session key",
                    ),
                ),
                ("session_data", models.TextField(verbose_name="session data")),
                ("expire_date", models.DateTimeField(db_index=True, verbose_name="expire date")),
                (
                    "account",
                    models.ForeignKey(
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "edition",
                    models.UUIDField(default=uuid.uuid4, editable=False, unique=True),
                ),
            ],
            options={
                "verbose_name": "session",
                "verbose_name_plural": "sessions",
                "abstract": False,
            },
        ),
        migrations.RunPython(keep_sessions, migrations.RunPython.noop),
    ]
