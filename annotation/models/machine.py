"""Scores by programs. They never take a seat and are never gold by themselves."""

from django.db import models

from annotation.models.batches import Pair
from audit.constraints import unique
from audit.models import PublicRow
from datasets.models import Collection, Imported


class MachineRun(PublicRow, Imported):
    """One run of one model over pairs of a collection."""

    collection = models.ForeignKey(
        Collection, on_delete=models.PROTECT, related_name="machine_runs"
    )
    model = models.CharField(max_length=120)
    name = models.CharField(max_length=120)

    class Meta:
        ordering = ["model", "name"]
        constraints = [unique("name_once", "collection", "model", "name")]

    def __str__(self):
        return f"{self.model}, {self.name}"


class MachineScore(Imported):
    """A run's value for one pair on the scale; null if the response could not be read as a
    value."""

    run = models.ForeignKey(MachineRun, on_delete=models.PROTECT, related_name="scores")
    pair = models.ForeignKey(Pair, on_delete=models.PROTECT, related_name="machine_scores")
    value = models.DecimalField(max_digits=6, decimal_places=3, null=True)
    response = models.TextField(blank=True)
    # Keys of the source file that we do not interpret, for export.
    extra = models.JSONField(default=dict, blank=True)

    class Meta:
        constraints = [unique("once_per_run", "run", "pair")]

    def __str__(self):
        return f"{self.run} on {self.pair_id}"
