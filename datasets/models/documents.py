"""Papers."""

import uuid

from django.db import models

from audit.hashes import ContentHash
from datasets.models.collections import Collection
from datasets.models.imports import IDENTIFIER, Imported


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
