"""A scheme while a lead writes it: what the builder's form holds, and what is wrong with it.

A draft is made from a definition or from the fields of the form, and gives both back. Every problem
names its field, so that the form can show it there, and says where it is in words for a file.
"""

from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from django.utils.text import slugify

from annotation.rating.consensus import OF_AN_ORDER, RULES
from annotation.schemes.definitions import scales_in
from annotation.schemes.draft_parts import DraftFacet, DraftScale, Problem
from formats.records import MAX_OVERLAP, PLAIN_FACET
from formats.whole_numbers import whole_number

FACETS, ASPECTS, PLAIN = "facets", "aspects", "relevance"
KINDS = (FACETS, ASPECTS, PLAIN)
MAX_FACETS = 12
MAX_LINE, MAX_DEFINITION, MAX_GUIDELINES = 200, 600, 100_000


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

    # --- to a definition and back ---

    @classmethod
    def of_definition(cls, definition: Mapping[str, Any]) -> "Draft":
        """From a definition that `annotation/schemes/files.py` has checked."""
        draft = cls(
            key=definition.get("key", ""),
            title=definition["title"],
            description=definition.get("description", ""),
            rule=definition["rule"]["name"],
            overlap=str(definition["overlap"]),
            hides_ratings=definition.get("hides_ratings", False),
            side_text=definition.get("side_text", False),
            is_shared="options" in definition,
            scales=[DraftScale.of(scale) for scale in scales_in(definition)],
            reasons=[dict(reason) for reason in definition["cannot_judge_reasons"]],
            causes=[dict(cause) for cause in definition["causes"]],
            guidelines=definition.get("guidelines", ""),
            key_components=definition.get("key_components"),
        )
        for number, facet in enumerate(definition["facets"]):
            texts = definition["definitions"].get(facet["key"], {})
            draft.facets.append(DraftFacet.of(facet, texts, draft.scale_of(number)))
        if "aspects" in definition:
            aspects = definition["aspects"]
            draft.kind = ASPECTS
            draft.facets = [DraftFacet.of(aspects, aspects["definitions"], draft.scales[0])]
        elif [facet.key for facet in draft.facets] == [PLAIN_FACET]:
            draft.kind = PLAIN
        return draft

    def definition(self) -> dict[str, Any]:
        """The definition, of a draft without problems."""
        definition: dict[str, Any] = {
            "key": self.key or slug_of(self.title) or "scheme",
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
            definition["facets"] = [self._facet_definition(n) for n in range(len(self.facets))]
            definition["definitions"] = {
                facet.key: self._definitions(n) for n, facet in enumerate(self.facets)
            }
        if self.is_shared:
            scale = self._scale_definition(0)
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

    def _facet_definition(self, number: int) -> dict[str, Any]:
        definition = self.facets[number].definition()
        if not self.is_shared:
            definition["scale"] = self._scale_definition(number)
        return definition

    def _scale_definition(self, number: int) -> dict[str, Any]:
        return self.scales[number].definition(has_distance=self.has_distances)

    # --- what is wrong ---

    def problems(self) -> list[Problem]:
        """Everything that is wrong, in the order of the form; none where it can be saved."""
        return [*self._of_the_whole(), *self._of_facets(), *self._of_scales()]

    def _of_the_whole(self) -> Iterator[Problem]:
        if not self.title.strip() or len(self.title) > 160:
            yield Problem("title", "Title", "Give the scheme a title of at most 160 characters.")
        if self.rule not in RULES:
            yield Problem("rule", "Rule", f"Choose one of {', '.join(RULES)}.")
        if not whole_number(self.overlap, most=MAX_OVERLAP):
            yield Problem("overlap", "Ratings a pair", f"Give a number from 1 to {MAX_OVERLAP}.")
        if len(self.guidelines) > MAX_GUIDELINES:
            sentence = f"They are longer than {MAX_GUIDELINES:,} characters."
            yield Problem("guidelines", "Guidelines", sentence)
        for name, rows in [("reasons", self.reasons), ("causes", self.causes)]:
            if any(not row["name"].strip() or len(row["name"]) > MAX_LINE for row in rows):
                sentence = f"A line has from 1 to {MAX_LINE} characters."
                yield Problem(name, name.capitalize(), sentence)
            if any(not row["key"] for row in rows) or len({row["key"] for row in rows}) < len(rows):
                yield Problem(name, name.capitalize(), "Each line needs a key of its own.")
        if not self.causes:
            yield Problem("causes", "Causes", "Name at least one cause of a difference.")

    def _of_facets(self) -> Iterator[Problem]:
        if not 1 <= len(self.facets) <= MAX_FACETS:
            yield Problem("kind", "Facets", f"There can be 1 to {MAX_FACETS} facets.")
        keys: set[str] = set()
        for number, facet in enumerate(self.facets):
            prefix, place = f"facet-{number}", facet.name or f"Facet {number + 1}"
            yield from facet.problems(prefix, place)
            if self.kind == FACETS:
                if sentence := facet.key_problem(keys):
                    yield Problem(f"{prefix}-key", place, sentence)
                keys.add(facet.key)

    def _of_scales(self) -> Iterator[Problem]:
        for number, scale in enumerate(self.scales):
            facets = list(enumerate(self.facets_on(number), 0 if self.is_shared else number))
            place = "" if self.is_shared else f"{facets[0][1].name or f'Facet {number + 1}'}, "
            yield from scale.problems(f"scale-{number}", place, has_distance=self.has_distances)
            yield from self._of_definitions(scale, facets)

    @staticmethod
    def _of_definitions(
        scale: DraftScale, facets: list[tuple[int, DraftFacet]]
    ) -> Iterator[Problem]:
        """Problems of what the options of a scale mean under each of its facets, by number."""
        for place, option in enumerate(scale.options):
            if option.is_import_only:
                continue
            for number, facet in facets:
                text = facet.definitions[place]
                if text.strip() and len(text) <= MAX_DEFINITION:
                    continue
                yield Problem(
                    f"facet-{number}-definition-{place}",
                    f"{facet.name or f'Facet {number + 1}'}, "
                    f"{option.name or f'Option {place + 1}'}",
                    f"Define it, in at most {MAX_DEFINITION} characters.",
                )


def slug_of(name: str) -> str:
    """A key made of a name: "Near-identical" becomes near-identical."""
    return slugify(name)[:50]


def key_of_line(name: str, used_keys: Container[str], *, known_key: str = "") -> str:
    """The key of a reason or a cause: the one that is known of this name, else one made of it; with
    a number where another line has it."""
    stem = known_key or slug_of(name).replace("-", "_") or "row"
    numbered = (f"{stem}{number or ''}" for number in count())
    return next(key for key in numbered if key not in used_keys)
