"""The parts of a draft: its facets, and its scales with their options.

Each is made from a part of a definition and gives it back, and tells what is wrong with it.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from typing import Any, NamedTuple

from annotation.schemes.definitions import DefinedScale
from annotation.schemes.keys import free_key, key_problem
from formats.decimals import MINUS, plain
from formats.records import ALL_FACETS, PLAIN_FACET

MAX_OPTIONS = 24  # with those that only imports bring
MAX_NAME, MAX_QUESTION = 60, 200
MAX_VALUE = Decimal(1000)
SLUG = re.compile(r"[a-z0-9][a-z0-9_-]{0,59}\Z")


class Problem(NamedTuple):
    """A problem of a draft: the field of the form, its place in words, and a sentence."""

    field: str
    place: str
    sentence: str

    def __str__(self) -> str:
        return f"{self.place}: {self.sentence}"


@dataclass
class DraftOption:
    key: str = ""
    value: str = ""
    name: str = ""
    shortcut: str = ""
    is_import_only: bool = False

    @classmethod
    def of(cls, option: Mapping[str, Any]) -> "DraftOption":
        return cls(
            key=option["key"],
            value=str(option["value"]),
            name=option["name"],
            shortcut=option.get("shortcut", ""),
            is_import_only=option.get("import_only", False),
        )

    def definition(self) -> dict[str, Any]:
        value = decimal_of(self.value) or Decimal(0)
        definition: dict[str, Any] = {"key": self.key, "value": plain(value), "name": self.name}
        return definition | (
            {"import_only": True} if self.is_import_only else {"shortcut": self.shortcut}
        )


@dataclass
class DraftScale:
    is_ordinal: bool = True
    distance: str = ""
    options: list[DraftOption] = field(default_factory=list)

    @classmethod
    def of(cls, scale: DefinedScale) -> "DraftScale":
        return cls(
            is_ordinal=scale.is_ordinal,
            distance=plain(scale.distance) if scale.distance is not None else "",
            options=[DraftOption.of(option) for option in scale.options],
        )

    def definition(self, *, has_distance: bool) -> dict[str, Any]:
        definition: dict[str, Any] = {"order": "ordinal" if self.is_ordinal else "nominal"}
        if has_distance:
            definition["distance"] = plain(decimal_of(self.distance) or Decimal(0))
        return definition | {"options": [option.definition() for option in self.options]}

    @property
    def _offered(self) -> list[DraftOption]:
        return [option for option in self.options if not option.is_import_only]

    def next_value(self) -> str:
        """The value of one more grade, where each value is 1 more than the one before; else ""."""
        values = [decimal_of(option.value) for option in self._offered]
        first = values[0] if values else None
        if first is None or values != [first + place for place in range(len(values))]:
            return ""
        return plain(first + len(values))

    def give_missing_keys(self) -> None:
        """A key in the workbench for each option that has a name or a value and no key."""
        offered = self._offered
        used_keys = {option.shortcut for option in offered}
        for option in offered:
            if not option.shortcut and (option.name or option.value):
                option.shortcut = free_key(
                    value=option.value, name=option.name, used_keys=used_keys
                )
                used_keys.add(option.shortcut)

    def problems(self, prefix: str, place: str, *, has_distance: bool) -> Iterator[Problem]:
        """`prefix` begins the names of its fields, `place` the facet that alone has it, or ""."""
        if has_distance:
            yield from self._of_order(prefix, place)
        offered = self._offered
        if len(offered) < 2 or len(self.options) > MAX_OPTIONS:
            sentence = f"A scale has at least 2 options to choose from, and at most {MAX_OPTIONS}."
            yield Problem(f"{prefix}-options", f"{place}Options", sentence)
        if len({decimal_of(option.value) for option in offered}) < 2 <= len(offered):
            sentence = "All options stand for one value, so nobody could disagree."
            yield Problem(f"{prefix}-options", f"{place}Options", sentence)
        yield from self._of_options(prefix, place)

    def _of_order(self, prefix: str, place: str) -> Iterator[Problem]:
        if not self.is_ordinal:
            sentence = "Grades without an order have no distance. Choose another rule."
            yield Problem("rule", f"{place}Rule", sentence)
            return
        distance = decimal_of(self.distance)
        if distance is None or not distance > 0:
            sentence = "The rule needs a distance above 0, for example 2."
            yield Problem(f"{prefix}-distance", f"{place}Distance", sentence)

    def _of_options(self, prefix: str, place: str) -> Iterator[Problem]:
        keys: set[str] = set()
        shortcuts: dict[str, str] = {}
        for number, option in enumerate(self.options):
            of_option = f"{prefix}-option-{number}"
            in_words = f"{place}{option.name or f'Option {number + 1}'}"
            if not option.name.strip() or len(option.name) > MAX_NAME:
                sentence = f"Name it, in at most {MAX_NAME} characters."
                yield Problem(f"{of_option}-name", in_words, sentence)
            elif not SLUG.match(option.key) or option.key in keys:
                sentence = "Another option has this name; options need different names."
                yield Problem(f"{of_option}-name", in_words, sentence)
            keys.add(option.key)
            if decimal_of(option.value) is None:
                sentence = "The value is a number such as 2 or 0.5, with at most three decimals."
                yield Problem(f"{of_option}-value", in_words, sentence)
            if option.is_import_only:
                continue
            sentence = key_problem(option.shortcut, value=option.value, used_keys=shortcuts)
            if sentence:
                yield Problem(f"{of_option}-shortcut", in_words, sentence)
            shortcuts.setdefault(option.shortcut, option.name)


@dataclass
class DraftFacet:
    """`definitions` are parallel to the options of its scale. Of aspects the key is empty."""

    key: str = ""
    name: str = ""
    question: str = ""
    labels: str = ""
    definitions: list[str] = field(default_factory=list)

    @classmethod
    def of(
        cls, facet: Mapping[str, Any], texts: Mapping[str, str], scale: DraftScale
    ) -> "DraftFacet":
        return cls(
            key=facet.get("key", ""),
            name=facet["name"],
            question=facet.get("question", ""),
            labels=" ".join(facet.get("sentence_labels", [])),
            definitions=[texts.get(option.key, "") for option in scale.options],
        )

    def definition(self) -> dict[str, Any]:
        return {
            "key": self.key,
            "name": self.name,
            "question": self.question,
            "sentence_labels": self.labels.replace(",", " ").split(),
        }

    def problems(self, prefix: str, place: str) -> Iterator[Problem]:
        """Problems of its name and question; `prefix` begins the names of its fields."""
        if not self.name.strip() or len(self.name) > MAX_NAME:
            yield Problem(f"{prefix}-name", place, f"Name it, in at most {MAX_NAME} characters.")
        if len(self.question) > MAX_QUESTION:
            sentence = f"The question is longer than {MAX_QUESTION} characters."
            yield Problem(f"{prefix}-question", place, sentence)

    def key_problem(self, keys: set[str]) -> str:
        """What is wrong with its key, where other facets have these `keys`; "" where nothing is."""
        if not SLUG.match(self.key):
            return "The key has small letters, digits, - and _ alone, such as quality."
        if self.key == PLAIN_FACET:
            return "The key “relevance” is that of plain relevance. Choose another."
        if self.key == ALL_FACETS:
            return "The key “all” is that of all facets together. Choose another."
        return "Another facet has this key." if self.key in keys else ""


def decimal_of(text: str) -> Decimal | None:
    """The number that a value is typed as, with a point or a comma; None for any other."""
    try:
        value = Decimal(text.strip().replace(",", ".").replace(MINUS, "-", 1))
    except InvalidOperation:
        return None
    is_small = value.is_finite() and -MAX_VALUE < value < MAX_VALUE
    return value if is_small and value == round(value, 3) else None
