"""Definitions of schemes as data: what a file holds, and what rows and wording follow from it.

A definition is the JSON that ships, that a lead downloads, and that `--scheme FILE` reads. Its
`options` are one scale for all that is judged, in an `order` of "ordinal" or "nominal". Or each of
its `facets` has a `scale` with options, order and distance of its own. The distance of a shared
scale stands beside the rule's name.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

Definition = Mapping[str, Any]


@dataclass(frozen=True)
class DefinedScale:
    """A scale as a definition has it; `facet` is empty for one that all share."""

    facet: str
    is_ordinal: bool
    distance: Decimal | None
    options: list[dict[str, Any]]


def scales_in(definition: Definition) -> list[DefinedScale]:
    """The shared scale alone, or one for each facet, in the order of the facets."""
    if "options" in definition:
        shared = {"distance": definition["rule"].get("distance"), **definition}
        return [_scale("", shared)]
    return [_scale(facet["key"], facet["scale"]) for facet in definition["facets"]]


def _scale(facet: str, scale: Definition) -> DefinedScale:
    distance = scale.get("distance")
    return DefinedScale(
        facet=facet,
        is_ordinal=scale.get("order", "ordinal") == "ordinal",
        distance=None if distance is None else Decimal(distance),
        options=scale["options"],
    )


def wording_in(definition: Definition) -> dict[str, Any]:
    """The wording of a definition, as a version keeps it; see `SchemeVersion.wording`."""
    keys = ("aspects", "key_components", "side_text")
    return {key: definition[key] for key in keys if key in definition} | {
        "facets": {facet["key"]: _facet_words(facet, definition) for facet in definition["facets"]},
        "options": _option_words(definition.get("options", [])),
        "cannot_judge_reasons": definition["cannot_judge_reasons"],
        "causes": definition["causes"],
    }


def _facet_words(facet: Definition, definition: Definition) -> dict[str, Any]:
    words = {
        "name": facet["name"],
        "question": facet["question"],
        "definitions": definition["definitions"][facet["key"]],
    }
    if "scale" in facet:
        words["options"] = _option_words(facet["scale"]["options"])
    return words


def _option_words(options: list[dict[str, Any]]) -> dict[str, dict[str, str]]:
    return {
        option["key"]: {"name": option["name"], "shortcut": option["shortcut"]}
        for option in options
        if not option.get("import_only")
    }
