"""How a collection is judged. Facets, values and the rule are rows that never change after the
first rating; wording, guidelines and keys are a version, and each rating names its version."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from annotation.rating.consensus import RULES
from audit.hashes import ContentHash
from datasets.models import Collection


class Scheme(models.Model):
    """The fixed part: `rule` names a consensus rule, `rule_distance` its d where it has one."""

    collection = models.OneToOneField(Collection, on_delete=models.PROTECT, related_name="scheme")
    title = models.CharField(max_length=160)
    overlap = models.PositiveSmallIntegerField(default=2)
    rule = models.CharField(max_length=30, default="any_difference")
    rule_distance = models.DecimalField(max_digits=6, decimal_places=3, null=True, blank=True)
    hides_ratings = models.BooleanField(
        "hide ratings from the adjudicator until a first own value", default=False
    )

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(overlap__gte=1, overlap__lte=9),
                name="%(app_label)s_%(class)s_overlap_1_to_9",
            ),
            models.CheckConstraint(
                condition=Q(rule__in=list(RULES)), name="%(app_label)s_%(class)s_rule_known"
            ),
            models.CheckConstraint(
                condition=Q(rule="difference_of_at_least", rule_distance__gt=0)
                | (~Q(rule="difference_of_at_least") & Q(rule_distance__isnull=True)),
                name="%(app_label)s_%(class)s_distance_iff_its_rule",
            ),
        ]

    def __str__(self):
        return self.title

    @property
    def current(self):
        """The version that new ratings are made under."""
        return self.versions.latest("number")


class Facet(models.Model):
    """What a query is judged under; `sentence_labels` are the labels that count as this facet."""

    scheme = models.ForeignKey(Scheme, on_delete=models.PROTECT, related_name="facets")
    key = models.SlugField(max_length=60)
    sentence_labels = models.JSONField(default=list)
    position = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(
                fields=["scheme", "key"], name="%(app_label)s_%(class)s_key_once_per_scheme"
            ),
        ]

    def __str__(self):
        return self.key


class Option(models.Model):
    """What is chosen, and the decimal it stands for; several options may share a value.

    An import-only option stands for values whose label was not recorded; nobody can choose it.
    """

    scheme = models.ForeignKey(Scheme, on_delete=models.PROTECT, related_name="options")
    key = models.SlugField(max_length=60)
    value = models.DecimalField(max_digits=6, decimal_places=3)
    is_import_only = models.BooleanField(default=False)
    position = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(
                fields=["scheme", "key"], name="%(app_label)s_%(class)s_key_once_per_scheme"
            ),
        ]

    def __str__(self):
        return self.key


class SchemeVersion(models.Model):
    """The wording under which ratings are made.

    `wording` is {"facets": {facet key: {"name", "question", "definitions": {option key: text}}},
    "options": {option key: {"name", "shortcut"}}, "cannot_judge_reasons": [{"key", "name"}],
    "causes": [{"key", "name"}]}; `guidelines` is Markdown. A scheme that judges aspects has
    "aspects" beside "facets", with the same content as one facet, and may have "key_components":
    {"is_asked": bool, "question": text, "suggestions": [{"option", "at_least" or "above": share}]},
    of which the first that fits the share of components met gives the option to suggest.
    """

    scheme = models.ForeignKey(Scheme, on_delete=models.PROTECT, related_name="versions")
    number = models.PositiveIntegerField()
    wording = models.JSONField()
    guidelines = models.TextField(blank=True)
    wording_sha256 = ContentHash(of=["wording", "guidelines"])
    change_note = models.TextField(blank=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(
                fields=["scheme", "number"], name="%(app_label)s_%(class)s_number_once_per_scheme"
            ),
        ]

    def __str__(self):
        return f"version {self.number}"

    @property
    def judges_aspects(self):
        """Whether topics are aspects of queries that are texts."""
        return "aspects" in self.wording

    @property
    def asks_components(self):
        """Whether annotators may split an aspect into key components and judge each."""
        return self.wording.get("key_components", {}).get("is_asked", False)

    def words_for(self, facet):
        """Name, question and definitions for judging topics of a facet, by its key; those of
        aspects where it is empty."""
        if facet:
            return self.wording["facets"].get(facet, {})
        return self.wording.get("aspects", {})
