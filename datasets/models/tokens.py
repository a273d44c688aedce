"""Tokens, which programs show instead of a password."""

from datetime import timedelta

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from audit.constraints import check, unique
from audit.models import PublicRow, by_account
from datasets.models.members import Membership, Role

# For how long a program that sends the same change again gets the same answer.
ANSWERS_KEPT = timedelta(days=30)


class Scope(models.TextChoices):
    """A use of a token, within the roles that its person has at that moment."""

    READ = "read", "Read the data, the figures and the work, but no single rating"
    RATINGS = "ratings", "Read single ratings, decisions, gold and the trail"
    WRITE_DATA = "write:data", "Import documents, queries, pools and ratings"
    WRITE_RUNS = "write:runs", "Add and remove runs and judgments"
    WRITE_MACHINE = "write:machine", "Import machine scores"
    LEAD = "lead", "Lead: scheme, members, batches, seats, locks"
    EXPORT = "export", "Make and fetch exports and qrels"
    RATE = "rate", "Rate and hand in, where the collection lets programs rate"
    ADJUDICATE = "adjudicate", "Read the queue and decide"
    COLLECTIONS = "collections", "Create collections and name their first lead"


# The scopes that are of use in each role; `collections` is of site admins alone.
SCOPES_OF = {
    Role.ANNOTATOR: [Scope.READ, Scope.RATINGS, Scope.RATE],
    Role.ADJUDICATOR: [Scope.READ, Scope.ADJUDICATE],
    Role.LEAD: [
        *(Scope.READ, Scope.RATINGS, Scope.WRITE_DATA, Scope.WRITE_RUNS, Scope.WRITE_MACHINE),
        *(Scope.LEAD, Scope.EXPORT),
    ],
}


class TokenQuerySet(models.QuerySet):
    def working(self) -> "TokenQuerySet":
        """Tokens that are neither revoked nor expired; `datasets.tokens` asks the rest."""
        return self.filter(revoked_at=None, expires_at__gt=Now())


class Token(PublicRow):
    """A secret of one membership, or of a site admin's account; only its hash is kept.

    `sign_in_sha256` is the account's own mark at the time: it changes with the password, with
    deactivation and when the account is signed out everywhere, and the token dies with it.
    """

    account = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="tokens"
    )
    membership = models.ForeignKey(
        Membership, on_delete=models.PROTECT, null=True, related_name="tokens"
    )
    name = models.CharField(max_length=80)
    scopes = models.JSONField(default=list)
    token_hash = models.CharField(max_length=64, unique=True, editable=False)
    sign_in_sha256 = models.CharField(max_length=64, editable=False)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    expires_at = models.DateTimeField()
    last_used_on = models.DateField(null=True, editable=False)
    revoked_at = models.DateTimeField(null=True, editable=False)
    revoked_by = by_account(null=True)

    objects = TokenQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at", "-id"]
        constraints = [
            check(
                "revoked_at_and_by_together",
                Q(revoked_at__isnull=True, revoked_by__isnull=True)
                | Q(revoked_at__isnull=False, revoked_by__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return self.name


class KeptAnswerQuerySet(models.QuerySet):
    def old(self) -> "KeptAnswerQuerySet":
        return self.filter(created_at__lt=Now() - ANSWERS_KEPT)


class KeptAnswer(models.Model):
    """The answer to a program's change, kept under the program's key for it.

    The row is written in the transaction of the change, so that a key that is there has acted.
    `answer` may hold a link or a secret, so it is enciphered under the token
    (`api/writes/idempotency.py`).
    """

    token = models.ForeignKey(Token, on_delete=models.PROTECT, related_name="kept_answers")
    key = models.UUIDField()
    # Of the method, the address and what was sent.
    request_sha256 = models.CharField(max_length=64, editable=False)
    answer = models.BinaryField(default=bytes)
    created_at = models.DateTimeField(db_default=Now(), db_index=True, editable=False)

    objects = KeptAnswerQuerySet.as_manager()

    class Meta:
        constraints = [unique("once_for_each_token", "token", "key")]

    def __str__(self) -> str:
        return f"answer under {self.key}"
