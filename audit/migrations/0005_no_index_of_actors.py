"""Nobody searches the trail by actor. Dropped by name, since SQLite would make the table anew."""

from django.conf import settings
from django.db import migrations, models

INDEX = "audit_event_actor_id_fdb5de2b"


class Migration(migrations.Migration):
    dependencies = [
        ("audit", "0004_seals"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RunSQL(
            f"DROP INDEX {INDEX}",
            f"CREATE INDEX {INDEX} ON audit_event (actor_id)",
            state_operations=[
                migrations.AlterField(
                    "event",
                    "actor",
                    models.ForeignKey(
                        settings.AUTH_USER_MODEL,
                        on_delete=models.PROTECT,
                        null=True,
                        related_name="+",
                        db_index=False,
                    ),
                )
            ],
        )
    ]
