import django.core.validators
import django.db.models.deletion
import django.db.models.functions.datetime
import uuid
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("datasets", "0007_role_periods_kept"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="JudgmentSet",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("public_id", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                (
                    "key",
                    models.CharField(
                        max_length=120,
                        validators=[
                            django.core.validators.RegexValidator(
                                "^[^\\s\\x00-\\x1f\\x7f]+\\Z",
                                "An identifier has no white space and no control characters.",
                            )
                        ],
                    ),
                ),
                ("name", models.CharField(max_length=160)),
                (
                    "level",
                    models.CharField(
                        choices=[
                            ("topics", "topics"),
                            ("queries", "queries"),
                            ("sub-queries", "sub-queries"),
                        ],
                        default="topics",
                        max_length=11,
                    ),
                ),
                ("scale_note", models.TextField(blank=True, verbose_name="note on the scale")),
                ("file_name", models.CharField(max_length=255)),
                ("file_sha256", models.CharField(max_length=64)),
                ("content_sha256", models.CharField(max_length=64)),
                (
                    "created_at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(), editable=False
                    ),
                ),
                (
                    "collection",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="judgment_sets",
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
                "ordering": ["name", "id"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("collection", "key"), name="datasets_judgmentset_key_once"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("level__in", ["topics", "queries", "sub-queries"])),
                        name="datasets_judgmentset_level_known",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Judgments",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("external_id", models.CharField(max_length=240)),
                ("documents", models.TextField()),
                ("literals", models.TextField()),
                (
                    "judgment_set",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="lists",
                        to="datasets.judgmentset",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "judgments",
                "ordering": ["judgment_set", "id"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("judgment_set", "external_id"),
                        name="datasets_judgments_once_per_topic",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Run",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("public_id", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                (
                    "level",
                    models.CharField(
                        choices=[
                            ("topics", "topics"),
                            ("queries", "queries"),
                            ("sub-queries", "sub-queries"),
                        ],
                        default="topics",
                        max_length=11,
                    ),
                ),
                ("tag", models.CharField(max_length=120)),
                (
                    "order",
                    models.CharField(
                        choices=[("score", "by score, as trec_eval does"), ("rank", "by rank")],
                        default="score",
                        max_length=5,
                    ),
                ),
                ("file_name", models.CharField(max_length=255)),
                ("file_sha256", models.CharField(max_length=64)),
                ("content_sha256", models.CharField(max_length=64)),
                ("report", models.JSONField(default=dict)),
                (
                    "created_at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(), editable=False
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
                "ordering": ["system__name", "tag", "id"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("level__in", ["topics", "queries", "sub-queries"])),
                        name="datasets_run_level_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("order__in", ["score", "rank"])),
                        name="datasets_run_order_known",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Ranking",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("external_id", models.CharField(max_length=240)),
                ("documents", models.TextField()),
                ("scores", models.TextField()),
                ("ranks", models.TextField()),
                (
                    "run",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="rankings",
                        to="datasets.run",
                    ),
                ),
            ],
            options={
                "ordering": ["run", "id"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("run", "external_id"), name="datasets_ranking_once_per_topic"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="System",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("public_id", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                (
                    "key",
                    models.CharField(
                        max_length=120,
                        validators=[
                            django.core.validators.RegexValidator(
                                "^[^\\s\\x00-\\x1f\\x7f]+\\Z",
                                "An identifier has no white space and no control characters.",
                            )
                        ],
                    ),
                ),
                ("name", models.CharField(max_length=160)),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("retrieval", "retrieval"),
                            ("reranking", "reranking"),
                            ("human", "human"),
                            ("machine", "machine"),
                        ],
                        default="retrieval",
                        max_length=9,
                    ),
                ),
                ("model_family", models.CharField(blank=True, max_length=120)),
                (
                    "is_pooled",
                    models.BooleanField(default=False, verbose_name="contributed to the pools"),
                ),
                (
                    "collection",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="systems",
                        to="datasets.collection",
                    ),
                ),
            ],
            options={
                "ordering": ["name", "id"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("collection", "key"), name="datasets_system_key_once"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("kind__in", ["retrieval", "reranking", "human", "machine"])
                        ),
                        name="datasets_system_kind_known",
                    ),
                ],
            },
        ),
        migrations.AddField(
            model_name="run",
            name="system",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="runs",
                to="datasets.system",
            ),
        ),
        migrations.AddConstraint(
            model_name="run",
            constraint=models.UniqueConstraint(
                fields=("system", "level", "tag"), name="datasets_run_tag_once"
            ),
        ),
    ]
