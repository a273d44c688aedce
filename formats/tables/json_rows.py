"""JSON lines, and lists of JSON objects, as tables."""

import itertools
from collections.abc import Iterator
from typing import Any

from formats import literals, strict
from formats.files import SourceFile
from formats.records import Place
from formats.stream import elements_of
from formats.strict import BadTextError
from formats.tables.rows import Row, Table, check_count
from formats.text_lines import text_lines

# JSON lines name their columns in each line; so many are looked at.
LINES_FOR_COLUMNS = 200


class JsonLines(Table):
    """One JSON object a line; a column is a key of any of the first lines."""

    def __init__(self, file: SourceFile):
        super().__init__(file)
        self.columns = _first_keys(self.rows())

    def rows(self) -> Iterator[Row]:
        for number, text in text_lines(self.file):
            if not text.strip():
                continue
            yield Row(number, _object(parse_line(text, number), f"line {number:,}"))


class JsonList(JsonLines):
    """A JSON list of objects, read one at a time; `line` counts them from 1."""

    def place(self, line: int) -> Place:
        return Place(self.name, key=f"entry {line:,}" if line else "")

    def rows(self) -> Iterator[Row]:
        with self.file.open() as stream:
            for number, value in enumerate(elements_of(stream, literals.DECODER), start=1):
                yield Row(number, _checked_entry(value, f"entry {number:,}"))


def _first_keys(rows: Iterator[Row]) -> list[str]:
    columns: dict[str, None] = {}
    for row in itertools.islice(rows, LINES_FOR_COLUMNS):
        columns.update(dict.fromkeys(row.cells))
        check_count(columns)
    return list(columns)


def _object(value: Any, place: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise BadTextError(
            f"this is {strict.kind_of(value)}; expected an object.",
            "Write one JSON object a line, or a list of objects.",
            place,
        )
    return value


def _checked_entry(value: Any, place: str) -> dict[str, Any]:
    try:
        strict.check_storable(value)
    except BadTextError as error:
        raise BadTextError(error.message, error.remedy, place) from None
    return _object(value, place)


def parse_line(text: str, number: int) -> Any:
    """The value of a line of JSON; decimal numbers know how they were written."""
    try:
        value = strict.parse_json(text, first_line=number, decoder=literals.DECODER)
        strict.check_storable(value)
    except BadTextError as error:
        place = error.place or f"line {number:,}"
        raise BadTextError(error.message, error.remedy, place) from None
    return value
