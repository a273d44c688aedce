import uuid

import django.db.models.deletion
from django.db import migrations, models

from audit.triggers import with_triggers_aside


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0002_refusals"),
        ("datasets", "0002_query_sentences"),
    ]

    operations = with_triggers_aside(
        [
            migrations.AddField("batch", "drawn", models.JSONField(editable=False, null=True)),
            migrations.AddField(
                "batch",
                "way",
                models.CharField(
                    choices=[
                        ("topic", "one topic over its documents"),
                        ("document", "one document under all its topics"),
                    ],
                    default="topic",
                    max_length=8,
                ),
            ),
            migrations.AddConstraint(
                "batch",
                models.CheckConstraint(
                    condition=models.Q(("way__in", ["topic", "document"])),
                    name="annotation_batch_way_known",
                ),
            ),
            migrations.AddField("rating", "components", models.JSONField(blank=True, default=list)),
            migrations.AddField(
                "ratingrevision", "components", models.JSONField(blank=True, default=list)
            ),
            migrations.CreateModel(
                name="MachineRun",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    (
                        "public_id",
                        models.UUIDField(default=uuid.uuid4, editable=False, unique=True),
                    ),
                    ("model", models.CharField(max_length=120)),
                    ("name", models.CharField(max_length=120)),
                    (
                        "collection",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="machine_runs",
                            to="datasets.collection",
                        ),
                    ),
                    (
                        "imported",
                        models.ForeignKey(
                            editable=False,
                            null=True,
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="+",
                            to="datasets.import",
                        ),
                    ),
                ],
                options={
                    "ordering": ["model", "name"],
                    "constraints": [
                        models.UniqueConstraint(
                            fields=("collection", "model", "name"),
                            name="annotation_machinerun_name_once",
                        )
                    ],
                },
            ),
            migrations.CreateModel(
                name="MachineScore",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    ("value", models.DecimalField(decimal_places=3, max_digits=6, null=True)),
                    ("response", models.TextField(blank=True)),
                    (
                        "imported",
                        models.ForeignKey(
                            editable=False,
                            null=True,
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="+",
                            to="datasets.import",
                        ),
                    ),
                    (
                        "pair",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="machine_scores",
                            to="annotation.pair",
                        ),
                    ),
                    (
                        "run",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="scores",
                            to="annotation.machinerun",
                        ),
                    ),
                ],
                options={
                    "constraints": [
                        models.UniqueConstraint(
                            fields=("run", "pair"), name="annotation_machinescore_once_per_run"
                        )
                    ],
                },
            ),
        ]
    )
