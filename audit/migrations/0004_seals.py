from django.db import migrations, models

from audit.triggers import append_only


class Migration(migrations.Migration):
    dependencies = [
        ("audit", "0003_request_id"),
    ]

    operations = [
        migrations.CreateModel(
            name="Seal",
            fields=[
                ("number", models.PositiveBigIntegerField(primary_key=True, serialize=False)),
                ("previous", models.CharField(blank=True, max_length=64)),
                ("coverage", models.PositiveSmallIntegerField()),
                ("ranges", models.JSONField()),
                ("event_count", models.PositiveIntegerField()),
                ("last_event", models.PositiveBigIntegerField()),
                ("sealed_at", models.DateTimeField()),
                ("sha256", models.CharField(max_length=64, unique=True)),
            ],
            options={
                "indexes": [models.Index(fields=["sealed_at"], name="audit_seal_sealed_at")],
            },
        ),
        *(refusal.operation() for refusal in append_only("audit_seal")),
    ]
