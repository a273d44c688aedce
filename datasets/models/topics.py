"""Topics, and their places in the trees of queries."""

from django.db import models
from django.db.models import Q

from audit.constraints import check, unique
from audit.hashes import ContentHash
from audit.models import PublicRow, by_account
from datasets.models.collections import Collection
from datasets.models.imports import IDENTIFIER, Imported
from datasets.models.queries import Query


class Topic(PublicRow, Imported):
    """The thing judged against: a query under one facet, or one aspect; it has the qrels.

    Topics are judged documents' other half: `external_id` is the query id of the exported qrels.
    Locking a topic ends every change to its decisions.
    """

    collection = models.ForeignKey(Collection, on_delete=models.PROTECT, related_name="topics")
    external_id = models.CharField(max_length=240, validators=[IDENTIFIER])
    facet = models.CharField(max_length=60, blank=True)
    text = models.TextField(blank=True)
    text_sha256 = ContentHash(of=["facet", "text"])
    metadata = models.JSONField(default=dict, blank=True)
    position = models.PositiveIntegerField(default=0)
    locked_at = models.DateTimeField(null=True, editable=False)
    locked_by = by_account(null=True)
    queries = models.ManyToManyField(Query, through="TopicPlace", related_name="topics")

    class Meta:
        ordering = ["position", "id"]
        constraints = [
            unique("external_id", "collection", "external_id"),
            check("facet_or_text", ~Q(facet="") | ~Q(text="")),
            check(
                "locked_at_and_by_together",
                Q(locked_at__isnull=True, locked_by__isnull=True)
                | Q(locked_at__isnull=False, locked_by__isnull=False),
            ),
        ]

    def __str__(self):
        return self.external_id

    @property
    def is_locked(self):
        return self.locked_at is not None


class TopicPlace(models.Model):
    """A topic's place in the tree of a query; an aspect text may have several places."""

    topic = models.ForeignKey(Topic, on_delete=models.PROTECT, related_name="places")
    query = models.ForeignKey(Query, on_delete=models.PROTECT, related_name="places")
    parent = models.ForeignKey("self", on_delete=models.PROTECT, null=True, related_name="children")
    position = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["position", "id"]
        constraints = [
            unique("once_per_parent", "topic", "query", "parent"),
            unique("once_at_the_root", "topic", "query", condition=Q(parent__isnull=True)),
        ]

    def __str__(self):
        return f"{self.topic} in {self.query_id}"
