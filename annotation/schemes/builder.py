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
from formats.decimals import printed_grade, typeset
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
        self.title = self._field("title", draft.title)
        self.rule = self._field("rule", draft.rule)
        self.overlap = self._field("overlap", draft.overlap)
        self.guidelines = self._field("guidelines", draft.guidelines)

    def _field(self, name: str, value: str) -> Field:
        return Field(name, value, " ".join(self._errors.get(name, [])))

    def _fields(self, prefix: str, part: Any, *names: str) -> dict[str, Field]:
        """{name: field} of a part of the draft, whose fields begin with `prefix`."""
        return {name: self._field(f"{prefix}-{name}", getattr(part, name)) for name in names}

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
    def shared(self) -> dict[str, Any] | None:
        """The scale that several facets share, or the only one there is."""
        return self._scale(0) if self.draft.is_shared else None

    @property
    def facets(self) -> list[dict[str, Any]]:
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

    def _facet(self, number: int) -> dict[str, Any]:
        """A facet has a `scale` of its own, whose values are its `span`; or `definitions` for the
        options of the scale that it shares. `problems` is how many are at its fields."""
        draft, prefix = self.draft, f"facet-{number}"
        facet, is_alone = draft.facets[number], len(draft.facets) == 1
        scale = draft.scale_of(number)
        shares = draft.is_shared and not is_alone
        return {
            "button": prefix,
            "title": facet.name or f"Facet {number + 1}",
            **self._fields(prefix, facet, "key", "name", "question", "labels"),
            "topic": topic_id("q017", facet.key or "…"),
            "scale": None if draft.is_shared else self._scale(number),
            "span": "" if draft.is_shared else _span(scale),
            "problems": self._problems_of(number),
            "definitions": [
                (
                    f"{typeset(option.value)} · {name}"
                    if scale.is_ordinal and option.value
                    else name,
                    self._field(f"{prefix}-definition-{place}", facet.definitions[place]),
                )
                for place, option in enumerate(scale.options)
                for name in [option.name or f"Option {place + 1}"]
                if shares and not option.is_import_only
            ],
        }

    def _scale(self, number: int) -> dict[str, Any]:
        """`facet` is the name of the one that the options are defined for, "" where several share
        the scale."""
        scale, facets = self.draft.scales[number], self.draft.facets_on(number)
        alone = self.draft.facets.index(facets[0]) if len(facets) == 1 else None
        prefix = f"scale-{number}"
        return {
            "prefix": prefix,
            "facet": "" if alone is None else facets[0].name,
            "is_defined": alone is not None,
            "order": "ordinal" if scale.is_ordinal else "nominal",
            "distance": self._field(f"{prefix}-distance", scale.distance),
            "errors": self._field(f"{prefix}-options", ""),
            "options": [
                self._option(option, place, f"{prefix}-option-{place}", alone)
                for place, option in enumerate(scale.options)
            ],
        }

    def _option(
        self, option: DraftOption, place: int, prefix: str, facet: int | None
    ) -> dict[str, Any]:
        """An option has no `definition` where several facets are judged on its scale. `wrong` are
        those of its fields that have an error."""
        fields = self._fields(prefix, option, "value", "name", "shortcut")
        if facet is not None:
            name = f"facet-{facet}-definition-{place}"
            definition = self.draft.facets[facet].definitions[place]
            fields["definition"] = self._field(name, definition)
        return {
            "number": str(place + 1),
            "button": prefix,
            "is_import_only": option.is_import_only,
            "key": self._field(f"{prefix}-key", option.key),
            **fields,
            "wrong": [field for field in fields.values() if field.error],
        }

    # --- the preview ---

    @property
    def previews(self) -> list[dict[str, Any]]:
        """A dock for each scale: that of the facet in hand first, then those of the others; the
        `number` of a facet counts from 0."""
        first = min(self._was_open, len(self.draft.facets) - 1)
        numbers = [first]
        if not self.draft.is_shared:
            numbers += [number for number in range(len(self.draft.facets)) if number != first]
        facets = self.draft.facets
        return [
            {
                "number": number,
                "title": facets[number].name,
                "question": facets[number].question,
                "choices": self._choices(number),
            }
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
                value=typeset(option.value) or "?",
                definition=texts[place],
                is_ordinal=scale.is_ordinal,
            )
            for place, option in enumerate(scale.options)
            if not option.is_import_only
        ]


def _span(scale: DraftScale) -> str:
    """The lowest and the highest value that raters are offered; empty while one is missing."""
    offered = [decimal_of(row.value) for row in scale.options if not row.is_import_only]
    values = [value for value in offered if value is not None]
    if not values or len(values) < len(offered):
        return ""
    return f"{printed_grade(min(values))} to {printed_grade(max(values))}"
