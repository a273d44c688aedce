"""Tables as a printed report has them: numbered, cells as people read them."""

from dataclasses import dataclass
from functools import cached_property

from agreement.tables.table import Column, Kind, Table
from agreement.tables.writing import printed, printed_ends

# Of so many columns and more a table is printed across the page.
WIDE = 12
# Nobody reads more lines of one table on paper; its file has all.
MOST_ROWS = 150


@dataclass(frozen=True)
class PrintedCell:
    """`ends` is the interval of its figure, "0.35 to 0.51"; empty where there is none."""

    text: str
    ends: str
    is_text: bool


@dataclass(frozen=True)
class PrintedTable:
    """A table with its number in the report, from 1."""

    number: int
    page: str
    table: Table

    @property
    def columns(self) -> list[Column]:
        return [self.table.columns[number] for number in self.table.printed]

    @property
    def groups(self) -> list[tuple[str, int]]:
        """The line of headings over the columns; empty where no column has one."""
        groups = self.table.groups
        return groups if any(group for group, _ in groups) else []

    @cached_property
    def rows(self) -> list[list[PrintedCell]]:
        return [
            [
                PrintedCell(
                    printed(row[number], column.kind),
                    printed_ends(self.table, row, column),
                    column.kind is Kind.TEXT,
                )
                for number, column in zip(self.table.printed, self.columns, strict=True)
            ]
            for row in self.table.rows[:MOST_ROWS]
        ]

    @property
    def rows_left_out(self) -> int:
        return max(0, len(self.table.rows) - MOST_ROWS)

    @property
    def is_wide(self) -> bool:
        return len(self.columns) >= WIDE
