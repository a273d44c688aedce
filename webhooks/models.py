"""Hooks of collections, what is to be delivered to them, and every try."""

import secrets
from datetime import timedelta
from typing import Self

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.urls import reverse

from audit.constraints import check, unique
from audit.models import PublicRow, by_account
from datasets.models import Collection

# Longer than a try may take. A worker that holds a delivery longer has died.
LEASE = timedelta(minutes=1)


def new_salt() -> str:
    return secrets.token_hex(32)


class Hook(PublicRow):
    """An address that is told of some kinds of events of a collection.

    Its secret is derived from `salt` and the installation's key (webhooks/signing.py).
    `sealed_through` is the last seal of the trail that was read for it. `failures` counts failed
    tries in a row, the first of them at `failing_since`; before `quiet_until` it is left alone.
    """

    class Off(models.TextChoices):
        BY_LEAD = "by-lead", "a lead turned it off"
        FAILED = "failed", "it failed for three days"
        COPIED = "copied", "it was restored from a backup"

    collection = models.ForeignKey(Collection, on_delete=models.PROTECT, related_name="hooks")
    address = models.CharField(max_length=500)
    kinds = models.JSONField(default=list)
    salt = models.CharField(max_length=64, default=new_salt, editable=False)
    sealed_through = models.PositiveBigIntegerField(default=0, editable=False)
    # Empty while it is on.
    off = models.CharField(max_length=7, choices=Off, blank=True, editable=False)
    failures = models.PositiveIntegerField(default=0, editable=False)
    failing_since = models.DateTimeField(null=True, editable=False)
    quiet_until = models.DateTimeField(null=True, editable=False)
    created_by = by_account()
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ["id"]
        constraints = [
            check("off_known", Q(off__in=["", "by-lead", "failed", "copied"])),
            check(
                "failing_since_first_failure",
                Q(failures=0, failing_since=None) | Q(failures__gte=1, failing_since__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"webhook {self.public_id}"

    def get_absolute_url(self) -> str:
        return reverse("webhooks:hook", args=[self.public_id])

    @property
    def is_on(self) -> bool:
        return not self.off


class DeliveryQuerySet(models.QuerySet):
    def free(self) -> Self:
        """Deliveries that no worker holds at this moment, by the database's clock."""
        return self.filter(Q(claimed_until=None) | Q(claimed_until__lt=Now()))

    def due(self) -> Self:
        """Deliveries to try now. What a person sent again does not wait for the hook's pause."""
        is_quiet = Q(hook__quiet_until__gt=Now(), asked_by=None)
        waiting = self.filter(state=Delivery.State.WAITING, next_try_at__lte=Now(), hook__off="")
        return waiting.free().exclude(is_quiet)


class Delivery(PublicRow):
    """One event on its way to one hook.

    `body` is sent as it stands, at each try. `event` is the id of the event in the trail, null for
    a test; it never leaves the server, for it counts what everybody does. `attempts` is the token
    of the worker that holds the delivery until `claimed_until`.
    """

    class State(models.TextChoices):
        WAITING = "waiting", "waiting"  # for its first try, or for the next
        DELIVERED = "delivered", "delivered"  # an answer of 200 to 299 came
        GIVEN_UP = "given-up", "given up"  # failed for three days; only a person sends it again

    hook = models.ForeignKey(Hook, on_delete=models.CASCADE, related_name="deliveries")
    event = models.PositiveBigIntegerField(null=True, editable=False)
    kind = models.CharField(max_length=40)
    body = models.TextField()
    state = models.CharField(max_length=9, choices=State, default=State.WAITING)
    attempts = models.PositiveIntegerField(default=0)
    # Since it was first tried, or sent again by hand.
    failures = models.PositiveIntegerField(default=0)
    failing_since = models.DateTimeField(null=True, editable=False)
    next_try_at = models.DateTimeField(db_default=Now())
    claimed_until = models.DateTimeField(null=True, editable=False)
    # The person who sent it again by hand, until that try.
    asked_by = by_account(null=True)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = DeliveryQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "deliveries"
        ordering = ["-id"]
        constraints = [
            unique("once_per_event", "hook", "event"),
            check("state_known", Q(state__in=["waiting", "delivered", "given-up"])),
        ]
        indexes = [
            models.Index(
                fields=["next_try_at"],
                condition=Q(state="waiting"),
                name="webhooks_delivery_waiting",
            ),
            models.Index(fields=["created_at"], name="webhooks_delivery_created"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.public_id}"


class Try(models.Model):
    """One try of a delivery. It has a status, a sentence why it failed, or is still under way; one
    that has neither after its time was cut off with its worker."""

    delivery = models.ForeignKey(Delivery, on_delete=models.CASCADE, related_name="tries")
    number = models.PositiveIntegerField()
    started_at = models.DateTimeField(db_default=Now(), editable=False)
    # Null where it was tried by itself.
    by = by_account(null=True)
    status = models.PositiveSmallIntegerField(null=True)
    sentence = models.CharField(max_length=300, blank=True)
    milliseconds = models.PositiveIntegerField(null=True)

    class Meta:
        verbose_name_plural = "tries"
        ordering = ["delivery", "-number"]
        constraints = [unique("number_once", "delivery", "number")]

    def __str__(self) -> str:
        return f"try {self.number} of {self.delivery}"

    @property
    def is_success(self) -> bool:
        return self.milliseconds is not None and not self.sentence
