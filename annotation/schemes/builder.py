"""A draft as the builder's page prints it: fields with their errors, and the preview."""

import json
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from annotation.rating.consensus import RULES, in_words
from annotation.schemes.draft import ASPECTS, FACETS, PLAIN, Draft
from annotation.schemes.draft_parts import DraftOption, DraftScale, Problem, decimal_of
from annotation.schemes.keys import HELD
from annotation.workbench.answers import Choice
from formats.decimals import plain
from formats.records import topic_id

KINDS = [
    (FACETS, "Facets", "The same few questions for each query: its background, its method."),
    (ASPECTS, "Aspects", "Each query has its own tree of aspects, and each aspect is judged."),
    (PLAIN, "Plain relevance", "One question for each query, with its description beside it."),
]


@dataclass(frozen=True)
class Field:
    """An input of the form: its name is its id."""

    name: str
    value: str
    error: str = ""


@dataclass(frozen=True)
class OptionRow:
    """`definition` is none where several facets are judged on the scale."""

    number: str  # counted from 1, for people
    button: str
    is_first: bool
    is_last: bool
    is_import_only: bool
    key: Field
    value: Field
    name: Field
    shortcut: Field
    definition: Field | None

    @property
    def wrong(self) -> list[Field]:
        """Those of its fields that have an error."""
        fields = [self.value, self.name, self.shortcut, self.definition]
        return [field for field in fields if field and field.error]


@dataclass(frozen=True)
class ScaleRow:
    """`facet` is the one that the options are defined for, "" where several share the scale."""

    prefix: str
    facet: str
    is_defined: bool
    order: str
    distance: Field
    errors: Field
    options: list[OptionRow]


@dataclass(frozen=True)
class FacetRow:
    """`scale` where it is the facet's own, `span` from its lowest to its highest value;
    `definitions` where the facet shares one. `problems` is how many are at its fields."""

    number: int
    button: str
    title: str
    key: Field
    name: Field
    question: Field
    labels: Field
    topic: str
    scale: ScaleRow | None
    span: str
    problems: int
    definitions: list[tuple[str, Field]]


@dataclass(frozen=True)
class Preview:
    """One facet's dock, in the workbench's own words; `number` counts facets from 0."""

    number: int
    title: str
    question: str
    choices: list[Choice]


class Builder:
    """A draft as the page shows it; `problems` are shown at their fields. `open_facet` is the
    number, from 0, of the facet that was open; `focus` the id of what takes the keyboard."""

    kinds = KINDS
    rules = [(key, in_words(key)) for key in RULES]
    held = list(HELD.items())

    def __init__(
        self,
        draft: Draft,
        problems: Iterable[Problem] = (),
        open_facet: int = 0,
        focus: str = "",
    ) -> None:
        self.draft, self.focus = draft, focus
        self.problems = list(problems)
        self._was_open = open_facet
        self._errors: dict[str, list[str]] = defaultdict(list)
        for problem in self.problems:
            self._errors[problem.field].append(problem.sentence)

    def _field(self, name: str, value: str) -> Field:
        return Field(name, value, " ".join(self._errors.get(name, [])))

    def __getattr__(self, name: str) -> Any:
        """Fields of the whole by their names, for the template."""
        if name in ("title", "overlap", "rule", "guidelines", "description", "kind"):
            return self._field(name, getattr(self.draft, name))
        raise AttributeError(name)

    @property
    def suggestions(self) -> str:
        """The suggestions of key components, which the form carries along."""
        return json.dumps((self.draft.key_components or {}).get("suggestions", []))

    @property
    def reasons(self) -> Field:
        return self._field("reasons", "\n".join(row["name"] for row in self.draft.reasons))

    @property
    def causes(self) -> Field:
        return self._field("causes", "\n".join(row["name"] for row in self.draft.causes))

    @property
    def is_plain(self) -> bool:
        return self.draft.kind == PLAIN

    @property
    def judges_facets(self) -> bool:
        return self.draft.kind == FACETS

    @property
    def judges_aspects(self) -> bool:
        return self.draft.kind == ASPECTS

    @property
    def shared(self) -> ScaleRow | None:
        """The scale that several facets share, or the only one there is."""
        return self._scale(0, "scale-0") if self.draft.is_shared else None

    @property
    def facets(self) -> list[FacetRow]:
        return [self._facet(number) for number in range(len(self.draft.facets))]

    @property
    def open_facet(self) -> int:
        """The facet that was open; the first with a problem where that one has none."""
        last = len(self.draft.facets) - 1
        wrong = [number for number in range(last + 1) if self._problems_of(number)]
        last_open = min(self._was_open, last)
        return last_open if last_open in wrong or not wrong else wrong[0]

    def _problems_of(self, number: int) -> int:
        places = [f"facet-{number}-"] + ([] if self.draft.is_shared else [f"scale-{number}-"])
        return sum(problem.field.startswith(tuple(places)) for problem in self.problems)

    def _facet(self, number: int) -> FacetRow:
        draft, prefix = self.draft, f"facet-{number}"
        facet, is_alone = draft.facets[number], len(draft.facets) == 1
        scale = draft.scale_of(number)
        shares = draft.is_shared and not is_alone
        return FacetRow(
            number=number + 1,
            button=prefix,
            title=facet.name or f"Facet {number + 1}",
            key=self._field(f"{prefix}-key", facet.key),
            name=self._field(f"{prefix}-name", facet.name),
            question=self._field(f"{prefix}-question", facet.question),
            labels=self._field(f"{prefix}-labels", facet.labels),
            topic=topic_id("q017", facet.key or "…"),
            scale=None if draft.is_shared else self._scale(number, f"scale-{number}"),
            span="" if draft.is_shared else _span(draft.scales[number]),
            problems=self._problems_of(number),
            definitions=[
                (
                    f"{option.value} · {name}" if scale.is_ordinal and option.value else name,
                    self._field(f"{prefix}-definition-{place}", facet.definitions[place]),
                )
                for place, option in enumerate(scale.options)
                for name in [option.name or f"Option {place + 1}"]
                if shares and not option.is_import_only
            ],
        )

    def _scale(self, number: int, prefix: str) -> ScaleRow:
        scale, facets = self.draft.scales[number], self.draft.facets_on(number)
        alone = self.draft.facets.index(facets[0]) if len(facets) == 1 else None
        return ScaleRow(
            prefix=prefix,
            facet="" if alone is None else facets[0].name,
            is_defined=alone is not None,
            order="ordinal" if scale.is_ordinal else "nominal",
            distance=self._field(f"{prefix}-distance", scale.distance),
            errors=self._field(f"{prefix}-options", ""),
            options=[
                self._option(option, place, f"{prefix}-option-{place}", alone, len(scale.options))
                for place, option in enumerate(scale.options)
            ],
        )

    def _option(
        self, option: DraftOption, place: int, prefix: str, facet: int | None, count: int
    ) -> OptionRow:
        definition = None
        if facet is not None:
            name = f"facet-{facet}-definition-{place}"
            definition = self._field(name, self.draft.facets[facet].definitions[place])
        return OptionRow(
            number=str(place + 1),
            button=prefix,
            is_first=place == 0,
            is_last=place == count - 1,
            is_import_only=option.is_import_only,
            key=self._field(f"{prefix}-key", option.key),
            value=self._field(f"{prefix}-value", option.value),
            name=self._field(f"{prefix}-name", option.name),
            shortcut=self._field(f"{prefix}-shortcut", option.shortcut),
            definition=definition,
        )

    # --- the preview ---

    @property
    def previews(self) -> list[Preview]:
        """A dock for each scale: that of the facet in hand first, then those of the others."""
        first = min(self._was_open, len(self.draft.facets) - 1)
        numbers = [first]
        if not self.draft.is_shared:
            numbers += [number for number in range(len(self.draft.facets)) if number != first]
        facets = self.draft.facets
        return [
            Preview(number, facets[number].name, facets[number].question, self._choices(number))
            for number in numbers
        ]

    def _choices(self, number: int) -> list[Choice]:
        texts = self.draft.facets[number].definitions
        scale = self.draft.scale_of(number)
        return [
            Choice(
                key=f"{number}-{place}",
                name=option.name or "No name yet",
                shortcut=option.shortcut or "!",
                value=option.value or "?",
                definition=texts[place],
                is_ordinal=scale.is_ordinal,
            )
            for place, option in enumerate(scale.options)
            if not option.is_import_only
        ]

    @property
    def has_different_scales(self) -> bool:
        return not self.draft.is_shared


def _span(scale: DraftScale) -> str:
    """The lowest and the highest value that raters are offered; empty while one is missing."""
    offered = [decimal_of(row.value) for row in scale.options if not row.is_import_only]
    values = [value for value in offered if value is not None]
    if not values or len(values) < len(offered):
        return ""
    return f"{plain(min(values))} to {plain(max(values))}"
