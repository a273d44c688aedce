"""A draft from the labelling interface of a Label Studio project, and how it differs from that."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from annotation.schemes.draft import Draft, slug_of
from annotation.schemes.draft_parts import SLUG
from annotation.schemes.files import draft_from, read_draft, read_text
from annotation.schemes.keys import key_problem
from audit.refusals import Invalid
from formats.peers.label_studio_interface import Control, Interface, read_interface
from formats.strict import BadTextError

# What a labelling interface does not say, and the scheme at hand does.
KEPT = ("overlap", "hides_ratings", "side_text", "cannot_judge_reasons", "causes")
BEGINS = b"\xef\xbb\xbf \t\r\n"


class Brought(NamedTuple):
    """A draft from a file; `changes` are sentences on what is not as in the file."""

    draft: Draft
    changes: list[str]


def read_brought(content: bytes, name: str, present: Mapping[str, Any]) -> Brought:
    """The draft in a definition or a labelling interface; `present` is the definition of the scheme
    that it replaces. Invalid with a sentence for anything else."""
    if content.lstrip(BEGINS).startswith(b"<"):
        return _of_interface(read_text(content, name), name, present)
    return Brought(read_draft(content, name), [])


def _of_interface(text: str, name: str, present: Mapping[str, Any]) -> Brought:
    try:
        interface = read_interface(text)
    except BadTextError as error:
        raise Invalid(f"{name}: {error.sentence}") from None
    if not interface.controls:
        sentences = ["it has no control that gives one grade.", *interface.changes]
        raise Invalid(f"{name}: {' '.join(sentences)}")
    changes = list(interface.changes)
    draft = draft_from(_definition(interface, present, changes), name)
    for scale in draft.scales:
        scale.give_missing_keys()
    return Brought(draft, changes)


def _definition(
    interface: Interface, present: Mapping[str, Any], changes: list[str]
) -> dict[str, Any]:
    facets: list[dict[str, Any]] = []
    definitions: dict[str, dict[str, str]] = {}
    for control in interface.controls:
        key = _free(slug_of(control.name) or "facet", definitions)
        if SLUG.match(control.name) and control.name not in definitions:
            key = control.name
        else:
            changes.append(f"The control “{control.name}” is called {key} here.")
        options = _options(control, changes)
        definitions[key] = {
            option["key"]: choice.hint
            for option, choice in zip(options, control.choices, strict=True)
        }
        facets.append(
            {
                "key": key,
                "name": control.name.replace("_", " ").capitalize(),
                "question": control.question,
                "scale": {"order": "ordinal", "options": options},
            }
        )
    shared: dict[str, Any] = {}
    if all(facet["scale"] == facets[0]["scale"] for facet in facets):
        shared = facets[0]["scale"]
        for facet in facets:
            del facet["scale"]
    return (
        {name: present[name] for name in KEPT}
        | {"facets": facets, "definitions": definitions}
        | shared
    )


def _options(control: Control, changes: list[str]) -> list[dict[str, str]]:
    if not control.is_numbered:
        changes.append(
            f"The grades of “{control.name}” do not each have a whole number of their own in the "
            "file, from 0 on. They count from 0 in its order: see that the lowest comes first."
        )
    options: dict[str, dict[str, str]] = {}
    used_keys: dict[str, str] = {}
    lost = []
    for choice in control.choices:
        key = _free(slug_of(choice.name) or f"grade-{choice.value}", options)
        option = {"key": key, "value": choice.value, "name": choice.name, "shortcut": ""}
        if choice.hotkey and not key_problem(
            choice.hotkey, value=choice.value, used_keys=used_keys
        ):
            option["shortcut"] = choice.hotkey
            used_keys[choice.hotkey] = choice.name
        elif choice.hotkey:
            lost.append(f"{choice.name} ({choice.hotkey})")
        options[key] = option
    if lost:
        changes.append(
            f"Keys of “{control.name}” that are taken here are others now: {', '.join(lost)}."
        )
    return list(options.values())


def _free(key: str, used_keys: Mapping[str, object]) -> str:
    """The key, with a number after it where it is taken."""
    number, free = 1, key
    while free in used_keys:
        number += 1
        free = f"{key}-{number}"
    return free
