"""Judgments of others: grades made elsewhere. They are never gold, and leads alone see them."""

from django.db import models
from django.db.models import Q

from audit.constraints import check, unique
from audit.models import CreatedRow, PublicRow
from datasets.models.collections import Collection
from datasets.models.imports import IDENTIFIER
from datasets.models.runs import Level


class JudgmentSet(PublicRow, CreatedRow):
    """A named set of grades from one file.

    `content_sha256` is the hash of its judgments, whatever the file's format.
    """

    collection = models.ForeignKey(
        Collection, on_delete=models.PROTECT, related_name="judgment_sets"
    )
    key = models.CharField(max_length=120, validators=[IDENTIFIER])
    name = models.CharField(max_length=160)
    level = models.CharField(max_length=11, choices=Level, default=Level.TOPICS)
    scale_note = models.TextField("note on the scale", blank=True)
    file_name = models.CharField(max_length=255)
    file_sha256 = models.CharField(max_length=64)
    content_sha256 = models.CharField(max_length=64)

    class Meta:
        ordering = ["name", "id"]
        constraints = [
            unique("key_once", "collection", "key"),
            check("level_known", Q(level__in=["topics", "queries", "sub-queries"])),
        ]

    def __str__(self):
        return self.name


class Judgments(models.Model):
    """A set's grades for the documents of one topic or query.

    `external_id` is the topic's or the query's. `documents` and `literals` run parallel, one entry
    a line; a literal is the grade exactly as the file writes it.
    """

    judgment_set = models.ForeignKey(JudgmentSet, on_delete=models.CASCADE, related_name="lists")
    external_id = models.CharField(max_length=240)
    documents = models.TextField()
    literals = models.TextField()

    class Meta:
        verbose_name_plural = "judgments"
        ordering = ["judgment_set", "id"]
        constraints = [unique("once_per_topic", "judgment_set", "external_id")]

    def __str__(self):
        return f"{self.judgment_set_id} on {self.external_id}"

    @property
    def by_document(self) -> dict[str, str]:
        """{document: literal}"""
        return dict(zip(self.documents.split("\n"), self.literals.split("\n"), strict=True))
