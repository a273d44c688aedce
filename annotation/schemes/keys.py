"""The keys of options in the workbench: which are free, and what the others do."""

from collections.abc import Container, Mapping

# What the workbench, the adjudicator's page and all pages do on a key, in plain words.
HELD = {
    "u": "goes back to the last saved pair",
    "s": "is for “cannot judge”",
    "f": "flags the pair",
    "n": "opens the note",
    "g": "opens the guidelines",
    "j": "goes to the next pair",
    "k": "goes to the pair before",
    "h": "marks the other facets",
    "m": "opens the key components",
    "y": "takes what the key components suggest, or says why ratings differ",
    "w": "shows both texts whole",
    "e": "unfolds definitions and notes",
    "l": "lists the last ratings",
    "x": "leaves a pair out, on the adjudicator's page",
    "?": "shows the list of keys",
}
LETTERS, DIGITS = "abcdefghijklmnopqrstuvwxyz", "0123456789"


def key_problem(shortcut: str, *, value: str, used_keys: Mapping[str, str]) -> str:
    """Why an option of this value cannot have this key; empty where it can. `used_keys` are the
    names of the options that come before it, by their keys."""
    if shortcut in HELD:
        return f"The key “{shortcut}” {HELD[shortcut]}. {_free(used_keys)}"
    if len(shortcut) != 1 or shortcut not in LETTERS + DIGITS:
        return (
            f"The key is one small letter, or the value where that is one digit. {_free(used_keys)}"
        )
    if shortcut in used_keys:
        return f"{used_keys[shortcut]} has the key “{shortcut}”. {_free(used_keys)}"
    if shortcut.isdigit() and shortcut != value:
        stands_for = f"this option stands for {value or 'no value'}"
        return f"A digit is the key of its own value; {stands_for}. {_free(used_keys)}"
    return ""


def free_key(*, value: str, name: str, used_keys: Container[str]) -> str:
    """A key for an option that was given none: its value, else a letter of its name, else any
    letter that is free; "" where none is."""
    letters = [*name.casefold(), *LETTERS]
    return next(
        (
            key
            for key in [value, *(letter for letter in letters if letter in LETTERS)]
            if key not in used_keys and not key_problem(key, value=value, used_keys={})
        ),
        "",
    )


def _free(used_keys: Mapping[str, str]) -> str:
    free = [letter for letter in LETTERS if letter not in HELD and letter not in used_keys]
    return f"Free are {' '.join(free)}."
