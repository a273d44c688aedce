"""Schemes as files: reading a definition that somebody brings, and writing one to take away."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
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
    return Draft.of_definition(_definition(_Record(name, definition, TOP, FIELDS)))


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
NAMED = ("key", "name")
# The place of the whole definition.
TOP = "it"
EMPTY: Mapping[str, Any] = {}


class _Record:
    """An object in a definition, and the place where it stands. Invalid for a value of another
    type, and for a name that means nothing, which may be a misspelt one."""

    def __init__(self, file: str, values: Any, place: str, names: Sequence[str] = ()) -> None:
        self.file, self.values, self.place = file, values, place
        if not isinstance(values, Mapping):
            raise self.invalid("is not an object in braces.")
        if unknown := [name for name in values if names and name not in names]:
            raise self.invalid(f"has {unknown[0]!r}; it may have {', '.join(names)}.")

    def __contains__(self, name: str) -> bool:
        return name in self.values

    def invalid(self, trouble: str, name: str = "") -> Invalid:
        """What is wrong with it, or with what it has under a name."""
        return Invalid(f"{self.file}: {self._place_of(name) if name else self.place} {trouble}")

    def _place_of(self, name: str) -> str:
        return name if self.place == TOP else f"{self.place}.{name}"

    def object(self, name: str, names: Sequence[str] = (), default: Any = EMPTY) -> "_Record":
        return _Record(self.file, self.values.get(name, default), self._place_of(name), names)

    def objects(self, name: str, names: Sequence[str]) -> Iterator["_Record"]:
        for number, row in enumerate(self.list(name)):
            yield _Record(self.file, row, f"{self._place_of(name)}[{number}]", names)

    def list(self, name: str) -> list[Any]:
        rows = self.values.get(name, [])
        if not isinstance(rows, list) or len(rows) > 100:
            raise self.invalid("is not a list of at most 100.", name)
        return rows

    def flag(self, name: str) -> bool:
        value = self.values.get(name, False)
        if not isinstance(value, bool):
            raise self.invalid("is neither true nor false.", name)
        return value

    def text(self, name: str) -> str:
        value = self.values.get(name, "")
        if isinstance(value, bool) or not isinstance(value, (str, int, float)):
            raise self.invalid("is not a text.", name)
        return str(value)

    def texts(self, names: Iterable[str]) -> dict[str, str]:
        return {name: self.text(name) for name in names}


def _definition(record: _Record) -> dict[str, Any]:
    rule = record.object("rule", ("name", "distance"), {"name": "any_difference"})
    definition: dict[str, Any] = {
        **record.texts(("key", "title", "description")),
        "rule": {"name": rule.text("name")} | _distance(rule),
        "overlap": record.text("overlap") or "2",
        "hides_ratings": record.flag("hides_ratings"),
        "side_text": record.flag("side_text"),
        "facets": [_facet(facet) for facet in record.objects("facets", OF_FACET)],
        **{
            name: [row.texts(NAMED) for row in record.objects(name, NAMED)]
            for name in ("cannot_judge_reasons", "causes")
        },
        "guidelines": record.text("guidelines"),
    }
    if "aspects" in record:
        aspects = record.object("aspects", OF_ASPECTS)
        texts = aspects.object("definitions")
        definition["aspects"] = {
            **aspects.texts(("name", "question")),
            "definitions": texts.texts(texts.values),
        }
        if definition["facets"]:
            raise Invalid(f"{record.file}: it judges `facets` or `aspects`, not both.")
    have_scales = ["scale" in facet for facet in definition["facets"]]
    if "options" in record:
        if any(have_scales):
            raise Invalid(f"{record.file}: give `options` for all, or each facet a `scale`.")
        definition |= _scale(record)
    elif not have_scales or not all(have_scales):
        raise Invalid(
            f"{record.file} has no grades: give `options` for all, or each facet a `scale`."
        )
    definitions = record.object("definitions")
    definition["definitions"] = {}
    for facet in definition["facets"]:
        texts = definitions.object(facet["key"])
        definition["definitions"][facet["key"]] = texts.texts(texts.values)
    if "key_components" in record:
        if "aspects" not in record:
            raise Invalid(f"{record.file}: key_components are parts of `aspects`; it has none.")
        offered = [row["key"] for row in definition["options"] if not row["import_only"]]
        components = record.object("key_components", OF_COMPONENTS)
        definition["key_components"] = _components(components, offered)
    return definition


def _components(components: _Record, offered: Sequence[str]) -> dict[str, Any]:
    for row in components.objects("suggestions", OF_SUGGESTION):
        if suggestions_of([row.values]) != [row.values] or row.values["option"] not in offered:
            raise row.invalid(
                "is not the key of an option with a share of components, `at_least` or `above`, "
                "as text such as 1/2."
            )
    return {
        "is_asked": components.flag("is_asked"),
        "question": components.text("question"),
        "suggestions": components.list("suggestions"),
    }


def _facet(record: _Record) -> dict[str, Any]:
    labels = record.list("sentence_labels")
    for number, label in enumerate(labels):
        # The builder has them in one line.
        if not isinstance(label, str) or label.replace(",", " ").split() != [label]:
            raise record.invalid("is not one word.", f"sentence_labels[{number}]")
    facet = record.texts(("key", "name", "question")) | {"sentence_labels": labels}
    if "scale" not in record:
        return facet
    return facet | {"scale": _scale(record.object("scale", SCALE))}


def _scale(record: _Record) -> dict[str, Any]:
    order = record.values.get("order", "ordinal")
    if order not in ("ordinal", "nominal"):
        raise record.invalid("is “ordinal” or “nominal”.", "order")
    return {
        "order": order,
        **_distance(record),
        "options": [
            option.texts(("key", "value", "name", "shortcut"))
            | {"import_only": option.flag("import_only")}
            for option in record.objects("options", OF_OPTION)
        ],
    }


def _distance(record: _Record) -> dict[str, str]:
    text = record.text("distance")
    if not text:
        return {}
    distance = decimal_of(text)
    if distance is None:
        raise record.invalid(
            "is no number such as 2 or 0.5, with at most three decimals.", "distance"
        )
    return {"distance": plain(distance)}


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
