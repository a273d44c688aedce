"""Computed results, kept until something that they rest on changes.

Nothing here is a source of anything: every row can be deleted at any time.
"""

from django.db import models
from django.db.models.functions import Now

from audit.constraints import unique
from datasets.models import Collection, Topic


class TopicCopy(models.Model):
    """One topic's pairs, ratings and decisions as arrays (`agreement/study/rows.py`).

    True for as long as `state` is the topic's (`agreement/study/copies.py`). It holds everybody's
    ratings and knows no viewer: what a viewer may not see is left out after reading it.
    """

    # Without a constraint: a copy holds nobody up who deletes a topic.
    topic = models.OneToOneField(
        Topic, on_delete=models.CASCADE, primary_key=True, related_name="+", db_constraint=False
    )
    state = models.CharField(max_length=64)
    pairs = models.BinaryField()
    ratings = models.BinaryField()
    decisions = models.BinaryField()

    class Meta:
        verbose_name_plural = "topic copies"

    def __str__(self):
        return f"copy of topic {self.topic_id}"


class Known(models.Model):
    """A result by the hash of all that it comes from, so that the same input never has to be
    computed twice, whoever looks at it."""

    collection = models.ForeignKey(
        Collection, on_delete=models.CASCADE, related_name="+", db_constraint=False
    )
    key = models.CharField(max_length=64)
    made_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        abstract = True
        constraints = [unique("key_once", "collection", "key")]

    def __str__(self):
        return f"{self._meta.verbose_name} {self.key[:12]}"


class KnownIntervals(Known):
    """Bootstrap intervals, by counts of ratings, resampling and seed."""

    values = models.JSONField()

    class Meta(Known.Meta):
        verbose_name_plural = "known intervals"
