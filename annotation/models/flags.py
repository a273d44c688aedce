"""Answers of leads to flags."""

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from annotation.models.ratings import Rating
from annotation.models.schemes import SchemeVersion
from audit.constraints import check
from audit.models import PublicRow, by_account


class FlagAnswer(PublicRow):
    """A lead's answer to one annotator's flag. Triggers refuse UPDATE and DELETE.

    `scheme_version` is the version of the guidelines in which the text became a rule.
    """

    class Kind(models.TextChoices):
        REPLY = "reply", "replied"
        DISCUSSED = "discussed", "discussed it"
        RULE = "rule", "made it a rule of the guidelines"

    rating = models.ForeignKey(Rating, on_delete=models.PROTECT, related_name="flag_answers")
    kind = models.CharField(max_length=10, choices=Kind)
    text = models.TextField(blank=True)
    scheme_version = models.ForeignKey(
        SchemeVersion, on_delete=models.PROTECT, null=True, related_name="+"
    )
    given_by = by_account()
    given_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ["rating", "id"]
        constraints = [
            check("kind", Q(kind__in=["reply", "discussed", "rule"])),
            check("says_something", Q(kind="discussed") | ~Q(text="")),
            check(
                "rule_has_a_version",
                Q(kind="rule", scheme_version__isnull=False)
                | (~Q(kind="rule") & Q(scheme_version__isnull=True)),
            ),
        ]

    def __str__(self):
        return f"{self.kind} to the flag of rating {self.rating_id}"
