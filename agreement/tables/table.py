"""A table, apart from how it is written: columns, rows, and what to draw from it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from itertools import groupby

Cell = str | int | float | None


class Kind(StrEnum):
    """The kind of a column's cells, and so how they are printed; files have them unrounded."""

    TEXT = "text"
    COUNT = "count"
    COEFFICIENT = "coefficient"  # -1 to 1
    PERCENT = "percent"  # 0 to 100
    SHARE = "share"  # 0 to 1, printed as percent
    BOUND = "bound"  # an upper bound from 0 to 1, printed as percent and never too low
    NUMBER = "number"  # two decimals
    P = "p"  # as many decimals as it deserves, and never 0
    GRADE = "grade"  # a value of the scale, without needless zeros
    SECONDS = "seconds"
    HOURS = "hours"


@dataclass(frozen=True)
class Column:
    """`key` names it in files, `title` in print, `group` is a heading over several columns.

    `ends` are the keys of the columns with the two ends of its interval. Columns that are not
    `printed` are in CSV and JSON alone. A page shows what is printed, unless `on_page` says
    otherwise, and a column that stands `below` another as small words under that one's cells;
    `about` explains its title there. `is_date` says that its texts are days, "2026-03-01", and
    `is_signed` that a page writes a plus above 0. `is_graded` says that its texts name grades,
    whose minus is a hyphen in files.
    """

    key: str
    title: str
    kind: Kind = Kind.TEXT
    group: str = ""
    ends: tuple[str, str] | None = None
    printed: bool = True
    on_page: bool | None = None
    below: str = ""
    about: str = ""
    is_date: bool = False
    is_signed: bool = False
    is_graded: bool = False

    @property
    def is_shown(self) -> bool:
        """Whether it is a column of the page."""
        return not self.below and (self.printed if self.on_page is None else self.on_page)


# The lists whose number does not count their pairs, and what it counts.
COUNTED = {"crossed": "document", "given": "rating", "period": "rating"}


@dataclass(frozen=True)
class Pairs:
    """The list of pairs that a count opens on a page: its kind and its cell, as in an address.
    `words` say whose they are; facet, topic and query stand in place of the page's filters."""

    kind: str
    cell: str = ""
    words: str = ""
    facet: str | None = None
    topic: str = ""
    query: str = ""

    @property
    def noun(self) -> str:
        return COUNTED.get(self.kind, "pair")


@dataclass(frozen=True)
class Count:
    """A count below a cell, the words after it, and the list that it opens."""

    number: int
    words: str
    pairs: Pairs


@dataclass(frozen=True)
class Working:
    """The page that shows how a figure of a facet, or of a topic, comes about; `when` is before or
    after adjudication."""

    measure: str
    when: str
    facet: str = ""
    topic: str = ""


# Where a cell leads on a page; a text is an address itself.
Link = Pairs | Working | str


@dataclass(frozen=True)
class Head:
    """A page's words in the place of a row's first cell, with a link and small words below."""

    text: str
    href: str = ""
    below: tuple[str, ...] = ()


@dataclass(frozen=True)
class Beside:
    """A page's additions to a row, by the keys of its columns; no file has them.

    `missing` are the words where there is no value, `why` the reasons, `below` more small words
    under a cell, `counts` what its number is made of, `parts_of` what a count there is a part of.
    `look` is "chosen" for the row that the filters choose, "sum" for one over others. `grid` has
    the counts of the table's Grid, which leads where `links` say of GRID. `instead` are the words
    in the place of all cells from the first on that has no value.
    """

    links: Mapping[str, Link] = field(default_factory=dict)
    missing: Mapping[str, str] = field(default_factory=dict)
    why: Mapping[str, str] = field(default_factory=dict)
    below: Mapping[str, str] = field(default_factory=dict)
    counts: Mapping[str, Sequence[Count]] = field(default_factory=dict)
    parts_of: Mapping[str, int] = field(default_factory=dict)
    look: str = ""
    head: Head | None = None
    grid: Sequence[Sequence[int]] = ()
    instead: str = ""


GRID = "grid"


@dataclass(frozen=True)
class Grid:
    """A small cross table of counts in every row of a page, after the column of this key: `names`
    of its values, and what is in its rows and columns."""

    title: str
    after: str
    names: Sequence[str]
    rows: str
    columns: str


@dataclass(frozen=True)
class Series:
    """A column to draw, and its words in the legend; `look` is its shade on pages where that is
    not one of the series from light to dark."""

    column: str
    words: str
    look: str = ""


@dataclass(frozen=True)
class Dots:
    """A line per row with a mark per series and its interval; `line` is a value to compare with.

    On a page they stand in the rows themselves, where they name a column that they come `after`.
    """

    series: tuple[Series, ...]
    axis: str
    low: float
    high: float
    line: float | None = None
    after: str = ""


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
    row is about. `notes` are sentences on what was counted and what was left out. `beside` is as
    long as `rows`, or empty."""

    key: str
    title: str
    columns: tuple[Column, ...]
    rows: Sequence[tuple[Cell, ...]]
    notes: tuple[str, ...] = ()
    picture: Picture | None = field(default=None)
    beside: Sequence[Beside] = ()
    grid: Grid | None = None

    @property
    def dots(self) -> list[Dots]:
        """Those that a page draws in the rows."""
        dots = self.picture.dots if isinstance(self.picture, Panels) else (self.picture,)
        return [part for part in dots if isinstance(part, Dots) and part.after]

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

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {column.key: number for number, column in enumerate(self.columns)}

    def number_of(self, key: str) -> int:
        return self._numbers[key]

    def cells(self, key: str) -> list[Cell]:
        """A column's cells from top to bottom."""
        number = self.number_of(key)
        return [row[number] for row in self.rows]


# What makes each table of a page, by its key and in the order of the page; None for a table that
# there is nothing for. Nothing is computed before it is called.
Makers = dict[str, Callable[[], Table | None]]
