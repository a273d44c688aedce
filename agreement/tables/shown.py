"""A table as people see it on a page and in print.

On a page, numbers open their pairs, small words stand below, and marks, bars and small cross tables
in the rows. In print there are the columns of papers alone, and no more rows than anybody reads.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from itertools import groupby, pairwise

from django.utils.dateformat import format as date_format

from agreement.tables.cells import (
    Addresses,
    Mark,
    Piece,
    RowDots,
    Words,
    bar_looks,
    linked,
    printed,
    printed_ends,
    stacked,
)
from agreement.tables.crossed import HeatRow, heat_table, spoken
from agreement.tables.table import (
    GRID,
    Bars,
    Beside,
    Cell,
    Column,
    Grid,
    Kind,
    Table,
    Working,
)

# Nobody reads more lines of one table on paper; its file has all.
MOST_ROWS = 150


@dataclass(frozen=True)
class ShownCell:
    words: Words
    look: str = ""
    below: Sequence[Words] = ()
    why: str = ""
    width: int = 1
    marks: Sequence[Mark] = ()
    dots: RowDots | None = None
    grid: Sequence[HeatRow] = ()
    bar: Sequence[Piece] | None = None


@dataclass(frozen=True)
class ShownRow:
    head: Words
    below: Sequence[str]
    look: str
    cells: list[ShownCell]


@dataclass(frozen=True)
class ShownHead:
    title: str
    about: str = ""
    look: str = ""
    dots: RowDots | None = None
    is_unseen: bool = False


# What a page has in a row beside its columns.
Part = Column | RowDots | Grid | Bars


class ShownTable:
    """Rows of cells as the template prints them; in print without addresses."""

    def __init__(self, table: Table, addresses: Addresses | None = None) -> None:
        self.table = table
        self.is_printed = addresses is None
        self.addresses = addresses or (lambda link: "")
        if self.is_printed:
            self.head, *self.columns = [table.columns[number] for number in table.printed]
        else:
            self.head, *self.columns = [column for column in table.columns if column.is_shown]
        self.below = {
            column.key: [other for other in table.columns if other.below == column.key]
            for column in ([] if self.is_printed else self.columns)
        }
        self.bars = table.picture if isinstance(table.picture, Bars) else None
        if self.is_printed or not (self.bars and self.bars.series):
            self.bars = None

    @cached_property
    def parts(self) -> list[Part]:
        """The columns, each before what is drawn of it: a number first, then its picture."""
        if self.is_printed:
            return list(self.columns)
        drawn: dict[str, list[Part]] = {}
        for dots in self.table.dots:
            drawn.setdefault(dots.after, []).append(RowDots(dots, self.table))
        if self.bars:
            drawn.setdefault(self._last_in(self.bars), []).append(self.bars)
        if self.table.grid:
            drawn.setdefault(self.table.grid.after, []).append(self.table.grid)
        return [part for column in self.columns for part in (column, *drawn.get(column.key, ()))]

    def _last_in(self, bars: Bars) -> str:
        """The last column of the page that has a number of the bars, or has it below its own."""
        drawn = [self.table.columns[self.table.number_of(part.column)] for part in bars.series]
        keys = {column.below or column.key for column in drawn}
        return [column.key for column in self.columns if column.key in keys][-1]

    @property
    def most_rows(self) -> int:
        return MOST_ROWS

    @property
    def rows_left_out(self) -> int:
        return max(0, len(self.table.rows) - MOST_ROWS) if self.is_printed else 0

    @property
    def lines_of_heads(self) -> int:
        return 2 if any(column.group for column in self.columns) else 1

    @property
    def groups(self) -> list[tuple[str, list[ShownHead]]]:
        """(heading over columns, their own heads); "" for columns of no group."""
        groups = groupby(self.parts, key=lambda part: getattr(part, "group", ""))
        return [(group, [self._head(part) for part in parts]) for group, parts in groups]

    def _head(self, part: Part) -> ShownHead:
        if isinstance(part, RowDots):
            return ShownHead(f"{part.dots.axis}, chart", look="axis plot", dots=part)
        if isinstance(part, Grid):
            return ShownHead(part.title)
        if isinstance(part, Bars):
            axis = part.axis[:1].upper() + part.axis[1:]
            return ShownHead(f"{axis}, as a bar", look="bar", is_unseen=True)
        looks = ("num" * (part.kind is not Kind.TEXT), self._gap(part))
        title = part.title if self.is_printed else _capital(part)
        about = "" if self.is_printed else part.about
        return ShownHead(title, about, " ".join(filter(None, looks)))

    @property
    def legend(self) -> list[tuple[str, str]]:
        """(words, shade) of each series of the bars; none of a single one."""
        if self.bars is None or len(self.bars.series) < 2:
            return []
        words = [series.words for series in self.bars.series]
        return list(zip(words, self._looks, strict=True))

    @cached_property
    def _looks(self) -> list[str]:
        series = self.bars.series if self.bars else ()
        looks = zip(series, bar_looks(len(series)), strict=True)
        return [part.look or look for part, look in looks]

    @property
    def rows(self) -> Iterator[ShownRow]:
        rows = list(zip(self.table.rows, self._beside, strict=True))
        for row, beside in rows[:MOST_ROWS] if self.is_printed else rows:
            head = Words(self._text(row[0], self.head))
            below: tuple[str, ...] = ()
            if beside.head:
                head, below = Words(beside.head.text, beside.head.href), beside.head.below
            yield ShownRow(head, below, beside.look, self._cells(row, beside))

    @property
    def _beside(self) -> Sequence[Beside]:
        if self.is_printed or not self.table.beside:
            return [Beside()] * len(self.table.rows)
        return self.table.beside

    def _cells(self, row: Sequence[Cell], beside: Beside) -> list[ShownCell]:
        """Neighbours that say the same of what is missing become one."""
        cells: list[ShownCell] = []
        before: Part | None = None
        for place, part in enumerate(self.parts):
            has_value = isinstance(part, Column) and self._value(part, row) not in (None, "")
            if beside.instead and not has_value:
                rest = len(self.parts) - place
                return [*cells, ShownCell(Words(beside.instead), "dim", width=rest)]
            cell = self._part(part, row, beside)
            last = cells[-1] if cells else None
            if (
                last
                and isinstance(part, Column)
                and isinstance(before, Column)
                and before.group == part.group
                and part.key in beside.missing
                and self._value(part, row) is None
                and last.words == cell.words
                and not cell.words.href
            ):
                cells[-1] = replace(last, width=last.width + 1)
            else:
                cells.append(cell)
            before = part
        return cells

    def _part(self, part: Part, row: Sequence[Cell], beside: Beside) -> ShownCell:
        if isinstance(part, RowDots):
            return ShownCell(Words(""), "plot", marks=part.marks(row), dots=part)
        if isinstance(part, Grid):
            link = beside.links.get(GRID)
            href = self.addresses(link) if link else ""
            rows = heat_table(beside.grid, part.names)
            return ShownCell(Words(spoken(part, rows), href), grid=rows)
        if isinstance(part, Bars):
            return ShownCell(Words(""), "bar", bar=self._bar(part, row, beside))
        return self._cell(part, row, beside)

    def _value(self, column: Column, row: Sequence[Cell]) -> Cell:
        return row[self.table.number_of(column.key)]

    def _cell(self, column: Column, row: Sequence[Cell], beside: Beside) -> ShownCell:
        value, link = self._value(column, row), beside.links.get(column.key)
        below = list(self._below(column, row, beside))
        looks = ["num" * (column.kind is not Kind.TEXT), self._gap(column)]
        is_figure = isinstance(link, Working)
        if value is None:
            looks.append("" if self.is_printed else "dim")
            text = beside.missing.get(column.key, printed(None, column.kind))
            words = linked(text, link if is_figure else None, self.addresses)
        else:
            words = linked(self._text(value, column), link, self.addresses, value)
            looks.append("strong" if below and not words.href and not self.is_printed else "")
        why = beside.why.get(column.key, "")
        return ShownCell(words, " ".join(filter(None, looks)), below, why)

    def _text(self, value: Cell, column: Column) -> str:
        if column.is_date and not self.is_printed:
            return date_format(date.fromisoformat(str(value)), "j M Y")
        sign = column.is_signed and isinstance(value, int | float) and value > 0
        return f"+{printed(value, column.kind)}" if sign else printed(value, column.kind)

    def _below(self, column: Column, row: Sequence[Cell], beside: Beside) -> Iterator[Words]:
        if self._value(column, row) is None:
            return
        for other in self.below.get(column.key, ()):
            value = self._value(other, row)
            if value is not None:
                link, of = beside.links.get(other.key), beside.parts_of.get(column.key)
                words = linked(printed(value, other.kind), link, self.addresses, value)
                yield words if of is None else replace(words, after=f" of {of:,}")
        for count in beside.counts.get(column.key, ()):
            words = linked(f"{count.number:,}", count.pairs, self.addresses, count.number)
            yield replace(words, after=f" {count.words}")
        ends = printed_ends(self.table, tuple(row), column)
        yield from (Words(text) for text in (beside.below.get(column.key, ""), ends) if text)

    def _gap(self, column: Column) -> str:
        """A line before each group of columns but the first."""
        return "gap" if column.key in self._with_gap else ""

    @cached_property
    def _with_gap(self) -> set[str]:
        if self.is_printed:
            return set()
        return {
            column.key
            for before, column in pairwise(self.columns)
            if column.group and before.group != column.group
        }

    def _bar(self, bars: Bars, row: Sequence[Cell], beside: Beside) -> list[Piece]:
        """None for a sum where bars have a common measure: beside it all others were short."""
        if beside.look == "sum" and not bars.as_shares:
            return []
        counts = [self._count(row, series.column) for series in bars.series]
        return stacked(counts, self._looks, self._longest)

    def _count(self, row: Sequence[Cell], key: str) -> float:
        value = row[self.table.number_of(key)]
        return value if isinstance(value, int | float) else 0

    @cached_property
    def _longest(self) -> float | None:
        """The count that the whole width stands for; None if that is each row's own sum."""
        if self.bars is None or self.bars.as_shares:
            return None
        keys = [series.column for series in self.bars.series]
        rows = zip(self.table.rows, self._beside, strict=True)
        drawn = [row for row, beside in rows if beside.look != "sum"]
        return max(sum(self._count(row, key) for key in keys) for row in drawn)


def _capital(column: Column) -> str:
    """Letters of measures stay as they are."""
    is_measure = column.kind in (Kind.COEFFICIENT, Kind.PERCENT)
    return column.title if is_measure else column.title[:1].upper() + column.title[1:]
