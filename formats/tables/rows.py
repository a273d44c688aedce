"""The rows of a table, whatever kind of file it stands in, and the names of its columns.

Everywhere a text stays a text: `007`, `1e5`, `1,50` and `NA` come as they are written.
"""

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from formats.files import SourceFile
from formats.records import Place
from formats.strict import BadTextError, shown

# Each is compared with all others and shown on the page of an import.
MAX_COLUMNS = 1_000


class Row(NamedTuple):
    """A row: the line on which it begins and its cells by column, lacking ones left out."""

    line: int
    cells: dict[str, Any]


class Table(ABC):
    """A table in a file; a workbook has one for each sheet. `name` is what mappings call it,
    `question` what to ask where its columns mean nothing."""

    columns: list[str]
    question = ""

    def __init__(self, file: SourceFile):
        self.file, self.name = file, file.name

    @abstractmethod
    def rows(self) -> Iterator[Row]:
        """Yield its rows, each time from the first; raises BadTextError."""

    def place(self, line: int) -> Place:
        return Place(self.name, line)


def with_name_or_value(names: Sequence[str], rows: Iterable[Sequence[str]]) -> list[int]:
    """The places of the columns that have a name, or a value in some row. The others are what
    spreadsheets write beside a table."""
    empty = {place for place, name in enumerate(names) if not name.strip()}
    if empty:
        try:
            for values in rows:
                empty = {n for n in empty if n >= len(values) or not values[n].strip()}
        except BadTextError:
            pass  # told when it is read
    return [place for place in range(len(names)) if place not in empty]


def checked_columns(values: Sequence[str], place: str) -> list[str]:
    """The names of columns, in one line each; those without name are called by their number.

    Spreadsheets break lines in names, and a form of a page gives other line breaks than it got.
    """
    check_count(values, place)
    columns = [
        " ".join(value.split()) or f"column {number}"
        for number, value in enumerate(values, start=1)
    ]
    twice = next((name for name in columns if columns.count(name) > 1), None)
    if twice is not None:
        raise BadTextError(
            f"two columns are called {shown(twice)}.", "Give one of them another name.", place
        )
    return columns


def check_count(columns: Collection[str], place: str = "") -> None:
    if len(columns) > MAX_COLUMNS:
        raise BadTextError(
            f"{len(columns):,} columns; at most {MAX_COLUMNS:,} are read.",
            "Leave out those that the import does not need.",
            place,
        )
