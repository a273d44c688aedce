"""An export as it was offered: its manifest, and its files by their names.

Nothing is asked of the database: an export does not change, and the collection does.
"""

import csv
import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from audit.refusals import Refused
from formats.decimals import typeset
from releases.differences import complete_name
from releases.erratum.changes import Grade
from releases.formats import Level
from releases.formats.registry import GRADED
from releases.manifest import NAME
from releases.models import Export

# What the grades of an export are of, where that is no level of queries.
TOPICS = "topics"
ReadFile = Callable[[str], bytes]
# What reading raises where a content has another shape than it is read in.
MISREAD = (
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
    ArithmeticError,
    RecursionError,
    csv.Error,
)


class NotComparable(Refused):
    """An export has no grades that can be read, or two have grades of different things."""


@dataclass(frozen=True)
class Exported:
    """An export as it was offered: its `name` in sentences, its manifest, and the bytes of a file
    by its name; reading raises FileNotFoundError where there is none, or NotComparable."""

    name: str
    manifest: Mapping[str, Any]
    read: ReadFile

    @classmethod
    def of(cls, export: Export) -> "Exported":
        """One that the installation keeps."""

        def read(name: str) -> bytes:
            with export.store().open(export.stored_name(name)) as file:
                return bytes(file.read())

        sha256 = {file["name"]: file["sha256"] for file in export.files}.get(NAME)
        name = f"The export of {export.made_at} ({export.get_format_display()})"
        return cls._named(name, read, sha256)

    @classmethod
    def in_folder(cls, folder: Path) -> "Exported":
        """One that was written or unpacked into a folder."""

        def read(name: str) -> bytes:
            try:
                return (folder / name).read_bytes()
            except OSError as error:
                why = error.strerror or error
                raise NotComparable(f"{folder / name} cannot be read: {why}.") from None

        return cls._named(f"The export in {folder}", read)

    @classmethod
    def _named(cls, name: str, read: ReadFile, sha256: str | None = None) -> "Exported":
        try:
            content = read(NAME)
            manifest = json.loads(content)
            _check(manifest)
        except FileNotFoundError:
            raise NotComparable(f"{name} has no {NAME} any more.") from None
        except MISREAD:
            raise NotComparable(f"{name}: its {NAME} cannot be read.") from None
        if sha256 and hashlib.sha256(content).hexdigest() != sha256:
            raise NotComparable(f"{name}: its {NAME} is not the file that was offered.")
        if manifest["format"] not in GRADED:
            raise NotComparable(
                f"{name}: a {manifest['format']} file holds no gold. Choose another export."
            )
        return cls(name, manifest, read)

    @property
    def format(self) -> str:
        return str(self.manifest["format"])

    @property
    def slug(self) -> str:
        """The slug of its collection; "" where its manifest names none."""
        return str(self.manifest.get("collection", {}).get("slug", ""))

    @property
    def scheme(self) -> Mapping[str, Any]:
        """The scheme at that time; empty where its manifest tells none."""
        return self.manifest.get("scheme", {})

    @property
    def is_gold(self) -> bool:
        """Whether its values are gold, as it was made or by a mapping."""
        return bool(self.source["from"] == "gold")

    @property
    def source(self) -> dict[str, Any]:
        """The source of its grades: gold, where an old manifest names none. The least relevant
        grade changes none."""
        values = dict(self.manifest.get("values", {"from": "gold"}))
        values.pop("least_relevant_grade", None)
        is_gold = values["from"] == "gold" and "mapping" not in values
        return {"from": "gold"} if is_gold else values

    @property
    def source_in_words(self) -> str:
        return str(self.source.get("name", self.source["from"]))

    @property
    def shares_values(self) -> bool:
        """Whether its scheme has several options of one value, which its file does not tell
        apart."""
        values = [[option["value"] for option in options] for options in _scales(self.scheme)]
        return self.format != "csv" and any(len(set(part)) < len(part) for part in values)

    @cached_property
    def unit(self) -> str:
        """What its grades are of: TOPICS, or the level of queries."""
        if self.format in ("csv", "csfcube") or self.has("qrels-all.txt"):
            return TOPICS
        levels = list(self.manifest.get("levels", {}))
        if len(levels) != 1:
            raise NotComparable(f"{self.name}: its {NAME} does not say what its grades are of.")
        [level] = levels
        # A paper under a facet is a query and a topic; without such papers, so is an aspect.
        keys = set(self.manifest["counts"].get("facets", {}))
        # The word for topics under no facet, unless the scheme has a facet of that key.
        aspects = {"aspects"} - set(self.scheme.get("facets", ()))
        only = {Level.QUERIES: not keys & aspects, Level.ASPECTS: keys == aspects}
        return TOPICS if keys and only.get(level) else str(level)

    @property
    def has_averages(self) -> bool:
        """Whether its grades are averages over the aspects of a query, as in BIRCO's file."""
        return self.format == "birco" and self.unit not in (TOPICS, Level.ASPECTS)

    @property
    def has_sums(self) -> bool | None:
        """Whether its grades are sums over the aspects of a query; None for judgments of whole
        queries that were made elsewhere, which are as they were written."""
        if self.has_averages or self.unit in (TOPICS, Level.ASPECTS):
            return False
        is_of_topics = self.manifest["counts"].get("topics") != 0
        return True if is_of_topics else None

    def in_words(self, grade: Grade | None, facet: str) -> str:
        """A grade with the name of its option on the scale of a facet: "2 Similar"; a label, which
        has no order, by its name alone. Where the file tells no option, those that stand for the
        value."""
        if grade is None:
            return ""
        name = self.name_of(grade, facet)
        is_label = name and not self._scale(facet).get("is_ordinal", True)
        return name if is_label else f"{typeset(grade.value)} {name}".strip()

    def word(self, value: str, facet: str) -> str:
        """A value as a table is headed by it: labels by their names."""
        is_ordinal = self._scale(facet).get("is_ordinal", True)
        return typeset(value) if is_ordinal else self.in_words(Grade(value), facet)

    def name_of(self, grade: Grade, facet: str) -> str:
        if self.unit != TOPICS or "mapping" in self.source:
            return ""
        return " or ".join(
            option["name"]
            for option in self._options(facet)
            if (option["key"] == grade.option if grade.option else option["value"] == grade.value)
        )

    def _options(self, facet: str) -> list[dict[str, str]]:
        """The options of a facet's scale, in the scheme's version at that time."""
        return list(self._scale(facet).get("options", ()))

    def _scale(self, facet: str) -> Mapping[str, Any]:
        scale: Mapping[str, Any] = self.scheme.get("scales", {}).get(facet, self.scheme)
        return scale

    def text(self, name: str) -> str:
        """A file by its name in a complete export."""
        name = self._stored_names.get(name, name)
        try:
            content = self.read(name)
        except FileNotFoundError:
            raise NotComparable(f"{self.name} has no {name} any more.") from None
        if hashlib.sha256(content).hexdigest() != self._sha256.get(name):
            raise NotComparable(f"{self.name}: {name} is not the file that was offered.")
        return content.decode()

    def has(self, name: str) -> bool:
        """Whether it has a file of this name in a complete export."""
        return name in self._stored_names

    @cached_property
    def _stored_names(self) -> dict[str, str]:
        """{name in a complete export: name in this one}"""
        is_incomplete = bool(self.manifest.get("is_incomplete"))
        return {complete_name(name, is_incomplete): name for name in self._sha256}

    @property
    def files(self) -> tuple[tuple[str, str], ...]:
        """(name, sha256) of each of its files: other contents have others."""
        return tuple(sorted(self._sha256.items()))

    @cached_property
    def _sha256(self) -> dict[str, str]:
        return {file["name"]: file["sha256"] for file in self.manifest["files"]}


def _check(manifest: Mapping[str, Any]) -> None:
    """KeyError, TypeError or AttributeError where a part of a manifest has another shape than it is
    read in. Parts that came later may be missing, as in manifests of earlier versions."""
    facets = manifest["counts"].get("facets", {})
    for part in (facets, manifest.get("levels", {}), manifest.get("collection", {})):
        dict(part)
    set(manifest.get("scheme", {}).get("facets", ()))
    options = [option for scale in _scales(manifest.get("scheme", {})) for option in scale]
    texts = [
        manifest["format"],
        manifest.get("values", {"from": ""})["from"],
        *(file[key] for file in manifest["files"] for key in ("name", "sha256")),
        *(option[key] for option in options for key in ("key", "value", "name")),
    ]
    if not all(isinstance(text, str) for text in texts):
        raise TypeError("A part that is read as text is none.")


def _scales(scheme: Mapping[str, Any]) -> list[list[dict[str, str]]]:
    """The options of every scale."""
    scales = [scheme, *scheme.get("scales", {}).values()]
    return [list(scale.get("options", ())) for scale in scales]
