"""Imports, and what they may bring in."""

from django.core.validators import RegexValidator
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from audit.constraints import check, unique
from audit.models import CreatedRow, PublicRow
from datasets.models.collections import Collection

IDENTIFIER = RegexValidator(
    r"^[^\s\x00-\x1f\x7f]+\Z", "An identifier has no white space and no control characters."
)


class Import(PublicRow, CreatedRow):
    """One run of an importer. Its rows are invisible until `state` is active.

    `fingerprint` is the SHA-256 over the names and bytes of the input and the options: the same
    input imported twice is recognised and changes nothing.
    """

    class State(models.TextChoices):
        INACTIVE = "inactive", "being written"
        ACTIVE = "active", "active"
        DEAD = "dead", "swept after it died"

    collection = models.ForeignKey(Collection, on_delete=models.PROTECT, related_name="imports")
    kind = models.CharField(max_length=30)
    fingerprint = models.CharField(max_length=64)
    state = models.CharField(max_length=8, choices=State, default=State.INACTIVE)
    summary = models.JSONField(default=dict, blank=True)
    heartbeat_at = models.DateTimeField(db_default=Now(), editable=False)
    activated_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        ordering = ["-id"]
        constraints = [
            check(
                "active_has_its_time",
                Q(state="active", activated_at__isnull=False)
                | Q(state__in=["inactive", "dead"], activated_at__isnull=True),
            ),
            # Two imports into one collection at once would each check against a state that the
            # other is about to change.
            unique(
                "one_at_a_time",
                "collection",
                condition=Q(state="inactive"),
                violation_error_message="Another import into this collection is running.",
            ),
        ]

    def __str__(self):
        return f"{self.kind} into {self.collection}"


def active(path: str = "") -> Q:
    """The condition of `ActiveManager`; `path` leads to the row, as `batch__` does."""
    return Q(**{f"{path}imported__isnull": True}) | Q(
        **{f"{path}imported__state": Import.State.ACTIVE}
    )


def active_in_list(path: str = "") -> Q:
    """The same with the active imports as a list, which the database makes once. To join them to
    each of very many rows took half of the time."""
    imports = Import.objects.filter(state=Import.State.ACTIVE)
    return Q(**{f"{path}imported__isnull": True}) | Q(**{f"{path}imported__in": imports})


class ActiveManager(models.Manager):
    """Rows of completed imports and rows written by hand: what an import has not finished, or
    never will, does not exist for anyone. Importers use `including_inactive`."""

    def get_queryset(self):
        return super().get_queryset().filter(active())


class Imported(models.Model):
    """A row that an import may bring in."""

    imported = models.ForeignKey(
        Import, on_delete=models.PROTECT, null=True, related_name="+", editable=False
    )

    objects = ActiveManager()
    including_inactive = models.Manager()  # noqa: DJ012 - a second manager, not a field

    class Meta:
        abstract = True
