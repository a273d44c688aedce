"""Decisions on disputed pairs."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from annotation.models import Option, Pair
from datasets.models import Membership, Topic


class Decision(models.Model):
    """An adjudicator's value for a pair, or its exclusion. Rows are only ever superseded.

    One standing decision per pair: `superseded_at` is null for it alone. A change by its author
    or a reopening by a lead sets `superseded_at`, `superseded_by` and, for a reopening, why.
    """

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    pair = models.ForeignKey(Pair, on_delete=models.PROTECT, related_name="decisions")
    adjudicator = models.ForeignKey(Membership, on_delete=models.PROTECT, related_name="decisions")
    option = models.ForeignKey(Option, on_delete=models.PROTECT, null=True, related_name="+")
    exclusion_reason = models.TextField(blank=True)
    cause = models.SlugField(max_length=60, blank=True)
    rationale = models.TextField(blank=True)
    save_id = models.UUIDField(unique=True, default=uuid.uuid4)
    decided_at = models.DateTimeField(db_default=Now(), editable=False)
    superseded_at = models.DateTimeField(null=True, editable=False)
    superseded_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    reopening_reason = models.TextField(blank=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["pair"],
                condition=Q(superseded_at__isnull=True),
                name="%(app_label)s_%(class)s_one_standing_per_pair",
            ),
            models.CheckConstraint(
                condition=Q(option__isnull=False, exclusion_reason="")
                | (Q(option__isnull=True) & ~Q(exclusion_reason="")),
                name="%(app_label)s_%(class)s_option_or_exclusion",
            ),
            models.CheckConstraint(
                condition=Q(superseded_at__isnull=False) | Q(reopening_reason=""),
                name="%(app_label)s_%(class)s_standing_is_not_reopened",
            ),
        ]

    def __str__(self):
        return f"decision on {self.pair_id}"


class FirstValue(models.Model):
    """The value an adjudicator gave before the scheme let them see the ratings."""

    pair = models.ForeignKey(Pair, on_delete=models.PROTECT, related_name="first_values")
    adjudicator = models.ForeignKey(Membership, on_delete=models.PROTECT, related_name="+")
    option = models.ForeignKey(Option, on_delete=models.PROTECT, related_name="+")
    given_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["pair", "adjudicator"], name="%(app_label)s_%(class)s_once"
            ),
        ]

    def __str__(self):
        return f"first value for {self.pair_id}"


class TopicHold(models.Model):
    """An adjudicator has a topic open; others see that until `until`."""

    topic = models.OneToOneField(Topic, on_delete=models.PROTECT, related_name="hold")
    adjudicator = models.ForeignKey(Membership, on_delete=models.PROTECT, related_name="holds")
    until = models.DateTimeField()

    def __str__(self):
        return f"{self.topic} held by {self.adjudicator}"
