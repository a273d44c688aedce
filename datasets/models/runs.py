"""Systems, their runs and the rankings in these. Leads alone see them."""

from django.db import models
from django.db.models import Q

from audit.constraints import check, unique
from audit.models import CreatedRow, PublicRow
from datasets.models.collections import Collection
from datasets.models.imports import IDENTIFIER


class Level(models.TextChoices):
    """The subject of a ranking or of a list of judgments."""

    TOPICS = "topics", "topics"
    QUERIES = "queries", "queries"  # complex queries as wholes
    SUB_QUERIES = "sub-queries", "sub-queries"  # some aspects of one complex query

    @property
    def singular(self) -> str:
        return {"topics": "topic", "queries": "query", "sub-queries": "sub-query"}[self]


class System(PublicRow):
    """A producer of runs. `is_pooled` says whether its runs contributed to the pools."""

    class Kind(models.TextChoices):
        RETRIEVAL = "retrieval", "retrieval"
        RERANKING = "reranking", "reranking"
        HUMAN = "human", "human"
        MACHINE = "machine", "machine"

    collection = models.ForeignKey(Collection, on_delete=models.PROTECT, related_name="systems")
    key = models.CharField(max_length=120, validators=[IDENTIFIER])
    name = models.CharField(max_length=160)
    kind = models.CharField(max_length=9, choices=Kind, default=Kind.RETRIEVAL)
    model_family = models.CharField(max_length=120, blank=True)
    is_pooled = models.BooleanField("contributed to the pools", default=False)

    class Meta:
        ordering = ["name", "id"]
        constraints = [
            unique("key_once", "collection", "key"),
            check("kind_known", Q(kind__in=["retrieval", "reranking", "human", "machine"])),
        ]

    def __str__(self):
        return self.name


class Run(PublicRow, CreatedRow):
    """A system's rankings under one tag. `file_name` and `file_sha256` are of the file that came
    last: a later one may bring those of further topics.

    `content_sha256` is the hash of its rankings as they stand in order, whatever the file's format.
    `report` holds what reading the file told: lines, ties, ranks that contradict scores.
    """

    class Order(models.TextChoices):
        SCORE = "score", "by score, as trec_eval does"
        RANK = "rank", "by rank"

    system = models.ForeignKey(System, on_delete=models.PROTECT, related_name="runs")
    level = models.CharField(max_length=11, choices=Level, default=Level.TOPICS)
    tag = models.CharField(max_length=120)
    order = models.CharField(max_length=5, choices=Order, default=Order.SCORE)
    file_name = models.CharField(max_length=255)
    file_sha256 = models.CharField(max_length=64)
    content_sha256 = models.CharField(max_length=64)
    report = models.JSONField(default=dict)

    class Meta:
        ordering = ["system__name", "tag", "id"]
        constraints = [
            unique("tag_once", "system", "level", "tag"),
            check("level_known", Q(level__in=["topics", "queries", "sub-queries"])),
            check("order_known", Q(order__in=["score", "rank"])),
        ]

    def __str__(self):
        return self.tag

    @property
    def oddities(self) -> list[str]:
        """What was odd about its file when it was stored, in words."""
        kinds = {
            "ties": ("tie", "ties"),
            "contradictions": ("rank against the score", "ranks against the score"),
            "strangers": ("line about an unknown document", "lines about unknown documents"),
        }
        counts = {kind: self.report.get(kind, {}).get("count", 0) for kind in kinds}
        return [f"{n:,} {kinds[kind][n != 1]}" for kind, n in counts.items() if n]

    @property
    def label(self) -> str:
        """The run's name, unique in its level; pools name it as a source."""
        return self.tag if self.tag == self.system.key else f"{self.system.key}/{self.tag}"


class Ranking(models.Model):
    """The documents that a run ranks for one topic, best first.

    `external_id` is the topic's, or the query's by the level of the run; the collection need not
    have it yet. `documents`, `scores` and `ranks` run parallel, one entry a line: so that many
    rankings are read fast.
    """

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="rankings")
    external_id = models.CharField(max_length=240)
    documents = models.TextField()
    scores = models.TextField()
    ranks = models.TextField()

    class Meta:
        ordering = ["run", "id"]
        constraints = [unique("once_per_topic", "run", "external_id")]

    def __str__(self):
        return f"{self.run_id} on {self.external_id}"

    @property
    def document_ids(self) -> list[str]:
        return self.documents.split("\n")
