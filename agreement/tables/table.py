"""What a table is, apart from how it is written: columns, rows, and what to draw from it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import groupby

Cell = str | int | float | None


class Kind(StrEnum):
    """What the cells of a column are, and so how they are printed; files have them unrounded."""

    TEXT = "text"
    COUNT = "count"
    COEFFICIENT = "coefficient"  # -1 to 1
    PERCENT = "percent"  # 0 to 100
    SHARE = "share"  # 0 to 1, printed as percent
    BOUND = "bound"  # an upper bound from 0 to 1, printed as percent and never too low
    NUMBER = "number"  # two decimals
    SECONDS = "seconds"
    HOURS = "hours"


@dataclass(frozen=True)
class Column:
    """`key` names it in files, `title` in print, `group` is a heading over several columns.

    `ends` are the keys of the columns with the two ends of its interval. Columns that are not
    `printed` are in CSV and JSON alone.
    """

    key: str
    title: str
    kind: Kind = Kind.TEXT
    group: str = ""
    ends: tuple[str, str] | None = None
    printed: bool = True


@dataclass(frozen=True)
class Series:
    """A column to draw, and its words in the legend."""

    column: str
    words: str


@dataclass(frozen=True)
class Dots:
    """A line per row with a mark per series and its interval; `line` is a value to compare with."""

    series: tuple[Series, ...]
    axis: str
    low: float
    high: float
    line: float | None = None


@dataclass(frozen=True)
class Bars:
    """A bar per row, its series end to end; `as_shares` makes all bars as long as each other."""

    series: tuple[Series, ...]
    axis: str
    as_shares: bool = True


@dataclass(frozen=True)
class Heat:
    """A cell per row and series with its number, shaded by its share of the row, or by its share
    of `highest` where that is given."""

    series: tuple[Series, ...]
    rows: str
    columns: str
    highest: float | None = None


@dataclass(frozen=True)
class Lines:
    """A point per row from left to right, a panel per series; `by` names a column whose values
    each have panels of their own."""

    series: tuple[Series, ...]
    axis: str
    by: str = ""


@dataclass(frozen=True)
class Panels:
    """Dots side by side over the same rows, each with an axis of its own."""

    dots: tuple[Dots, ...]


Picture = Dots | Bars | Heat | Lines | Panels


@dataclass(frozen=True)
class Table:
    """`rows` have a cell per column, None where there is no value; the first column says what a
    row is about. `notes` are sentences on what was counted and what was left out."""

    key: str
    title: str
    columns: tuple[Column, ...]
    rows: Sequence[tuple[Cell, ...]]
    notes: tuple[str, ...] = ()
    picture: Picture | None = field(default=None)

    @property
    def groups(self) -> list[tuple[str, int]]:
        """(heading, how many columns it stands over) of the printed columns, from left to right;
        "" over columns of no group."""
        named = groupby(self.columns[number].group for number in self.printed)
        return [(group, len(list(columns))) for group, columns in named]

    @property
    def printed(self) -> list[int]:
        """The numbers of the columns that are printed."""
        return [number for number, column in enumerate(self.columns) if column.printed]

    def number_of(self, key: str) -> int:
        return next(number for number, column in enumerate(self.columns) if column.key == key)

    def cells(self, key: str) -> list[Cell]:
        """A column's cells from top to bottom."""
        number = self.number_of(key)
        return [row[number] for row in self.rows]


# What makes each table of a page, by its key and in the order of the page; None for a table that
# there is nothing for. Nothing is computed before it is called.
Makers = dict[str, Callable[[], Table | None]]
