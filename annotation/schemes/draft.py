"""A scheme while a lead writes it: what the builder's form holds, and what is wrong with it.

A draft is made from a definition or from the fields of the form, and gives both back. Every problem
names its field, so that the form can show it there, and says where it is in words for a file.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from typing import Any, NamedTuple

from annotation.rating.consensus import OF_AN_ORDER, RULES
from annotation.schemes.definitions import scales_in
from annotation.schemes.keys import key_problem
from formats.records import PLAIN_FACET

FACETS, ASPECTS, PLAIN = "facets", "aspects", "relevance"
KINDS = (FACETS, ASPECTS, PLAIN)
MAX_FACETS, MAX_OPTIONS = 12, 12
MAX_NAME, MAX_QUESTION, MAX_DEFINITION, MAX_GUIDELINES = 60, 200, 600, 100_000
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


@dataclass
class DraftScale:
    is_ordinal: bool = True
    distance: str = ""
    options: list[DraftOption] = field(default_factory=list)


@dataclass
class DraftFacet:
    """`definitions` are parallel to the options of its scale. Of aspects the key is empty."""

    key: str = ""
    name: str = ""
    question: str = ""
    labels: str = ""
    definitions: list[str] = field(default_factory=list)


@dataclass
class Draft:
    """`scales` are one for each facet, or the shared one alone."""

    kind: str = FACETS
    key: str = ""
    title: str = ""
    description: str = ""
    rule: str = "any_difference"
    overlap: str = "2"
    hides_ratings: bool = False
    side_text: bool = False
    is_shared: bool = True
    facets: list[DraftFacet] = field(default_factory=list)
    scales: list[DraftScale] = field(default_factory=list)
    reasons: list[dict[str, str]] = field(default_factory=list)
    causes: list[dict[str, str]] = field(default_factory=list)
    guidelines: str = ""
    key_components: dict[str, Any] | None = None

    def scale_of(self, number: int) -> DraftScale:
        """The scale of the facet at a place, counted from 0."""
        return self.scales[0 if self.is_shared else number]

    def facets_on(self, number: int) -> list[DraftFacet]:
        """The facets that are judged on the scale at a place."""
        return self.facets if self.is_shared else [self.facets[number]]

    @property
    def has_distances(self) -> bool:
        return self.rule in OF_AN_ORDER

    @property
    def title_or_key(self) -> str:
        return self.key or slug_of(self.title) or "scheme"

    # --- to a definition and back ---

    @classmethod
    def of_definition(cls, definition: Mapping[str, Any]) -> "Draft":
        """From a definition whose form is known to be right, see `checks.read_definition`."""
        draft = cls(
            key=definition.get("key", ""),
            title=definition["title"],
            description=definition.get("description", ""),
            rule=definition["rule"]["name"],
            overlap=str(definition["overlap"]),
            hides_ratings=definition.get("hides_ratings", False),
            side_text=definition.get("side_text", False),
            is_shared="options" in definition,
            scales=[
                DraftScale(
                    is_ordinal=scale.is_ordinal,
                    distance=plain(scale.distance) if scale.distance is not None else "",
                    options=[_option(option) for option in scale.options],
                )
                for scale in scales_in(definition)
            ],
            reasons=[dict(reason) for reason in definition["cannot_judge_reasons"]],
            causes=[dict(cause) for cause in definition["causes"]],
            guidelines=definition.get("guidelines", ""),
            key_components=definition.get("key_components"),
        )
        for number, facet in enumerate(definition["facets"]):
            texts = definition["definitions"].get(facet["key"], {})
            draft.facets.append(_facet(facet, texts, draft.scale_of(number)))
        if "aspects" in definition:
            aspects = definition["aspects"]
            draft.kind = ASPECTS
            draft.facets = [_facet(aspects, aspects["definitions"], draft.scales[0])]
        elif [facet.key for facet in draft.facets] == [PLAIN_FACET]:
            draft.kind = PLAIN
        return draft

    def definition(self) -> dict[str, Any]:
        """The definition, of a draft without problems."""
        definition: dict[str, Any] = {
            "key": self.title_or_key,
            "title": self.title,
            "description": self.description,
            "rule": {"name": self.rule},
            "overlap": int(self.overlap),
            "hides_ratings": self.hides_ratings,
            "side_text": self.side_text,
            "facets": [],
        }
        if self.kind == ASPECTS:
            facet = self.facets[0]
            definition["aspects"] = {
                "name": facet.name,
                "question": facet.question,
                "definitions": self._definitions(0),
            }
            definition["definitions"] = {}
        else:
            definition["facets"] = [self._defined_facet(n) for n in range(len(self.facets))]
            definition["definitions"] = {
                facet.key: self._definitions(n) for n, facet in enumerate(self.facets)
            }
        if self.is_shared:
            scale = self._defined_scale(self.scales[0])
            if "distance" in scale:
                definition["rule"]["distance"] = scale.pop("distance")
            definition |= scale
        if self.kind == ASPECTS and self.key_components:
            definition["key_components"] = self.key_components
        return definition | {
            "cannot_judge_reasons": self.reasons,
            "causes": self.causes,
            "guidelines": self.guidelines,
        }

    def _definitions(self, number: int) -> dict[str, str]:
        options, texts = self.scale_of(number).options, self.facets[number].definitions
        return {
            option.key: text
            for option, text in zip(options, texts, strict=True)
            if not option.is_import_only
        }

    def _defined_facet(self, number: int) -> dict[str, Any]:
        facet = self.facets[number]
        defined: dict[str, Any] = {
            "key": facet.key,
            "name": facet.name,
            "question": facet.question,
            "sentence_labels": facet.labels.replace(",", " ").split(),
        }
        if not self.is_shared:
            defined["scale"] = self._defined_scale(self.scales[number])
        return defined

    def _defined_scale(self, scale: DraftScale) -> dict[str, Any]:
        defined: dict[str, Any] = {"order": "ordinal" if scale.is_ordinal else "nominal"}
        if self.has_distances:
            defined["distance"] = plain(Decimal(scale.distance))
        return defined | {"options": [_defined_option(option) for option in scale.options]}

    # --- what is wrong ---

    def problems(self) -> list[Problem]:
        """Everything that is wrong, in the order of the form; none where it can be saved."""
        return [*self._of_the_whole(), *self._of_facets(), *self._of_scales()]

    def _of_the_whole(self) -> Iterator[Problem]:
        if not self.title.strip() or len(self.title) > 160:
            yield Problem("title", "Title", "Give the scheme a title of at most 160 characters.")
        if self.rule not in RULES:
            yield Problem("rule", "Rule", f"Choose one of {', '.join(RULES)}.")
        if not self.overlap.isdecimal() or not 1 <= int(self.overlap) <= 9:
            yield Problem("overlap", "Ratings a pair", "Give a number from 1 to 9.")
        if len(self.guidelines) > MAX_GUIDELINES:
            yield Problem("guidelines", "Guidelines", "They are longer than 100,000 characters.")
        for name, rows in [("reasons", self.reasons), ("causes", self.causes)]:
            if any(not row["name"].strip() or len(row["name"]) > 200 for row in rows):
                sentence = "A line has from 1 to 200 characters."
                yield Problem(name, name.capitalize(), sentence)
            if any(not row["key"] for row in rows) or len({r["key"] for r in rows}) < len(rows):
                yield Problem(name, name.capitalize(), "Each line needs a key of its own.")
        if not self.causes:
            yield Problem("causes", "Causes", "Name at least one cause of a difference.")

    def _of_facets(self) -> Iterator[Problem]:
        if not 1 <= len(self.facets) <= MAX_FACETS:
            yield Problem("kind", "Facets", f"There can be 1 to {MAX_FACETS} facets.")
        keys: set[str] = set()
        for number, facet in enumerate(self.facets):
            place_in_words, prefix = facet.name or f"Facet {number + 1}", f"facet-{number}"
            if not facet.name.strip() or len(facet.name) > MAX_NAME:
                yield Problem(
                    f"{prefix}-name", place_in_words, f"Name it, in at most {MAX_NAME} characters."
                )
            if len(facet.question) > MAX_QUESTION:
                sentence = f"The question is longer than {MAX_QUESTION} characters."
                yield Problem(f"{prefix}-question", place_in_words, sentence)
            if self.kind == FACETS:
                sentence = _facet_key_problem(facet.key, keys)
                if sentence:
                    yield Problem(f"{prefix}-key", place_in_words, sentence)
                keys.add(facet.key)

    def _of_scales(self) -> Iterator[Problem]:
        for number, scale in enumerate(self.scales):
            facets = self.facets_on(number)
            of_facet = "" if self.is_shared else f"{facets[0].name or f'Facet {number + 1}'}, "
            prefix = f"scale-{number}"
            yield from self._of_order(scale, prefix, of_facet)
            yield from _of_options(scale, prefix, of_facet)
            for place, option in enumerate(scale.options):
                if option.is_import_only:
                    continue
                for facet in facets:
                    text = facet.definitions[place]
                    if text.strip() and len(text) <= MAX_DEFINITION:
                        continue
                    at = f"facet-{self.facets.index(facet)}-definition-{place}"
                    place_in_words = (
                        f"{facet.name or 'Facet'}, {option.name or f'option {place + 1}'}"
                    )
                    limit = f"Define it, in at most {MAX_DEFINITION} characters."
                    yield Problem(at, place_in_words, limit)

    def _of_order(self, scale: DraftScale, prefix: str, of_facet: str) -> Iterator[Problem]:
        if not self.has_distances:
            return
        if not scale.is_ordinal:
            sentence = "Grades without an order have no distance. Choose another rule."
            yield Problem("rule", f"{of_facet}Rule", sentence)
            return
        distance = decimal_of(scale.distance)
        if distance is None or not distance > 0:
            sentence = "The rule needs a distance above 0, for example 2."
            yield Problem(f"{prefix}-distance", f"{of_facet}Distance", sentence)


def _of_options(scale: DraftScale, prefix: str, of_facet: str) -> Iterator[Problem]:
    offered = [option for option in scale.options if not option.is_import_only]
    if len(offered) < 2 or len(scale.options) > 2 * MAX_OPTIONS:
        sentence = f"A scale has from 2 to {MAX_OPTIONS} options to choose from."
        yield Problem(f"{prefix}-options", f"{of_facet}Options", sentence)
    if len({decimal_of(option.value) for option in offered}) < 2 <= len(offered):
        sentence = "All options stand for one value, so nobody could disagree."
        yield Problem(f"{prefix}-options", f"{of_facet}Options", sentence)
    keys: set[str] = set()
    shortcuts: dict[str, str] = {}
    for place, option in enumerate(scale.options):
        at, place_in_words = (
            f"{prefix}-option-{place}",
            f"{of_facet}{option.name or f'option {place + 1}'}",
        )
        if not option.name.strip() or len(option.name) > MAX_NAME:
            yield Problem(
                f"{at}-name", place_in_words, f"Name it, in at most {MAX_NAME} characters."
            )
        if not SLUG.match(option.key) or option.key in keys:
            sentence = "Another option has this name; options need different names."
            yield Problem(f"{at}-name", place_in_words, sentence)
        keys.add(option.key)
        if decimal_of(option.value) is None:
            sentence = "The value is a number such as 2 or 0.5, with at most three decimals."
            yield Problem(f"{at}-value", place_in_words, sentence)
        if option.is_import_only:
            continue
        sentence = key_problem(option.shortcut, value=option.value, taken=shortcuts)
        if sentence:
            yield Problem(f"{at}-shortcut", place_in_words, sentence)
        shortcuts.setdefault(option.shortcut, option.name)


def _facet_key_problem(key: str, other_keys: set[str]) -> str:
    if not SLUG.match(key):
        return "The key has small letters, digits, - and _ alone, such as quality."
    if key == PLAIN_FACET:
        return "The key “relevance” is that of plain relevance. Choose another."
    if key in other_keys:
        return "Another facet has this key."
    return ""


def decimal_of(text: str) -> Decimal | None:
    """The number that a value is typed as, with a point or a comma; None for any other."""
    try:
        value = Decimal(text.strip().replace(",", "."))
    except InvalidOperation:
        return None
    if not value.is_finite() or abs(value) >= MAX_VALUE or value != round(value, 3):
        return None
    return value


def plain(value: Decimal) -> str:
    return f"{value.normalize():f}"


def slug_of(name: str) -> str:
    """A key made of a name: "Near-identical" becomes near-identical."""
    from django.utils.text import slugify

    return slugify(name)[:50]


def _option(option: Mapping[str, Any]) -> DraftOption:
    return DraftOption(
        key=option["key"],
        value=str(option["value"]),
        name=option["name"],
        shortcut=option.get("shortcut", ""),
        is_import_only=option.get("import_only", False),
    )


def _defined_option(option: DraftOption) -> dict[str, Any]:
    value = decimal_of(option.value) or Decimal(0)
    defined: dict[str, Any] = {"key": option.key, "value": plain(value), "name": option.name}
    return defined | (
        {"import_only": True} if option.is_import_only else {"shortcut": option.shortcut}
    )


def _facet(facet: Mapping[str, Any], texts: Mapping[str, str], scale: DraftScale) -> DraftFacet:
    return DraftFacet(
        key=facet.get("key", ""),
        name=facet["name"],
        question=facet.get("question", ""),
        labels=" ".join(facet.get("sentence_labels", [])),
        definitions=[texts.get(option.key, "") for option in scale.options],
    )
