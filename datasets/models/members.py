"""Members of a collection, their roles over time, and invitations."""

from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.db.models.functions import Now

from accounts.models import initials_of
from audit.constraints import check, unique
from audit.models import PublicRow, by_account
from datasets.models.collections import Collection
from datasets.models.imports import active_in_list


class Role(models.TextChoices):
    ANNOTATOR = "annotator", "annotator"
    ADJUDICATOR = "adjudicator", "adjudicator"
    LEAD = "lead", "lead"


class MembershipQuerySet(models.QuerySet):
    def current(self) -> Self:
        """Members who are not removed. People of an import that is not active are no members
        yet."""
        # Without a join the rows can still be locked.
        return self.filter(active_in_list(), removed_at=None)

    def annotators(self) -> Self:
        return self.current().filter(is_annotator=True)

    def leads(self) -> Self:
        return self.current().filter(is_lead=True)


class Membership(PublicRow):
    """One person in one collection, with one or several roles.

    Seats, ratings and decisions belong to memberships. So a person known only from an imported
    study (`user` is null, `external_id` is the file's name for them) is a member without sign-in.
    They can be linked to an account later without touching a rating.
    """

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
            unique("one_per_user", "collection", "user"),
            unique(
                "one_per_external_id", "collection", "external_id", condition=~Q(external_id="")
            ),
            check("user_or_external_id", Q(user__isnull=False) | ~Q(external_id="")),
            check("has_a_role", Q(is_annotator=True) | Q(is_adjudicator=True) | Q(is_lead=True)),
        ]

    def __str__(self):
        return self.name

    @property
    def initials(self):
        return initials_of(self.name)

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
            unique("one_at_a_time", "member", "role", condition=Q(until=None)),
            check("role_known", Q(role__in=Role.values)),
        ]

    def __str__(self):
        return f"{self.member}, {self.role}"


class InvitationQuerySet(models.QuerySet):
    def working(self) -> Self:
        """Links that let somebody in now. One that a lead made does so while they lead: it must not
        let them in again."""
        leads = Membership.objects.leads().filter(
            collection=OuterRef("collection"), user=OuterRef("created_by")
        )
        return self.filter(
            Q(created_by__is_site_admin=True) | Exists(leads),
            created_by__is_active=True,
            used_at=None,
            revoked_at=None,
            expires_at__gt=Now(),
        )


class Invitation(PublicRow):
    """A single-use link into a collection with one role; only the hash of its token is kept.

    `membership` is set where the link hands an imported person's place to an account.
    """

    collection = models.ForeignKey(Collection, on_delete=models.PROTECT, related_name="invitations")
    role = models.CharField(max_length=11, choices=Role)
    email = models.EmailField(blank=True)
    membership = models.ForeignKey(
        Membership, on_delete=models.PROTECT, null=True, related_name="invitations"
    )
    token_hash = models.CharField(max_length=64, unique=True, editable=False)
    created_by = by_account()
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, editable=False)
    used_by = by_account(null=True)
    revoked_at = models.DateTimeField(null=True, editable=False)

    objects = InvitationQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at", "-id"]
        constraints = [
            check(
                "used_at_and_by_together",
                Q(used_at__isnull=True, used_by__isnull=True)
                | Q(used_at__isnull=False, used_by__isnull=False),
            ),
            check("used_or_revoked", Q(used_at__isnull=True) | Q(revoked_at__isnull=True)),
            check("role_known", Q(role__in=Role.values)),
        ]

    def __str__(self):
        return f"{self.role} of {self.collection}"
