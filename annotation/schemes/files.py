"""Schemes as files: reading a definition that somebody brings, and writing one to take away."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from accounts.models import User
from annotation.models import Scheme
from annotation.schemes.draft import Draft
from annotation.schemes.draft_form import suggestions_of
from annotation.schemes.draft_parts import decimal_of
from annotation.schemes.examples import guidelines_for
from annotation.schemes.wording import OptionWords
from audit.refusals import Invalid
from formats import strict
from formats.decimals import plain
from formats.strict import BadTextError

MAX_BYTES = 1_000_000


def read_draft(content: bytes, name: str) -> Draft:
    """The draft in a file; Invalid, naming the place, where its form is not that of a definition.

    What it says may still be wrong, see `Draft.problems`.
    """
    text = read_text(content, name)
    try:
        definition = strict.parse_json(text)
        strict.check_storable(definition)
    except BadTextError as error:
        raise Invalid(f"{name}: {error.sentence}") from None
    return draft_from(definition, name)


def read_text(content: bytes, name: str) -> str:
    """Invalid where it is too large, or not in UTF-8."""
    if len(content) > MAX_BYTES:
        raise Invalid(f"{name} is larger than a scheme can be ({MAX_BYTES:,} bytes).")
    try:
        return strict.decode(content)
    except BadTextError as error:
        raise Invalid(f"{name}: {error.sentence}") from None


def draft_from(definition: Any, name: str) -> Draft:
    """The draft of plain data; Invalid as for `read_draft`."""
    return Draft.of_definition(_Reader(name).definition(definition))


def read_definition(content: bytes, name: str = "The file") -> dict[str, Any]:
    """The definition in a file; Invalid with everything that is wrong in it."""
    draft = read_draft(content, name)
    if problems := draft.problems():
        raise Invalid(f"{name} cannot be used. " + " ".join(map(str, problems[:10])))
    return draft.definition()


SCALE = ("options", "order", "distance")
FIELDS = (
    "key", "title", "description", "rule", "overlap", "hides_ratings", "side_text", "facets",
    "aspects", *SCALE, "definitions", "key_components", "cannot_judge_reasons", "causes",
    "guidelines",
)  # fmt: skip
OF_FACET = ("key", "name", "question", "sentence_labels", "scale")
OF_OPTION = ("key", "value", "name", "shortcut", "import_only")
OF_ASPECTS = ("name", "question", "definitions")
OF_COMPONENTS = ("is_asked", "question", "suggestions")
OF_SUGGESTION = ("option", "at_least", "above")


class _Reader:
    """Takes what a definition has; Invalid for a value of another type, and for a name that means
    nothing, which may be a misspelt one."""

    def __init__(self, name: str) -> None:
        self.name = name

    def definition(self, record: Any) -> dict[str, Any]:
        self._object(record, "it", FIELDS)
        rule = record.get("rule", {"name": "any_difference"})
        self._object(rule, "rule", ("name", "distance"))
        definition: dict[str, Any] = {
            "key": self._text(record, "key"),
            "title": self._text(record, "title"),
            "description": self._text(record, "description"),
            "rule": {"name": self._text(rule, "name", "rule.name")} | self._distance(rule, "rule"),
            "overlap": self._text(record, "overlap") or "2",
            "hides_ratings": self._flag(record, "hides_ratings"),
            "side_text": self._flag(record, "side_text"),
            "facets": [
                self._facet(facet, f"facets[{number}]")
                for number, facet in enumerate(self._list(record, "facets"))
            ],
            "cannot_judge_reasons": self._named(record, "cannot_judge_reasons"),
            "causes": self._named(record, "causes"),
            "guidelines": self._text(record, "guidelines"),
        }
        if "aspects" in record:
            definition["aspects"] = self._aspects(record["aspects"])
            if definition["facets"]:
                raise Invalid(f"{self.name}: it judges `facets` or `aspects`, not both.")
        have_scales = ["scale" in facet for facet in definition["facets"]]
        if "options" in record:
            if any(have_scales):
                raise Invalid(f"{self.name}: give `options` for all, or each facet a `scale`.")
            definition |= self._scale(record, "")
        elif not have_scales or not all(have_scales):
            raise Invalid(
                f"{self.name} has no grades: give `options` for all, or each facet a `scale`."
            )
        texts = record.get("definitions", {})
        self._object(texts, "definitions")
        definition["definitions"] = {
            key: self._texts(texts.get(key, {}), f"definitions.{key}")
            for key in (facet["key"] for facet in definition["facets"])
        }
        if "key_components" in record:
            if "aspects" not in record:
                raise Invalid(f"{self.name}: key_components are parts of `aspects`; it has none.")
            offered = [row["key"] for row in definition["options"] if not row["import_only"]]
            definition["key_components"] = self._components(record["key_components"], offered)
        return definition

    def _components(self, components: Any, offered: Sequence[str]) -> dict[str, Any]:
        self._object(components, "key_components", OF_COMPONENTS)
        rows = self._list(components, "suggestions", "key_components.suggestions")
        for number, row in enumerate(rows):
            place = f"key_components.suggestions[{number}]"
            self._object(row, place, OF_SUGGESTION)
            if suggestions_of([row]) != [row] or row["option"] not in offered:
                raise Invalid(
                    f"{self.name}: {place} is not the key of an option with a share of components, "
                    "`at_least` or `above`, as text such as 1/2."
                )
        return {
            "is_asked": self._flag(components, "is_asked", "key_components.is_asked"),
            "question": self._text(components, "question", "key_components.question"),
            "suggestions": rows,
        }

    def _aspects(self, aspects: Any) -> dict[str, Any]:
        self._object(aspects, "aspects", OF_ASPECTS)
        return {
            "name": self._text(aspects, "name", "aspects.name"),
            "question": self._text(aspects, "question", "aspects.question"),
            "definitions": self._texts(aspects.get("definitions", {}), "aspects.definitions"),
        }

    def _facet(self, record: Any, place: str) -> dict[str, Any]:
        self._object(record, place, OF_FACET)
        labels = self._list(record, "sentence_labels", f"{place}.sentence_labels")
        for number, label in enumerate(labels):
            # The builder has them in one line.
            if not isinstance(label, str) or label.replace(",", " ").split() != [label]:
                raise Invalid(f"{self.name}: {place}.sentence_labels[{number}] is not one word.")
        facet: dict[str, Any] = {
            "key": self._text(record, "key", f"{place}.key"),
            "name": self._text(record, "name", f"{place}.name"),
            "question": self._text(record, "question", f"{place}.question"),
            "sentence_labels": labels,
        }
        if "scale" in record:
            self._object(record["scale"], f"{place}.scale", SCALE)
            facet["scale"] = self._scale(record["scale"], f"{place}.scale.")
        return facet

    def _scale(self, record: Mapping[str, Any], prefix: str) -> dict[str, Any]:
        order = record.get("order", "ordinal")
        if order not in ("ordinal", "nominal"):
            raise Invalid(f"{self.name}: {prefix}order is “ordinal” or “nominal”.")
        return {
            "order": order,
            **self._distance(record, prefix.rstrip(".")),
            "options": [
                self._option(option, f"{prefix}options[{number}]")
                for number, option in enumerate(self._list(record, "options", f"{prefix}options"))
            ],
        }

    def _option(self, record: Any, place: str) -> dict[str, Any]:
        self._object(record, place, OF_OPTION)
        return {
            name: self._text(record, name, f"{place}.{name}")
            for name in ("key", "value", "name", "shortcut")
        } | {"import_only": self._flag(record, "import_only", f"{place}.import_only")}

    def _distance(self, record: Mapping[str, Any], place: str) -> dict[str, str]:
        text = self._text(record, "distance", f"{place}.distance")
        if not text:
            return {}
        distance = decimal_of(text)
        if distance is None:
            raise Invalid(
                f"{self.name}: {place}.distance is no number such as 2 or 0.5, with at most three "
                "decimals."
            )
        return {"distance": plain(distance)}

    def _named(self, record: Mapping[str, Any], name: str) -> list[dict[str, str]]:
        rows = []
        for number, row in enumerate(self._list(record, name)):
            place = f"{name}[{number}]"
            self._object(row, place, ("key", "name"))
            rows.append({key: self._text(row, key, f"{place}.{key}") for key in ("key", "name")})
        return rows

    def _texts(self, record: Any, place: str) -> dict[str, str]:
        self._object(record, place)
        return {key: self._text(record, key, f"{place}.{key}") for key in record}

    def _object(self, record: Any, place: str, names: Sequence[str] = ()) -> None:
        """Invalid for what is no object, or has other names than these, if any are given."""
        if not isinstance(record, Mapping):
            raise Invalid(f"{self.name}: {place} is not an object in braces.")
        unknown = [name for name in record if names and name not in names]
        if unknown:
            known = ", ".join(names)
            raise Invalid(f"{self.name}: {place} has {unknown[0]!r}; it may have {known}.")

    def _flag(self, record: Mapping[str, Any], name: str, place: str = "") -> bool:
        value = record.get(name, False)
        if not isinstance(value, bool):
            raise Invalid(f"{self.name}: {place or name} is neither true nor false.")
        return value

    def _list(self, record: Mapping[str, Any], name: str, place: str = "") -> list[Any]:
        rows = record.get(name, [])
        if not isinstance(rows, list) or len(rows) > 100:
            raise Invalid(f"{self.name}: {place or name} is not a list of at most 100.")
        return rows

    def _text(self, record: Mapping[str, Any], name: str, place: str = "") -> str:
        value = record.get(name, "")
        if isinstance(value, bool) or not isinstance(value, (str, int, float)):
            raise Invalid(f"{self.name}: {place or name} is not a text.")
        return str(value)


def definition_of(scheme: Scheme) -> dict[str, Any]:
    """The definition of a stored scheme in its present wording, as create_scheme would take it."""
    version = scheme.current
    wording, words = version.wording, version.words
    definition: dict[str, Any] = {
        "key": "",
        "title": scheme.title,
        "description": "",
        "rule": {"name": scheme.rule},
        "overlap": scheme.overlap,
        "hides_ratings": scheme.hides_ratings,
        "side_text": words.has_side_text,
        "facets": [],
        "definitions": {},
    }
    for facet in scheme.facets.all():
        judged = words.judged(facet.key)
        row: dict[str, Any] = {
            "key": facet.key,
            "name": judged.name,
            "question": judged.question,
            "sentence_labels": facet.sentence_labels,
        }
        if not scheme.shares_a_scale:
            row["scale"] = _scale_of(scheme, version, facet.key)
        definition["facets"].append(row)
        definition["definitions"][facet.key] = judged.definitions
    if scheme.shares_a_scale:
        shared = _scale_of(scheme, version, "")
        if "distance" in shared:
            definition["rule"]["distance"] = shared.pop("distance")
        definition |= shared
    for name in ("aspects", "key_components"):
        if name in wording:
            definition[name] = wording[name]
    return definition | {
        "cannot_judge_reasons": wording["cannot_judge_reasons"],
        "causes": wording["causes"],
        "guidelines": version.guidelines,
    }


def shown_definition(scheme: Scheme, user: User) -> dict[str, Any]:
    """The same as this person may read it."""
    return definition_of(scheme) | {"guidelines": guidelines_for(user, scheme.current)}


def _scale_of(scheme: Scheme, version: Any, facet: str) -> dict[str, Any]:
    scale, words = scheme.scale_of(facet), version.words.options_for(facet)
    defined: dict[str, Any] = {"order": "ordinal" if scale.is_ordinal else "nominal"}
    if scale.distance is not None:
        defined["distance"] = plain(scale.distance)
    return defined | {"options": [_option_of(option, words) for option in scale.option_list]}


def _option_of(option: Any, words: Mapping[str, OptionWords]) -> dict[str, Any]:
    option_words = words.get(option.key, OptionWords(""))
    defined = {"key": option.key, "value": plain(option.value)}
    if option.is_import_only:
        # Its name is no part of the wording, since nobody is shown it.
        return defined | {"name": option.key.replace("-", " ").capitalize(), "import_only": True}
    return defined | {"name": option_words.name, "shortcut": option_words.shortcut}


def as_file(definition: Mapping[str, Any]) -> str:
    return json.dumps(definition, ensure_ascii=False, indent=2) + "\n"
