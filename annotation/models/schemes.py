"""Schemes. Facets, scales and the rule are rows that never change after the first rating; wording,
guidelines and keys are a version, and each rating names its version."""

from functools import cached_property

from django.db import models
from django.db.models import Q

from annotation.rating.consensus import OF_AN_ORDER, RULES, in_words
from annotation.schemes.wording import Wording
from audit.constraints import check, unique
from audit.hashes import ContentHash
from audit.models import CreatedRow
from datasets.models import Collection
from formats.records import MAX_OVERLAP, PLAIN_FACET


class Scheme(models.Model):
    """The fixed part: `rule` names a consensus rule, whose distance belongs to each scale."""

    collection = models.OneToOneField(Collection, on_delete=models.PROTECT, related_name="scheme")
    title = models.CharField(max_length=160)
    overlap = models.PositiveSmallIntegerField(default=2)
    rule = models.CharField(max_length=30, default="any_difference")
    hides_ratings = models.BooleanField(
        "hide ratings from the adjudicator until a first own value", default=False
    )

    class Meta:
        constraints = [
            check("overlap_1_to_9", Q(overlap__gte=1, overlap__lte=MAX_OVERLAP)),
            check("rule_known", Q(rule__in=list(RULES))),
        ]

    def __str__(self):
        return self.title

    @property
    def current(self):
        """The version that new ratings are made under."""
        return self.versions.latest("number")

    @property
    def shown_facets(self):
        """The facets that people are told of: none where queries are judged as they are."""
        return self.facets.exclude(key=PLAIN_FACET)

    @property
    def has_facets(self):
        """Whether queries are judged under facets; else as they are, or under aspects."""
        return not self.current.judges_aspects and self.shown_facets.exists()

    @cached_property
    def _scales(self):
        """By facet, in one statement; every scale has options."""
        scales = {}
        for option in self.options.select_related("scale"):
            scale = scales.setdefault(option.scale.facet, option.scale)
            vars(scale).setdefault("option_list", []).append(option)
            option.scale = scale
        return scales

    def scale_of(self, facet):
        """The scale on which topics under a facet are judged, with its options; of aspects the
        facet is empty. KeyError where the scheme has no such facet."""
        return self._scales.get("") or self._scales[facet]

    @property
    def all_scales(self):
        """Its scales in the order of the facets: the shared one alone, or one for each."""
        return list(self._scales.values())

    @property
    def shares_a_scale(self):
        """Whether all topics are judged on one scale, so that figures over them have a meaning."""
        return "" in self._scales

    @property
    def rule_in_words(self):
        """The rule of agreement as a sentence."""
        scales = self.all_scales if self.rule in OF_AN_ORDER else []
        return in_words(self.rule, *(scale.distance for scale in scales))

    @property
    def options(self):
        """The options of all its scales."""
        return Option.objects.using(self._state.db).filter(scale__scheme=self)


class Facet(models.Model):
    """A facet of the judgments; `sentence_labels` are the labels that count as this facet.

    Plain relevance is one facet of its own key that is not shown, whose topics carry the ids of
    their queries.
    """

    scheme = models.ForeignKey(Scheme, on_delete=models.PROTECT, related_name="facets")
    key = models.SlugField(max_length=60)
    sentence_labels = models.JSONField(default=list)
    position = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["position"]
        constraints = [unique("key_once_per_scheme", "scheme", "key")]

    def __str__(self):
        return self.key


class Scale(models.Model):
    """The options of a facet, or of everything that a scheme judges where `facet` is empty.

    A scheme has one shared scale or one for each facet; a trigger refuses both beside each other.
    Without an order, values are mere labels. `distance` is the rule's, where it has one.
    """

    scheme = models.ForeignKey(Scheme, on_delete=models.PROTECT, related_name="scales")
    facet = models.SlugField(max_length=60, blank=True)
    is_ordinal = models.BooleanField(default=True)
    distance = models.DecimalField(max_digits=6, decimal_places=3, null=True, blank=True)
    position = models.PositiveSmallIntegerField(default=0)

    class Meta:
        ordering = ["position"]
        constraints = [
            unique("once_per_facet", "scheme", "facet"),
            check(
                "distance_in_an_order",
                Q(distance__isnull=True) | Q(distance__gt=0, is_ordinal=True),
            ),
        ]

    def __str__(self):
        return self.facet or "shared"

    @cached_property
    def option_list(self):
        return list(self.options.all())

    @property
    def offered(self):
        """The options that people choose from, in their order."""
        return [option for option in self.option_list if not option.is_import_only]

    @property
    def values(self):
        """The values of all its options, lowest first."""
        return sorted({option.value for option in self.option_list})


class Option(models.Model):
    """An option and the decimal it stands for; several options may share a value.

    An import-only option stands for values whose label was not recorded; nobody can choose it.
    """

    scale = models.ForeignKey(Scale, on_delete=models.PROTECT, related_name="options")
    key = models.SlugField(max_length=60)
    value = models.DecimalField(max_digits=6, decimal_places=3)
    is_import_only = models.BooleanField(default=False)
    position = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["scale__position", "position"]
        constraints = [unique("key_once_per_scale", "scale", "key")]

    def __str__(self):
        return self.key


class SchemeVersion(CreatedRow):
    """The wording under which ratings are made.

    `wording` is {"facets": {facet key: {"name", "question", "definitions": {option key: text}}},
    "options": {option key: {"name", "shortcut"}}, "cannot_judge_reasons": [{"key", "name"}],
    "causes": [{"key", "name"}]}; `guidelines` is Markdown. A facet with a scale of its own has its
    own "options". A scheme that judges aspects has "aspects" beside "facets", with the same content
    as one facet, and may have "key_components": {"is_asked": bool, "question": text, "suggestions":
    [{"option", "at_least" or "above": share}]}. The first suggestion that fits the share of
    components met gives the option.
    """

    scheme = models.ForeignKey(Scheme, on_delete=models.PROTECT, related_name="versions")
    number = models.PositiveIntegerField()
    wording = models.JSONField()
    guidelines = models.TextField(blank=True)
    wording_sha256 = ContentHash(of=["wording", "guidelines"])
    change_note = models.TextField(blank=True)

    class Meta:
        ordering = ["number"]
        constraints = [unique("number_once_per_scheme", "scheme", "number")]

    def __str__(self):
        return f"version {self.number}"

    @cached_property
    def words(self) -> Wording:
        """The wording, parsed: what every page, file and check reads."""
        return Wording.of(self.wording)

    @property
    def judges_aspects(self):
        """Whether topics are aspects of queries that are texts."""
        return self.words.aspects is not None

    @property
    def asks_components(self):
        """Whether annotators may split an aspect into key components and judge each."""
        components = self.words.key_components
        return components is not None and components.is_asked
