"""The wording of a scheme, typed: names, questions, definitions, keys, reasons and causes.

A version keeps them as JSON (`SchemeVersion.wording`), as a definition has them. They are parsed
once for each version, and read from here by everybody who shows them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from formats.records import PLAIN_FACET


@dataclass(frozen=True)
class OptionWords:
    """The name of an option, and the letter or digit that chooses it."""

    name: str
    shortcut: str = ""


@dataclass(frozen=True)
class JudgedWords:
    """The words for judging topics of a facet, or aspects. `definitions` are by option; `options`
    are those of the facet's own scale, and empty if it uses the shared scale."""

    name: str = ""
    question: str = ""
    definitions: Mapping[str, str] = field(default_factory=dict)
    options: Mapping[str, OptionWords] = field(default_factory=dict)


@dataclass(frozen=True)
class NamedKey:
    """A reason for "cannot judge", or a cause of a difference, as a list shows it."""

    key: str
    name: str


@dataclass(frozen=True)
class KeyComponents:
    """Whether and how annotators split an aspect. `suggestions` are {"option", "at_least" or
    "above": share}; the first that fits the share of components met gives the option."""

    is_asked: bool = False
    question: str = ""
    suggestions: Sequence[Mapping[str, Any]] = ()


@dataclass(frozen=True)
class Wording:
    """`aspects` is None for a scheme that judges facets; `facets` is empty for one of aspects."""

    facets: Mapping[str, JudgedWords]
    options: Mapping[str, OptionWords]
    cannot_judge_reasons: Sequence[NamedKey]
    causes: Sequence[NamedKey]
    aspects: JudgedWords | None
    key_components: KeyComponents | None
    has_side_text: bool

    @classmethod
    def of(cls, wording: Mapping[str, Any]) -> "Wording":
        """The wording that a version keeps, see `SchemeVersion.wording`."""
        return cls(
            facets={key: _judged(words) for key, words in wording.get("facets", {}).items()},
            options=_options(wording),
            cannot_judge_reasons=_named(wording.get("cannot_judge_reasons", [])),
            causes=_named(wording.get("causes", [])),
            aspects=_judged(wording["aspects"]) if "aspects" in wording else None,
            key_components=(
                _components(wording["key_components"]) if "key_components" in wording else None
            ),
            has_side_text=wording.get("side_text", False),
        )

    def judged(self, facet: str) -> JudgedWords:
        """The words for topics of a facet, by its key; those for aspects where it is empty."""
        words = self.facets.get(facet) if facet else self.aspects
        return words or JudgedWords()

    def facet_name(self, facet: str) -> str:
        """The name of a facet by its key; the key itself where nobody named it."""
        return self.judged(facet).name or facet

    def shown_name(self, facet: str) -> str:
        """The name of a facet that pages show; empty for aspects and for plain relevance."""
        return "" if facet in ("", PLAIN_FACET) else self.judged(facet).name

    def options_for(self, facet: str) -> Mapping[str, OptionWords]:
        """{option key: its words} on the scale of a facet, by its key."""
        return self.judged(facet).options or self.options

    def option_name(self, facet: str, option: str, unnamed: str = "") -> str:
        """The name of an option on the scale of a facet, both by key."""
        words = self.options_for(facet).get(option)
        return words.name if words else unnamed

    def cause_name(self, cause: str) -> str:
        """The name of a cause by its key; the key itself where it is no longer in the list."""
        return self.cause_names.get(cause, cause)

    @property
    def cause_names(self) -> dict[str, str]:
        return {cause.key: cause.name for cause in self.causes}


def _judged(words: Mapping[str, Any] | None) -> JudgedWords:
    words = words or {}
    return JudgedWords(
        name=words.get("name", ""),
        question=words.get("question", ""),
        definitions=words.get("definitions", {}),
        options=_options(words),
    )


def _components(components: Mapping[str, Any]) -> KeyComponents:
    return KeyComponents(
        is_asked=components.get("is_asked", False),
        question=components.get("question", ""),
        suggestions=components.get("suggestions", []),
    )


def _options(scale: Mapping[str, Any]) -> dict[str, OptionWords]:
    options = scale.get("options") or {}
    return {
        key: OptionWords(words.get("name", ""), words.get("shortcut", ""))
        for key, words in options.items()
    }


def _named(rows: Sequence[Mapping[str, str]]) -> tuple[NamedKey, ...]:
    return tuple(NamedKey(row["key"], row["name"]) for row in rows)
