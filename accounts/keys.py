"""The single keys of the pages on which people rate and decide, and a person's choice of them.

Options have keys of their own, which a scheme gives; where an option has a person's key, it is the
option's.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

RATE, DECIDE, HAND_IN = "rate", "decide", "hand-in"


@dataclass(frozen=True)
class Act:
    """Something that a key does; `name` is what the scripts call it."""

    name: str
    words: str
    key: str
    pages: tuple[str, ...]


ACTS = {
    act.name: act
    for act in [
        Act("back", "Back to the last saved pair", "u", (RATE, DECIDE)),
        Act("recent", "Your last ten ratings", "l", (RATE,)),
        Act("cannot-judge", "Cannot judge, with a reason", "s", (RATE,)),
        Act("flag", "Flag for the meeting, or unflag", "f", (RATE,)),
        Act("note", "Write a note, or a reason", "n", (RATE, DECIDE)),
        Act("causes", "Why the annotators differ", "y", (DECIDE,)),
        Act("leave-out", "Leave the pair out", "x", (DECIDE,)),
        Act("whole", "Whole texts, or only the facet", "w", (RATE, DECIDE, HAND_IN)),
        Act("explain", "Definitions and notes, where they are folded", "e", (RATE, DECIDE)),
        Act("facets", "Mark other facets too", "h", (RATE, DECIDE)),
        Act("guidelines", "Guidelines", "g", (RATE, DECIDE)),
        Act("components", "Key components of the aspect", "m", (RATE,)),
        Act("take-suggestion", "Take what the components suggest", "y", (RATE,)),
        Act("next", "Next pair, without saving", "j", (RATE, DECIDE, HAND_IN)),
        Act("previous", "Previous pair, without saving", "k", (RATE, DECIDE, HAND_IN)),
        Act("compare", "Compare two pairs side by side", "c", (HAND_IN,)),
    ]
}

# Other parts of the program that give letters a meaning; each returns {letter: its owner}.
letter_owners: list[Callable[[object], dict[str, str]]] = []


def keys_of(user) -> dict[str, str]:
    """{name: key} of everything that has a key."""
    personal_keys = getattr(user, "keys", None) or {}
    return {name: personal_keys.get(name, act.key) for name, act in ACTS.items()}


def keymap(user, page: str, option_keys: Iterable[str]) -> dict[str, str]:
    """{key: name} of one page, without the keys of its options."""
    keys = keys_of(user)
    return {
        keys[act.name]: act.name
        for act in ACTS.values()
        if page in act.pages and keys[act.name] not in option_keys
    }


def differing(keys: dict[str, str]) -> dict[str, str]:
    """A person's keys that differ from the defaults: only these are stored."""
    return {name: keys[name] for name, act in ACTS.items() if keys.get(name, act.key) != act.key}


def collisions(user, keys: dict[str, str]) -> dict[str, str]:
    """{name: why its key cannot be}: a digit, another's letter, or one used twice on a page."""
    refused = {}
    letters = {
        letter: owner for owners_of in letter_owners for letter, owner in owners_of(user).items()
    }
    for name, act in ACTS.items():
        key = keys[name]
        if len(key) != 1 or not key.isascii() or not key.isalnum():
            refused[name] = "Give one letter."
        elif key.isdigit():
            refused[name] = "Digits choose grades. Give a letter."
        elif key in letters and key != act.key:
            refused[name] = f"“{key}” already chooses {letters[key]}."
        else:
            rivals = [ACTS[rival] for rival in ACTS if rival != name and keys[rival] == key]
            for rival in rivals:
                if set(rival.pages) & set(act.pages):
                    refused[name] = f"“{key}” already stands for “{rival.words}”."
    return refused
