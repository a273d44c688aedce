"""Collections and what is in them: members, documents, queries, pools, topics, imports."""

import secrets
import uuid

from django.conf import settings
from django.core.validators import RegexValidator
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from accounts.sessions import DEFAULT_IDLE_HOURS, DEFAULT_LEAD_IDLE_HOURS
from audit.hashes import ContentHash

IDENTIFIER = RegexValidator(
    r"^[^\s\x00-\x1f\x7f]+\Z", "An identifier has no white space and no control characters."
)


class Role(models.TextChoices):
    ANNOTATOR = "annotator", "annotator"
    ADJUDICATOR = "adjudicator", "adjudicator"
    LEAD = "lead", "lead"


HOUR, DAY = 1, 24
IDLE_CHOICES = [
    (1 * HOUR, "1 hour without use"),
    (4 * HOUR, "4 hours without use"),
    (12 * HOUR, "12 hours without use"),
    (1 * DAY, "1 day without use"),
    (3 * DAY, "3 days without use"),
    (7 * DAY, "1 week without use"),
    (14 * DAY, "2 weeks without use"),
]


def pseudonym_key():
    return secrets.token_hex(32)


class Collection(models.Model):
    """One test collection being built, with what every export of it carries."""

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    slug = models.SlugField(max_length=60, unique=True)
    name = models.CharField(max_length=160)
    description = models.TextField(blank=True)
    licence = models.CharField(max_length=200, blank=True)
    source = models.TextField(blank=True)
    citation = models.TextField(blank=True)
    # What an import found beside the study itself (evaluation splits, unknown keys), for export.
    extra = models.JSONField(default=dict, blank=True)
    pseudonym_key = models.CharField(max_length=64, default=pseudonym_key, editable=False)
    # How long a session may be idle; of all that hold for a person the strictest counts.
    idle_hours = models.PositiveSmallIntegerField(
        "sessions of annotators and adjudicators end after",
        choices=IDLE_CHOICES,
        default=DEFAULT_IDLE_HOURS,
    )
    lead_idle_hours = models.PositiveSmallIntegerField(
        "sessions of leads end after", choices=IDLE_CHOICES, default=DEFAULT_LEAD_IDLE_HOURS
    )
    leads_need_second_factor = models.BooleanField("leads need a second factor", default=False)
    # Who looks at scores of runs while people rate may steer what is rated next.
    scores_wait_for_locking = models.BooleanField(
        "scores of runs stay closed until every topic is locked", default=False
    )
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(idle_hours__in=list(dict(IDLE_CHOICES)))
                & Q(lead_idle_hours__in=list(dict(IDLE_CHOICES))),
                name="%(app_label)s_%(class)s_idle_hours_known",
            ),
        ]

    def __str__(self):
        return self.name


class MembershipQuerySet(models.QuerySet):
    def current(self):
        """Members who are not removed; people of an import that is not active are none yet."""
        # A subquery instead of a join, so that the rows can still be locked.
        active = Import.objects.filter(state=Import.State.ACTIVE)
        return self.filter(Q(imported=None) | Q(imported__in=active), removed_at=None)

    def annotators(self):
        return self.current().filter(is_annotator=True)

    def leads(self):
        return self.current().filter(is_lead=True)


class Membership(models.Model):
    """One person in one collection, with one or several roles.

    Seats, ratings and decisions belong to memberships, so that a person known only from an
    imported study (`user` is null, `external_id` is the file's name for them) is a member without
    sign-in and can be linked to an account later without touching a rating.
    """

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    collection = models.ForeignKey(Collection, on_delete=models.PROTECT, related_name="memberships")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="memberships"
    )
    name = models.CharField(max_length=120)
    external_id = models.CharField(max_length=120, blank=True)
    # The number CSFCube's readable files give the person, where it differs from the JSON files'.
    readable_id = models.CharField(max_length=120, blank=True)
    is_annotator = models.BooleanField(default=False)
    is_adjudicator = models.BooleanField(default=False)
    is_lead = models.BooleanField(default=False)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    removed_at = models.DateTimeField(null=True, editable=False)
    imported = models.ForeignKey(
        "Import", on_delete=models.PROTECT, null=True, related_name="+", editable=False
    )

    objects = MembershipQuerySet.as_manager()

    class Meta:
        ordering = ["name", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["collection", "user"], name="%(app_label)s_%(class)s_one_per_user"
            ),
            models.UniqueConstraint(
                fields=["collection", "external_id"],
                condition=~Q(external_id=""),
                name="%(app_label)s_%(class)s_one_per_external_id",
            ),
            models.CheckConstraint(
                condition=Q(user__isnull=False) | ~Q(external_id=""),
                name="%(app_label)s_%(class)s_user_or_external_id",
            ),
            models.CheckConstraint(
                condition=Q(is_annotator=True) | Q(is_adjudicator=True) | Q(is_lead=True),
                name="%(app_label)s_%(class)s_has_a_role",
            ),
        ]

    def __str__(self):
        return self.name

    @property
    def roles(self):
        return [role for role in Role if getattr(self, f"is_{role}")]


class RolePeriod(models.Model):
    """From when until when a member had a role; `until` is null while they have it.

    The database writes these rows itself whenever a membership changes, and refuses other changes:
    who could read ratings at which time is read from them (ADR 10).
    """

    member = models.ForeignKey(Membership, on_delete=models.CASCADE, related_name="role_periods")
    role = models.CharField(max_length=11, choices=Role)
    since = models.DateTimeField(db_default=Now(), editable=False)
    until = models.DateTimeField(null=True, editable=False)

    class Meta:
        ordering = ["member", "since", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["member", "role"],
                condition=Q(until=None),
                name="%(app_label)s_%(class)s_one_at_a_time",
            ),
            models.CheckConstraint(
                condition=Q(role__in=Role.values), name="%(app_label)s_%(class)s_role_known"
            ),
        ]

    def __str__(self):
        return f"{self.member}, {self.role}"


class Invitation(models.Model):
    """A single-use link into a collection with one role; only the hash of its token is kept.

    `membership` is set where the link hands an imported person's place to an account.
    """

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    collection = models.ForeignKey(Collection, on_delete=models.PROTECT, related_name="invitations")
    role = models.CharField(max_length=11, choices=Role)
    email = models.EmailField(blank=True)
    membership = models.ForeignKey(
        Membership, on_delete=models.PROTECT, null=True, related_name="invitations"
    )
    token_hash = models.CharField(max_length=64, unique=True, editable=False)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, editable=False)
    used_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    revoked_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        ordering = ["-created_at", "-id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(used_at__isnull=True, used_by__isnull=True)
                | Q(used_at__isnull=False, used_by__isnull=False),
                name="%(app_label)s_%(class)s_used_at_and_by_together",
            ),
            models.CheckConstraint(
                condition=Q(used_at__isnull=True) | Q(revoked_at__isnull=True),
                name="%(app_label)s_%(class)s_used_or_revoked",
            ),
            models.CheckConstraint(
                condition=Q(role__in=Role.values), name="%(app_label)s_%(class)s_role_known"
            ),
        ]

    def __str__(self):
        return f"{self.role} of {self.collection}"


class Import(models.Model):
    """One run of an importer. Its rows are invisible until `state` is active.

    `fingerprint` is the SHA-256 over the names and bytes of the input and the options: the same
    input imported twice is recognised and changes nothing.
    """

    class State(models.TextChoices):
        INACTIVE = "inactive", "being written"
        ACTIVE = "active", "active"
        DEAD = "dead", "swept after it died"

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    collection = models.ForeignKey(Collection, on_delete=models.PROTECT, related_name="imports")
    kind = models.CharField(max_length=30)
    fingerprint = models.CharField(max_length=64)
    state = models.CharField(max_length=8, choices=State, default=State.INACTIVE)
    summary = models.JSONField(default=dict, blank=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    heartbeat_at = models.DateTimeField(db_default=Now(), editable=False)
    activated_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(state="active", activated_at__isnull=False)
                | Q(state__in=["inactive", "dead"], activated_at__isnull=True),
                name="%(app_label)s_%(class)s_active_has_its_time",
            ),
            # Two imports into one collection at once would each check against a state that the
            # other is about to change.
            models.UniqueConstraint(
                fields=["collection"],
                condition=Q(state="inactive"),
                name="%(app_label)s_%(class)s_one_at_a_time",
                violation_error_message="Another import into this collection is running.",
            ),
        ]

    def __str__(self):
        return f"{self.kind} into {self.collection}"


class ActiveManager(models.Manager):
    """Rows of completed imports and rows written by hand: what an import has not finished, or
    never will, does not exist for anyone. Importers use `including_inactive`."""

    def get_queryset(self):
        return (
            super()
            .get_queryset()
            .filter(Q(imported__isnull=True) | Q(imported__state=Import.State.ACTIVE))
        )


class Imported(models.Model):
    """What an import may bring in."""

    imported = models.ForeignKey(
        Import, on_delete=models.PROTECT, null=True, related_name="+", editable=False
    )

    objects = ActiveManager()
    including_inactive = models.Manager()  # noqa: DJ012 - a second manager, not a field

    class Meta:
        abstract = True


class Document(Imported):
    """A paper. `sentences` is a list of {"text": str, "label": str or null} in reading order.

    `metadata` holds bibliographic fields as imported (year, authors, venue, citations); it is kept
    for exports and never shown to annotators.
    """

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    collection = models.ForeignKey(Collection, on_delete=models.PROTECT, related_name="documents")
    external_id = models.CharField(max_length=200, validators=[IDENTIFIER])
    title = models.TextField()
    sentences = models.JSONField(default=list)
    text_sha256 = ContentHash(of=["title", "sentences"])
    metadata = models.JSONField(default=dict, blank=True)
    # Keys of the source file that we do not interpret, for export.
    extra = models.JSONField(default=dict, blank=True)
    position = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["collection", "external_id"], name="%(app_label)s_%(class)s_external_id"
            ),
        ]

    def __str__(self):
        return self.title


class Query(Imported):
    """What is searched for: a query document, or a text.

    `sentences` are those of a text, as a list of {"text": str, "topics": [external ids of the
    topics that this sentence asks for]} in reading order.
    """

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    collection = models.ForeignKey(Collection, on_delete=models.PROTECT, related_name="queries")
    external_id = models.CharField(max_length=200, validators=[IDENTIFIER])
    document = models.ForeignKey(
        Document, on_delete=models.PROTECT, null=True, related_name="queries"
    )
    text = models.TextField(blank=True)
    sentences = models.JSONField(default=list, blank=True)
    text_sha256 = ContentHash(of=["text", "sentences"])
    metadata = models.JSONField(default=dict, blank=True)
    # Keys of the source file that we do not interpret, for export.
    extra = models.JSONField(default=dict, blank=True)
    position = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name_plural = "queries"
        ordering = ["position", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["collection", "external_id"], name="%(app_label)s_%(class)s_external_id"
            ),
            models.CheckConstraint(
                condition=Q(document__isnull=False) | ~Q(text=""),
                name="%(app_label)s_%(class)s_document_or_text",
            ),
        ]

    def __str__(self):
        return self.document.title if self.document else self.text


class Candidate(Imported):
    """One entry of a query's pool. Without `document` it is named there but has no text."""

    query = models.ForeignKey(Query, on_delete=models.PROTECT, related_name="candidates")
    external_id = models.CharField(max_length=200, validators=[IDENTIFIER])
    document = models.ForeignKey(
        Document, on_delete=models.PROTECT, null=True, related_name="candidacies"
    )
    sources = models.JSONField(default=list, blank=True)
    position = models.PositiveIntegerField()

    class Meta:
        ordering = ["position", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["query", "external_id"], name="%(app_label)s_%(class)s_once_per_pool"
            ),
        ]

    def __str__(self):
        return self.external_id


class Topic(Imported):
    """The thing judged against: a query under one facet, or one aspect; it has the qrels.

    Topics are judged documents' other half: `external_id` is the query id of the exported qrels.
    Locking a topic ends every change to its decisions.
    """

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    collection = models.ForeignKey(Collection, on_delete=models.PROTECT, related_name="topics")
    external_id = models.CharField(max_length=240, validators=[IDENTIFIER])
    facet = models.CharField(max_length=60, blank=True)
    text = models.TextField(blank=True)
    text_sha256 = ContentHash(of=["facet", "text"])
    metadata = models.JSONField(default=dict, blank=True)
    position = models.PositiveIntegerField(default=0)
    locked_at = models.DateTimeField(null=True, editable=False)
    locked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    queries = models.ManyToManyField(Query, through="TopicPlace", related_name="topics")

    class Meta:
        ordering = ["position", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["collection", "external_id"], name="%(app_label)s_%(class)s_external_id"
            ),
            models.CheckConstraint(
                condition=~Q(facet="") | ~Q(text=""), name="%(app_label)s_%(class)s_facet_or_text"
            ),
            models.CheckConstraint(
                condition=Q(locked_at__isnull=True, locked_by__isnull=True)
                | Q(locked_at__isnull=False, locked_by__isnull=False),
                name="%(app_label)s_%(class)s_locked_at_and_by_together",
            ),
        ]

    def __str__(self):
        return self.external_id

    @property
    def is_locked(self):
        return self.locked_at is not None


class TopicPlace(models.Model):
    """Where a topic stands in the tree of a query; an aspect text may stand at several places."""

    topic = models.ForeignKey(Topic, on_delete=models.PROTECT, related_name="places")
    query = models.ForeignKey(Query, on_delete=models.PROTECT, related_name="places")
    parent = models.ForeignKey("self", on_delete=models.PROTECT, null=True, related_name="children")
    position = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["position", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["topic", "query", "parent"], name="%(app_label)s_%(class)s_once_per_parent"
            ),
            models.UniqueConstraint(
                fields=["topic", "query"],
                condition=Q(parent__isnull=True),
                name="%(app_label)s_%(class)s_once_at_the_root",
            ),
        ]

    def __str__(self):
        return f"{self.topic} in {self.query_id}"
