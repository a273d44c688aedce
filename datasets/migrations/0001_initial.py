import datasets.models
import django.core.validators
import django.db.models.deletion
import django.db.models.functions.datetime
import uuid
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Collection",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("public_id", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ("slug", models.SlugField(max_length=60, unique=True)),
                ("name", models.CharField(max_length=160)),
                ("description", models.TextField(blank=True)),
                ("licence", models.CharField(blank=True, max_length=200)),
                ("source", models.TextField(blank=True)),
                ("citation", models.TextField(blank=True)),
                ("extra", models.JSONField(blank=True, default=dict)),
                (
                    "pseudonym_key",
                    models.CharField(
                        default=datasets.models.pseudonym_key, editable=False, max_length=64
                    ),
                ),
                (
                    "created_at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(), editable=False
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Import",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("public_id", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ("kind", models.CharField(max_length=30)),
                ("fingerprint", models.CharField(max_length=64)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("inactive", "being written"),
                            ("active", "active"),
                            ("dead", "swept after it died"),
                        ],
                        default="inactive",
                        max_length=8,
                    ),
                ),
                ("summary", models.JSONField(blank=True, default=dict)),
                (
                    "created_at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(), editable=False
                    ),
                ),
                (
                    "heartbeat_at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(), editable=False
                    ),
                ),
                ("activated_at", models.DateTimeField(editable=False, null=True)),
                (
                    "collection",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="imports",
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
                "ordering": ["-id"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("activated_at__isnull", False), ("state", "active")),
                            models.Q(
                                ("activated_at__isnull", True), ("state__in", ["inactive", "dead"])
                            ),
                            _connector="OR",
                        ),
                        name="datasets_import_active_has_its_time",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("state", "inactive")),
                        fields=("collection",),
                        name="datasets_import_one_at_a_time",
                        violation_error_message="Another import into this collection is running.",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Document",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("public_id", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                (
                    "external_id",
                    models.CharField(
                        max_length=200,
                        validators=[
                            django.core.validators.RegexValidator(
                                "^[^\\s\\x00-\\x1f\\x7f]+\\Z",
                                "An identifier has no white space and no control characters.",
                            )
                        ],
                    ),
                ),
                ("title", models.TextField()),
                ("sentences", models.JSONField(default=list)),
                ("metadata", models.JSONField(blank=True, default=dict)),
                ("extra", models.JSONField(blank=True, default=dict)),
                ("position", models.PositiveIntegerField(default=0)),
                (
                    "collection",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="documents",
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
                "constraints": [
                    models.UniqueConstraint(
                        fields=("collection", "external_id"), name="datasets_document_external_id"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Membership",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("public_id", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ("name", models.CharField(max_length=120)),
                ("external_id", models.CharField(blank=True, max_length=120)),
                ("readable_id", models.CharField(blank=True, max_length=120)),
                ("is_annotator", models.BooleanField(default=False)),
                ("is_adjudicator", models.BooleanField(default=False)),
                ("is_lead", models.BooleanField(default=False)),
                (
                    "created_at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(), editable=False
                    ),
                ),
                ("removed_at", models.DateTimeField(editable=False, null=True)),
                (
                    "collection",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="memberships",
                        to="datasets.collection",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="memberships",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["name", "id"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("collection", "user"), name="datasets_membership_one_per_user"
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("external_id", ""), _negated=True),
                        fields=("collection", "external_id"),
                        name="datasets_membership_one_per_external_id",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("user__isnull", False),
                            models.Q(("external_id", ""), _negated=True),
                            _connector="OR",
                        ),
                        name="datasets_membership_user_or_external_id",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("is_annotator", True),
                            ("is_adjudicator", True),
                            ("is_lead", True),
                            _connector="OR",
                        ),
                        name="datasets_membership_has_a_role",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Invitation",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("public_id", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                (
                    "role",
                    models.CharField(
                        choices=[
                            ("annotator", "annotator"),
                            ("adjudicator", "adjudicator"),
                            ("lead", "lead"),
                        ],
                        max_length=11,
                    ),
                ),
                ("email", models.EmailField(blank=True, max_length=254)),
                ("token_hash", models.CharField(editable=False, max_length=64, unique=True)),
                (
                    "created_at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(), editable=False
                    ),
                ),
                ("expires_at", models.DateTimeField()),
                ("used_at", models.DateTimeField(editable=False, null=True)),
                ("revoked_at", models.DateTimeField(editable=False, null=True)),
                (
                    "collection",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="invitations",
                        to="datasets.collection",
                    ),
                ),
                (
                    "created_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "used_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "membership",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="invitations",
                        to="datasets.membership",
                    ),
                ),
            ],
            options={
                "ordering": ["-created_at", "-id"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("used_at__isnull", True), ("used_by__isnull", True)),
                            models.Q(("used_at__isnull", False), ("used_by__isnull", False)),
                            _connector="OR",
                        ),
                        name="datasets_invitation_used_at_and_by_together",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("used_at__isnull", True), ("revoked_at__isnull", True), _connector="OR"
                        ),
                        name="datasets_invitation_used_or_revoked",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("role__in", ["annotator", "adjudicator", "lead"])),
                        name="datasets_invitation_role_known",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Query",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("public_id", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                (
                    "external_id",
                    models.CharField(
                        max_length=200,
                        validators=[
                            django.core.validators.RegexValidator(
                                "^[^\\s\\x00-\\x1f\\x7f]+\\Z",
                                "An identifier has no white space and no control characters.",
                            )
                        ],
                    ),
                ),
                ("text", models.TextField(blank=True)),
                ("metadata", models.JSONField(blank=True, default=dict)),
                ("position", models.PositiveIntegerField(default=0)),
                (
                    "collection",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="queries",
                        to="datasets.collection",
                    ),
                ),
                (
                    "document",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="queries",
                        to="datasets.document",
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
                "verbose_name_plural": "queries",
                "ordering": ["position", "id"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("collection", "external_id"), name="datasets_query_external_id"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("document__isnull", False),
                            models.Q(("text", ""), _negated=True),
                            _connector="OR",
                        ),
                        name="datasets_query_document_or_text",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Candidate",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "external_id",
                    models.CharField(
                        max_length=200,
                        validators=[
                            django.core.validators.RegexValidator(
                                "^[^\\s\\x00-\\x1f\\x7f]+\\Z",
                                "An identifier has no white space and no control characters.",
                            )
                        ],
                    ),
                ),
                ("sources", models.JSONField(blank=True, default=list)),
                ("position", models.PositiveIntegerField()),
                (
                    "document",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="candidacies",
                        to="datasets.document",
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
                (
                    "query",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="candidates",
                        to="datasets.query",
                    ),
                ),
            ],
            options={
                "ordering": ["position", "id"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("query", "external_id"), name="datasets_candidate_once_per_pool"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Topic",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("public_id", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                (
                    "external_id",
                    models.CharField(
                        max_length=240,
                        validators=[
                            django.core.validators.RegexValidator(
                                "^[^\\s\\x00-\\x1f\\x7f]+\\Z",
                                "An identifier has no white space and no control characters.",
                            )
                        ],
                    ),
                ),
                ("facet", models.CharField(blank=True, max_length=60)),
                ("text", models.TextField(blank=True)),
                ("metadata", models.JSONField(blank=True, default=dict)),
                ("position", models.PositiveIntegerField(default=0)),
                ("locked_at", models.DateTimeField(editable=False, null=True)),
                (
                    "collection",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="topics",
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
                (
                    "locked_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["position", "id"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("collection", "external_id"), name="datasets_topic_external_id"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("facet", ""), _negated=True),
                            models.Q(("text", ""), _negated=True),
                            _connector="OR",
                        ),
                        name="datasets_topic_facet_or_text",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("locked_at__isnull", True), ("locked_by__isnull", True)),
                            models.Q(("locked_at__isnull", False), ("locked_by__isnull", False)),
                            _connector="OR",
                        ),
                        name="datasets_topic_locked_at_and_by_together",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="TopicPlace",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("position", models.PositiveIntegerField(default=0)),
                (
                    "parent",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="children",
                        to="datasets.topicplace",
                    ),
                ),
                (
                    "query",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="places",
                        to="datasets.query",
                    ),
                ),
                (
                    "topic",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="places",
                        to="datasets.topic",
                    ),
                ),
            ],
            options={
                "ordering": ["position", "id"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("topic", "query", "parent"),
                        name="datasets_topicplace_once_per_parent",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("parent__isnull", True)),
                        fields=("topic", "query"),
                        name="datasets_topicplace_once_at_the_root",
                    ),
                ],
            },
        ),
        migrations.AddField(
            model_name="topic",
            name="queries",
            field=models.ManyToManyField(
                related_name="topics", through="datasets.TopicPlace", to="datasets.query"
            ),
        ),
        migrations.AddField(
            model_name="membership",
            name="imported",
            field=models.ForeignKey(
                editable=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="datasets.import",
            ),
        ),
    ]
