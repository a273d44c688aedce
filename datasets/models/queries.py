"""Queries, and the pools of candidates."""

from django.db import models
from django.db.models import Q

from audit.constraints import check, unique
from audit.hashes import ContentHash
from audit.models import PublicRow
from datasets.models.collections import Collection
from datasets.models.documents import Document
from datasets.models.imports import IDENTIFIER, Imported


class Query(PublicRow, Imported):
    """An information need: a query document, or a text.

    `sentences` are those of a text, as a list of {"text": str, "topics": [external ids of the
    topics that this sentence asks for]} in reading order.
    """

    collection = models.ForeignKey(Collection, on_delete=models.PROTECT, related_name="queries")
    external_id = models.CharField(max_length=200, validators=[IDENTIFIER])
    document = models.ForeignKey(
        Document, on_delete=models.PROTECT, null=True, related_name="queries"
    )
    text = models.TextField(blank=True)
    sentences = models.JSONField(default=list, blank=True)
    text_sha256 = ContentHash(of=["text", "sentences"])
    # TREC's, shown beside the query.
    description = models.TextField(blank=True)
    narrative = models.TextField(blank=True)
    beside_sha256 = ContentHash(of=["description", "narrative"])
    metadata = models.JSONField(default=dict, blank=True)
    # Keys of the source file that we do not interpret, for export.
    extra = models.JSONField(default=dict, blank=True)
    position = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name_plural = "queries"
        ordering = ["position", "id"]
        constraints = [
            unique("external_id", "collection", "external_id"),
            check("document_or_text", Q(document__isnull=False) | ~Q(text="")),
        ]

    def __str__(self):
        return self.document.title if self.document else self.text


class Candidate(Imported):
    """One entry of a query's pool. Without `document` it is named there but has no text.

    `ranks` is {topic or query: {run: rank}} where the pool was drawn from runs.
    """

    query = models.ForeignKey(Query, on_delete=models.PROTECT, related_name="candidates")
    external_id = models.CharField(max_length=200, validators=[IDENTIFIER])
    document = models.ForeignKey(
        Document, on_delete=models.PROTECT, null=True, related_name="candidacies"
    )
    sources = models.JSONField(default=list, blank=True)
    ranks = models.JSONField(default=dict, blank=True)
    position = models.PositiveIntegerField()

    class Meta:
        ordering = ["position", "id"]
        constraints = [unique("once_per_pool", "query", "external_id")]

    def __str__(self):
        return self.external_id
