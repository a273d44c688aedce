"""Leads' definitions for the scores of a collection, and stored results. A version never changes; a
change is another version, so that a figure that names one can be computed again.
"""

from decimal import Decimal

from django.db import models
from django.db.models import Q

from agreement.models import Known
from audit.constraints import check, unique
from audit.hashes import ContentHash
from audit.models import CreatedRow, PublicRow
from datasets.models import Collection
from evaluation.protocols import Protocol
from evaluation.sources.mapping import Mapping


class Definition(PublicRow, CreatedRow):
    """A version of what a lead defined; `key` is the same in all versions of one thing."""

    collection = models.ForeignKey(
        Collection, on_delete=models.PROTECT, related_name="%(class)s_set"
    )
    key = models.SlugField(max_length=60)
    number = models.PositiveIntegerField()
    name = models.CharField(max_length=160)

    class Meta:
        abstract = True
        ordering = ["key", "number"]
        constraints = [
            unique("number_once_per_key", "collection", "key", "number"),
            check("number_from_1", Q(number__gte=1)),
        ]

    def __str__(self):
        return f"{self.name}, version {self.number}"

    @property
    def address(self):
        """As it stands in an address and in a command: `binary.2`."""
        return f"{self.key}.{self.number}"


class MappingVersion(Definition):
    """A table from the options of a scheme to grades: {facet of the scale: {option: grade}}.

    The facet is empty for a scale that all facets share; grades are decimals as text.
    """

    grades = models.JSONField()
    content_sha256 = ContentHash(of=["key", "name", "grades"])

    class Meta(Definition.Meta):
        verbose_name = "mapping"

    @property
    def mapping(self):
        return Mapping(
            self.key,
            self.number,
            self.name,
            tuple(
                (facet, option, Decimal(grade))
                for facet, of_options in sorted(self.grades.items())
                for option, grade in sorted(of_options.items())
            ),
        )


class ProtocolVersion(Definition):
    """A protocol of a lead's own; `data` is what `Protocol.data` has beside key and name."""

    data = models.JSONField()
    content_sha256 = ContentHash(of=["key", "name", "data"])

    class Meta(Definition.Meta):
        verbose_name = "protocol"

    @property
    def protocol(self):
        """The protocol under its address, which names the version."""
        return Protocol.read({"key": self.address, "name": self.name, **self.data})


class KnownResult(Known):
    """Measured runs, by runs, grades, protocol and program."""

    content = models.BinaryField()
