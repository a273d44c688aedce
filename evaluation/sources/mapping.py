"""A mapping: a table from options to grades, under which the values of a source are read."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from formats.decimals import plain


@dataclass(frozen=True)
class Mapping:
    """One version of a mapping. `grades` are (facet of the scale, option, grade); the facet is
    empty for a scale that all facets share."""

    key: str
    number: int
    name: str
    grades: tuple[tuple[str, str, Decimal], ...]

    @property
    def address(self) -> str:
        """As it stands in an address, a command and a manifest: `binary.2`."""
        return f"{self.key}.{self.number}"

    @property
    def in_words(self) -> str:
        return f"{self.name}, version {self.number}"

    @property
    def data(self) -> dict[str, Any]:
        """As a manifest has it."""
        of_scales: dict[str, dict[str, str]] = {}
        for facet, option, grade in self.grades:
            of_scales.setdefault(facet or "all", {})[option] = plain(grade)
        return {"key": self.key, "version": self.number, "name": self.name, "grades": of_scales}
