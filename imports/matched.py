"""How the columns of files are matched: in sentences where no selects show it, and what is left."""

from collections.abc import Iterator, Mapping
from typing import Any

from formats.reading import UNKNOWN, Part, Recognition
from formats.tables.guess import Guess, guess_columns
from formats.tables.matching import other_columns

# Columns that no field takes are kept with these, and left out elsewhere.
KEEP_OTHERS = {"documents", "queries"}


def columns_in_words(recognition: Recognition, mapping: Mapping[str, Any]) -> Iterator[str]:
    """A sentence for each file with columns: its part, the column of each field, and the rest."""
    for part in recognition.parts:
        choice = mapping["files"].get(part.file, {})
        key = choice.get("part", "")
        if part.columns and key not in ("", UNKNOWN):
            label = recognition.labels.get(key, key)
            yield f"{part.file} is {label.lower()}: {_matched(part, key, choice['columns'])}."


def guessed_columns(recognition: Recognition, file: str, part: str) -> Guess:
    """The guess of the fields of a file whose part a person chose."""
    names = [
        column.name for table in recognition.parts if table.file == file for column in table.columns
    ]
    return guess_columns(part, names) if part in recognition.fields else {}


def _matched(part: Part, key: str, columns: Mapping[str, str | list[str]]) -> str:
    matched = {field: names for field, names in columns.items() if names}
    pairs = [
        f"{field} from {', '.join(names) if isinstance(names, list) else names}"
        for field, names in matched.items()
    ]
    others = other_columns((column.name for column in part.columns), matched)
    fate = "kept as metadata" if key in KEEP_OTHERS else "not read"
    return ", ".join(pairs) + (f"; {fate}: {', '.join(others)}" if others else "")
