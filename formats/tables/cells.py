"""The cells of a row by our fields, as a mapping has them."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from formats import strict
from formats.literals import identifier_of, literal_of
from formats.records import Place
from formats.strict import BadTextError, shown
from formats.tables.rows import Table

OF_PYTHON = re.compile(r"""\[['"].*['"]\]""", re.DOTALL)


@dataclass(frozen=True)
class Mapped:
    """A table that is a part of a study; `columns` are theirs by our fields. `settings` are what
    a mapping says of the file beyond that (of judgments: their name and level)."""

    table: Table
    part: str
    columns: Mapping[str, str | list[str]]
    settings: Mapping[str, Any]

    @property
    def file(self) -> str:
        return self.table.file.name

    @property
    def sha256(self) -> str:
        return self.table.file.sha256

    def rows(self) -> Iterator["Cells"]:
        place, columns = self.table.place, self.columns
        for row in self.table.rows():
            yield Cells(columns, place(row.line), row.cells)


class Cells:
    """A row. Values are as the file has them: text, and in JSON lines and Parquet anything."""

    __slots__ = ("columns", "place", "row")

    def __init__(
        self, columns: Mapping[str, str | list[str]], place: Place, row: dict[str, Any]
    ) -> None:
        self.columns, self.place, self.row = columns, place, row

    def at(self, field: str) -> Place:
        """The place of a field's cell."""
        column = self.columns.get(field, "")
        return self.place.at(column) if isinstance(column, str) else self.place

    def value(self, field: str) -> Any:
        """The content of a field's cell; None if the column or its content is missing."""
        column = self.columns.get(field)
        return self.row.get(column) if isinstance(column, str) else None

    def has(self, field: str) -> bool:
        return self.value(field) not in (None, "")

    def text(self, field: str) -> str:
        column = self.columns.get(field)
        if column is None or isinstance(column, list):
            return ""
        value = self.row.get(column)
        if isinstance(value, str):
            return value
        try:
            return literal_of(value)
        except BadTextError as error:
            raise BadTextError(f"{shown(column)} holds {error.message}", error.remedy) from None

    def texts(self, field: str) -> list[str]:
        """The texts of a list in a cell."""
        try:
            return [text_of(item) for item in list_of(self.value(field))]
        except BadTextError as error:
            raise BadTextError(
                f"among the {field}: {error.message}", error.remedy or "Write a list of texts."
            ) from None

    def identifier(self, field: str) -> str:
        """An identifier without white space around it; "" where there is none."""
        return identifier_of(self.value(field))

    def name(self, field: str) -> str:
        """A person's name: a number is one, too, and 1.0 is 1, which pandas writes so where a cell
        of the column is empty."""
        text = literal_of(self.value(field)).strip()
        whole = text.removesuffix(".0")
        return whole if whole.isdecimal() else text

    def others(self) -> dict[str, Any]:
        """The cells that no field takes, as metadata; empty ones are left out."""
        used_columns = set()
        for column in self.columns.values():
            used_columns.update(column if isinstance(column, list) else [column])
        return {
            name: cell
            for name, cell in self.row.items()
            if name not in used_columns and cell not in ("", None)
        }


def refuse_python(text: str) -> None:
    """Refuse a list as Python prints it, which pandas writes into a cell of CSV: nobody should read
    its quotes and brackets as a text."""
    if OF_PYTHON.fullmatch(text.strip()):
        raise BadTextError(
            "a list as Python prints it.",
            "Write lists as JSON (json.dumps), or bring JSON lines or Parquet.",
        )


def text_of(value: Any) -> str:
    """The text of a cell; numbers as they were written."""
    return value if isinstance(value, str) else literal_of(value)


def list_of(value: Any) -> list[Any]:
    """A list in a cell: as JSON and Parquet have it, as JSON text in a cell of CSV, or a single
    value; nothing is an empty list."""
    if value is None or value == "":
        return []
    if isinstance(value, list):
        return value
    if isinstance(value, str) and value.lstrip().startswith("["):
        try:
            parsed: list[Any] = strict.parse_json(value)
        except BadTextError:
            refuse_python(value)
            return [value]
        strict.check_storable(parsed)
        return parsed
    return [value]
