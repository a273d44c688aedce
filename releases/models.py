"""Exports that were made and can be downloaded."""

from django.core.files.storage import storages
from django.db import models
from django.db.models import Q

from audit.constraints import check
from audit.models import CreatedRow, PublicRow
from datasets.models import Collection


class Export(PublicRow, CreatedRow):
    """One finished export. Its files lie in a folder of the store and never change.

    `files` is [{"name", "size", "sha256"}], the manifest first; `batches` are the public ids of
    the batches whose judgments are in it.
    """

    class Format(models.TextChoices):
        TREC = "trec", "TREC qrels"
        CSFCUBE = "csfcube", "CSFCube files"
        CSV = "csv", "CSV tables"
        DORIS_MAE = "doris-mae", "DORIS-MAE file"
        BIRCO = "birco", "BIRCO JSON"
        BEIR = "beir", "BEIR folder"

    collection = models.ForeignKey(Collection, on_delete=models.PROTECT, related_name="exports")
    format = models.CharField(max_length=20, choices=Format)
    options = models.JSONField(default=dict)
    is_incomplete = models.BooleanField()
    files = models.JSONField(default=list)
    counts = models.JSONField(default=dict)
    batches = models.JSONField(default=list)

    class Meta:
        ordering = ["-id"]
        constraints = [
            check(
                "format_known",
                Q(format__in=["trec", "csfcube", "csv", "doris-mae", "birco", "beir"]),
            ),
        ]

    def __str__(self):
        return f"{self.get_format_display()} of {self.collection}"

    @property
    def made_at(self):
        """The moment in words, to the second: two may be of one minute."""
        return f"{self.created_at.day} {self.created_at:%b %Y, %H:%M:%S} UTC"

    @staticmethod
    def store():
        """The store of exported files, which every machine of the installation reaches."""
        return storages["exports"]

    def stored_name(self, name):
        """The name of one of its files in the store."""
        return f"{self.public_id}/{name}"

    @property
    def archive_name(self):
        level = self.options.get("level", "queries")
        parts = [
            self.collection.slug,
            self.format,
            *([level] if level != "queries" else []),
            # Nobody may take other values for gold because of a file's name.
            *self._source_words,
            *(["incomplete"] if self.is_incomplete else []),
        ]
        return f"{'-'.join(parts)}.zip"

    @property
    def saved_name(self):
        """The archive's name for those who save it, who tell two exports by when they were made."""
        base, _, suffix = self.archive_name.rpartition(".")
        return f"{base}-{self.created_at:%Y-%m-%d-%H%M%S}.{suffix}"

    @property
    def _source_words(self):
        source = self.options.get("source")
        if not source:
            return ["machine"] if self.options.get("run") else []
        mapping = source.get("mapping")
        # An address holds what no file's name should: identifiers of strangers.
        words = [source["address"].partition(":")[0]]
        if source["address"].startswith("seat:"):
            words = [source["address"].replace(":", "-")]
        return [*words, *([f"{mapping['key']}-{mapping['version']}"] if mapping else [])]

    @property
    def source_in_words(self):
        """The source of its values; empty for gold. Exports that were made before there were other
        sources name a machine run alone."""
        if run := self.options.get("run"):
            return f"machine run {run}"
        return self.options.get("source", {}).get("in_words", "")

    def has_any_of(self, batches):
        """Whether it holds judgments of one of these batches, given by their public ids."""
        return not set(self.batches).isdisjoint(map(str, batches))
