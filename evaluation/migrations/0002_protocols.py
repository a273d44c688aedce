import audit.hashes
import django.db.models.deletion
import django.db.models.functions.datetime
import uuid
from django.conf import settings
from django.db import migrations, models

from audit.triggers import append_only


class Migration(migrations.Migration):
    dependencies = [
        ("datasets", "0011_ranks_of_candidates"),
        ("evaluation", "0001_mappings"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="ProtocolVersion",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("public_id", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ("key", models.SlugField(max_length=60)),
                ("number", models.PositiveIntegerField()),
                ("name", models.CharField(max_length=160)),
                (
                    "created_at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(), editable=False
                    ),
                ),
                ("data", models.JSONField()),
                (
                    "content_sha256",
                    audit.hashes.ContentHash(
                        editable=False, max_length=64, of=["key", "name", "data"]
                    ),
                ),
                (
                    "collection",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="%(class)s_set",
                        to="datasets.collection",
                    ),
                ),
                (
                    "created_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "protocol",
                "ordering": ["key", "number"],
                "abstract": False,
                "constraints": [
                    models.UniqueConstraint(
                        fields=("collection", "key", "number"),
                        name="evaluation_protocolversion_number_once_per_key",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("number__gte", 1)),
                        name="evaluation_protocolversion_number_from_1",
                    ),
                ],
            },
        ),
        *[refusal.operation() for refusal in append_only("evaluation_protocolversion")],
    ]
