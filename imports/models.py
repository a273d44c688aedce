"""Imports that are being prepared, and how the columns of files were matched before."""

from django.conf import settings
from django.db import models
from django.db.models.functions import Now

from audit.constraints import unique
from audit.models import PublicRow, by_account
from datasets.models import Collection


class Draft(PublicRow):
    """Files that a lead brought and has not imported yet; one for each lead and collection.

    `files` are [name, stored name, size] of the folder `token` among the uploads. `settings` say
    how they are read. `report` is what the last look at them gave, made of `revision`
    `report_revision`: an import needs one of the present revision without problems.
    """

    collection = models.ForeignKey(Collection, on_delete=models.CASCADE, related_name="drafts")
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+"
    )
    token = models.CharField(max_length=64)
    files = models.JSONField(default=list)
    settings = models.JSONField(default=dict)
    revision = models.PositiveIntegerField(default=1)
    report = models.JSONField(default=dict)
    report_revision = models.PositiveIntegerField(default=0)
    job = models.UUIDField(null=True)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [unique("one_per_lead", "collection", "created_by")]

    def __str__(self):
        return f"{len(self.files)} files for {self.collection}"

    @property
    def is_checked(self):
        """Whether the report is about the files and settings as they are now."""
        return self.report_revision == self.revision

    @property
    def may_be_imported(self):
        return self.is_checked and bool(self.report.get("counts")) and not self.report["problems"]


class KeptMatching(models.Model):
    """A matching of columns and grades, kept for the next files with the same columns."""

    collection = models.ForeignKey(
        Collection, on_delete=models.CASCADE, related_name="kept_matchings"
    )
    columns_sha256 = models.CharField(max_length=64)
    format = models.CharField(max_length=30)
    matching = models.JSONField(default=dict)
    kept_by = by_account(null=True)
    kept_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [unique("once", "collection", "columns_sha256")]

    def __str__(self):
        return f"{self.format} into {self.collection}"
