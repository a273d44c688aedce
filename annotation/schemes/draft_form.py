"""The builder's form: a draft from its fields, and what its buttons change."""

import copy
import json
import re
from collections.abc import Iterable, Mapping
from typing import Any, Protocol

from annotation.schemes.draft import (
    ASPECTS,
    FACETS,
    KINDS,
    MAX_FACETS,
    PLAIN,
    Draft,
    key_of_line,
    slug_of,
)
from annotation.schemes.draft_parts import (
    MAX_OPTIONS,
    SLUG,
    DraftFacet,
    DraftOption,
    DraftScale,
    decimal_of,
)
from formats.decimals import plain
from formats.records import ALL_FACETS, PLAIN_FACET
from formats.whole_numbers import whole_number


class Fields(Protocol):
    """The posted fields by their names in the form."""

    def get(self, name: str, default: str = "") -> str | None: ...


def draft_of(fields: Fields, key_of_name: Mapping[str, str]) -> Draft:
    """The draft that the form holds, right or wrong.

    `key_of_name` has the keys of reasons and causes by their names, which stay where the name does.
    """

    def text(name: str) -> str:
        return (fields.get(name, "") or "").replace("\r\n", "\n").strip()

    scales = [_scale(text, number) for number in range(_count(text("scales")))]
    for scale in scales:
        _give_keys(scale.options, "option")
    facets = [_facet(text, number) for number in range(_count(text("facets")))]
    draft = Draft(
        kind=text("kind") if text("kind") in KINDS else FACETS,
        key=text("key"),
        title=text("title"),
        description=text("description"),
        rule=text("rule"),
        overlap=text("overlap"),
        hides_ratings=bool(text("hides_ratings")),
        side_text=bool(text("side_text")),
        is_shared=not text("own_scales"),
        facets=facets or [DraftFacet(name="First")],
        scales=scales or [DraftScale()],
        reasons=_named(text("reasons"), key_of_name),
        causes=_named(text("causes"), key_of_name),
        guidelines=(fields.get("guidelines", "") or "").replace("\r\n", "\n"),
        key_components=_components(text, _renewed_keys(text, scales)),
    )
    _put_in_shape(draft)
    return draft


def _count(text: str) -> int:
    return min(whole_number(text, most=999) or 0, MAX_OPTIONS)


def _scale(text: Any, number: int) -> DraftScale:
    prefix = f"scale-{number}"
    return DraftScale(
        is_ordinal=text(f"{prefix}-order") != "nominal",
        distance=text(f"{prefix}-distance"),
        options=[
            DraftOption(
                key=_key_of_option(text, f"{prefix}-option-{place}"),
                value=_value(text(f"{prefix}-option-{place}-value")),
                name=text(f"{prefix}-option-{place}-name"),
                shortcut=text(f"{prefix}-option-{place}-shortcut").lower(),
                is_import_only=bool(text(f"{prefix}-option-{place}-import")),
            )
            for place in range(_count(text(f"{prefix}-options")))
        ],
    )


def _key_of_option(text: Any, option: str) -> str:
    """The key of an option in files. It is empty if the option was renamed in the form, so that it
    gets a new one: else a grade that is now "Contradicts" stays `irrelevant` in every export."""
    is_renamed = text(f"{option}-named") not in ("", text(f"{option}-name"))
    return "" if is_renamed else text(f"{option}-key")


def _renewed_keys(text: Any, scales: list[DraftScale]) -> dict[str, str]:
    """{key in the form: key} of the first scale, whose options are suggested for components."""
    options = scales[0].options if scales else []
    return {text(f"scale-0-option-{place}-key"): option.key for place, option in enumerate(options)}


def _value(typed: str) -> str:
    value = decimal_of(typed)
    return typed if value is None else plain(value)


def _facet(text: Any, number: int) -> DraftFacet:
    prefix = f"facet-{number}"
    return DraftFacet(
        key=text(f"{prefix}-key"),
        name=text(f"{prefix}-name"),
        question=text(f"{prefix}-question"),
        labels=text(f"{prefix}-labels"),
        definitions=[text(f"{prefix}-definition-{place}") for place in range(MAX_OPTIONS)],
    )


def _named(lines: str, key_of_name: Mapping[str, str]) -> list[dict[str, str]]:
    """[{"key", "name"}], a row for each line."""
    rows: list[dict[str, str]] = []
    used_keys = {"own"}  # the workbench's "In my own words"
    for name in dict.fromkeys(line.strip() for line in lines.splitlines() if line.strip()):
        key = key_of_line(name, used_keys, known_key=key_of_name.get(name, ""))
        used_keys.add(key)
        rows.append({"key": key, "name": name})
    return rows


def _components(text: Any, renewed_keys: Mapping[str, str]) -> dict[str, Any] | None:
    """The question for key components, with the suggestions that the form carries along."""
    if not text("components_question"):
        return None
    try:
        suggestions = json.loads(text("components_suggestions") or "[]")
    except (ValueError, RecursionError):
        suggestions = []
    return {
        "is_asked": bool(text("components_asked")),
        "question": text("components_question"),
        "suggestions": [
            row | {"option": renewed_keys.get(row["option"], row["option"])}
            for row in suggestions_of(suggestions)
        ],
    }


def suggestions_of(suggestions: object) -> list[dict[str, str]]:
    """Those rows of suggestions that are well formed: an option's key and a share."""
    rows = suggestions if isinstance(suggestions, list) else []
    # Nobody needs more digits, and Python reads no number of thousands.
    share = re.compile(r"[0-9]{1,9}(/[1-9][0-9]{0,8})?\Z")
    return [
        {"option": row["option"], **shares}
        for row in rows
        if isinstance(row, dict)
        and isinstance(row.get("option"), str)
        and (
            shares := {
                name: row[name]
                for name in ("at_least", "above")
                if isinstance(row.get(name), str) and share.match(row[name])
            }
        )
    ]


def _put_in_shape(draft: Draft) -> None:
    """Complete a draft for its kind of scheme: one facet for plain relevance and aspects, a scale
    for each facet or one for all, a definition for each option, and missing keys."""
    if draft.kind in (PLAIN, ASPECTS):
        draft.facets = draft.facets[:1]
        draft.facets[0].key = PLAIN_FACET if draft.kind == PLAIN else ""
    elif draft.facets[0].key == PLAIN_FACET:
        draft.facets[0].key = ""
    if draft.is_shared or len(draft.facets) == 1:
        draft.is_shared, draft.scales = True, draft.scales[:1]
    while len(draft.scales) < (1 if draft.is_shared else len(draft.facets)):
        draft.scales.append(DraftScale())
    if draft.kind == FACETS:
        _give_keys(draft.facets, "facet")
    for scale in draft.scales:
        _give_keys(scale.options, "option")
    for number, facet in enumerate(draft.facets):
        option_count = len(draft.scale_of(number).options)
        facet.definitions = (facet.definitions + [""] * option_count)[:option_count]
    if draft.key_components:
        offered = {option.key for option in draft.scales[0].options if not option.is_import_only}
        rows = draft.key_components["suggestions"]
        if any(row["option"] not in offered for row in rows):
            draft.key_components["suggestions"] = []


def _give_keys(rows: Iterable[Any], noun: str) -> None:
    rows = list(rows)
    used_keys = {row.key for row in rows if row.key}
    for number, row in enumerate(rows, start=1):
        if not row.key and row.name:
            stem = slug_of(row.name)
            row.key = stem if SLUG.match(stem) else f"{noun}-{number}"
            if row.key in used_keys | {PLAIN_FACET, ALL_FACETS}:
                row.key = f"{row.key}-{number}"
            used_keys.add(row.key)


# --- the buttons ---

STEPS = {"up": -1, "down": 1}
BUTTON = re.compile(r"(scale|facet)-(\d{1,2})(?:-option-(\d{1,2}))?-(\w+)\Z")


def press(draft: Draft, button: str) -> None:
    """Change the draft as a button says; one that it does not have changes nothing."""
    if button == "add-facet" and len(draft.facets) < MAX_FACETS:
        draft.facets.append(DraftFacet())
        if not draft.is_shared:
            draft.scales.append(DraftScale(options=[DraftOption(), DraftOption()]))
    elif button == "own" and draft.is_shared and len(draft.facets) > 1:
        draft.is_shared = False
        draft.scales = [copy.deepcopy(draft.scales[0]) for _ in draft.facets]
    elif match := BUTTON.match(button):
        kind, number, place, verb = match.groups()
        if kind == "facet" and int(number) < len(draft.facets):
            _press_facet(draft, int(number), verb)
        elif kind == "scale" and int(number) < len(draft.scales):
            _press_scale(draft, int(number), None if place is None else int(place), verb)
    _put_in_shape(draft)


def open_after(fields: Fields, button: str, draft: Draft) -> int:
    """The number, from 0, of the facet to show once a button was pressed: the one that was open, or
    the one that was added, moved or asked for."""
    last = len(draft.facets) - 1
    if button == "add-facet":
        return last
    number = _count(fields.get("open_facet", "") or "")
    match = BUTTON.match(button)
    if match and match[1] == "facet" and match[4] in STEPS | {"show": 0}:
        number = int(match[2]) + STEPS.get(match[4], 0)
    return max(0, min(number, last))


def focus_after(button: str, draft: Draft) -> str:
    """The id of the control that has the focus once a button was pressed: the same button of a row
    that moved, the first empty field of a new row, the row that took the place of a removed one."""
    if button == "add-facet":
        return f"facet-{len(draft.facets) - 1}-name"
    match = BUTTON.match(button)
    if not match:
        return ""
    kind, number, place, verb = match.groups()
    if kind == "facet":
        last = len(draft.facets) - 1
        return _focus_in_rows("facet", int(number), verb, last, "facet-0-name")
    if int(number) >= len(draft.scales):
        return ""
    options = draft.scales[int(number)].options
    rows, last = f"scale-{number}-option", len(options) - 1
    if verb in ("add", "add_import"):
        return f"{rows}-{last}-{'name' if options[last].value else 'value'}"
    add = f"scale-{number}-add"
    return "" if place is None else _focus_in_rows(rows, int(place), verb, last, add)


def _focus_in_rows(rows: str, place: int, verb: str, last: int, otherwise: str) -> str:
    """`otherwise` where no row has a button for this any more."""
    if verb == "remove":
        return f"{rows}-{min(place, last)}-remove" if last >= 1 else otherwise
    if verb not in STEPS:
        return ""
    place = max(0, min(place + STEPS[verb], last))
    # The first goes no further up, and the last no further down.
    can_go_on = place > 0 if verb == "up" else place < last
    other = "down" if verb == "up" else "up"
    return f"{rows}-{place}-{verb if can_go_on else other}"


def _press_facet(draft: Draft, number: int, verb: str) -> None:
    rows: list[list[Any]] = [draft.facets]
    if not draft.is_shared:
        rows.append(draft.scales)
    if verb == "remove" and len(draft.facets) > 1:
        for row in rows:
            del row[number]
    elif verb in STEPS:
        for row in rows:
            _move(row, number, verb)


def _press_scale(draft: Draft, number: int, place: int | None, verb: str) -> None:
    scale = draft.scales[number]
    definitions = [facet.definitions for facet in draft.facets_on(number)]
    if place is None:
        if verb in ("add", "add_import") and len(scale.options) < MAX_OPTIONS:
            value = "" if verb == "add_import" else scale.next_value()
            scale.options.append(DraftOption(value=value, is_import_only=verb == "add_import"))
        elif verb == "share":
            draft.scales, draft.is_shared = [scale], True
    elif place < len(scale.options):
        rows: list[list[Any]] = [scale.options, *definitions]
        for row in rows:
            if verb == "remove":
                del row[place]
            elif verb in STEPS:
                _move(row, place, verb)


def _move(rows: Any, place: int, verb: str) -> None:
    other = place + STEPS[verb]
    if 0 <= other < len(rows):
        rows[place], rows[other] = rows[other], rows[place]
