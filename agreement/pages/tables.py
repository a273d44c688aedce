"""A table as a page shows it: numbers that open their pairs, small words below, a bar for a row."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import groupby

from django.urls import reverse
from django.utils.dateformat import format as date_format

from agreement.pairs.lists import list_address
from agreement.study.filters import ALL, Filters
from agreement.study.parts import LEVELS
from agreement.tables.pictures import bar_looks, heat_step
from agreement.tables.table import Bars, Beside, Cell, Column, Heat, Kind, Pairs, Table, Working
from agreement.tables.writing import printed, printed_ends


@dataclass(frozen=True)
class Addresses:
    """Where the numbers of a page lead, under its filters. `facets` are those that a list may be
    limited to."""

    slug: str
    filters: Filters
    facets: frozenset[str]

    def of_pairs(self, pairs: Pairs) -> str:
        """Empty where facets with scales of their own would be put together. A facet may be a
        level of aspects."""
        named = {"topic": pairs.topic, "query": pairs.query}
        changes = {name: key for name, key in named.items() if key}
        if pairs.facet in LEVELS and pairs.facet not in self.facets:
            changes["level"] = pairs.facet
        elif pairs.facet is not None:
            changes["facet"] = pairs.facet or ALL
        if changes.get("facet", ALL) not in self.facets:
            return ""
        address = list_address(pairs.kind, pairs.cell, self.filters.address(**changes))
        return f"{reverse('agreement:pairs', args=[self.slug])}?{address}"

    def of_working(self, working: Working) -> str:
        address = self.filters.address(
            facet=working.facet or ALL, when=working.when, measure=working.measure, topic=""
        )
        return f"{reverse('agreement:working', args=[self.slug])}?{address}"


@dataclass(frozen=True)
class Words:
    """A text, and where it leads; `label` says it to who does not see the row."""

    text: str
    href: str = ""
    label: str = ""
    look: str = ""
    after: str = ""


def _text(value: Cell, column: Column) -> str:
    if column.is_date:
        return date_format(date.fromisoformat(str(value)), "j M Y")
    return printed(value, column.kind)


def _capital(column: Column) -> str:
    """Letters of measures stay as they are."""
    is_measure = column.kind in (Kind.COEFFICIENT, Kind.PERCENT)
    return column.title if is_measure else column.title[:1].upper() + column.title[1:]


def linked(
    text: str, link: Pairs | Working | None, addresses: Addresses, count: Cell = None
) -> Words:
    """A figure leads to its working, a count that is not 0 to its pairs."""
    if isinstance(link, Working):
        return Words(text, addresses.of_working(link), look="why")
    if link is None or not count:
        return Words(text)
    pairs = "pair" if count == 1 else "pairs"
    return Words(text, addresses.of_pairs(link), f"{text} {pairs}: {link.words}", "opens")


@dataclass(frozen=True)
class Piece:
    """A piece of a bar."""

    x: str
    width: str
    shade: str


@dataclass(frozen=True)
class ShownCell:
    words: Words
    look: str
    below: Sequence[Words] = ()
    why: str = ""
    width: int = 1


@dataclass(frozen=True)
class ShownRow:
    head: str
    look: str
    cells: list[ShownCell]
    bar: list[Piece]


@dataclass(frozen=True)
class ShownHead:
    title: str
    about: str
    look: str


class ShownTable:
    """Rows of cells as the template prints them."""

    def __init__(self, table: Table, addresses: Addresses) -> None:
        self.table, self.addresses = table, addresses
        self.head, *self.columns = [column for column in table.columns if column.is_shown]
        self.below = {
            column.key: [other for other in table.columns if other.below == column.key]
            for column in self.columns
        }
        self.places = {column.key: number for number, column in enumerate(table.columns)}
        self.bars = table.picture if isinstance(table.picture, Bars) else None

    @property
    def lines_of_heads(self) -> int:
        return 2 if any(column.group for column in self.columns) else 1

    @property
    def groups(self) -> list[tuple[str, list[ShownHead]]]:
        """(heading over columns, their own heads); "" for columns of no group."""
        groups = groupby(self.columns, key=lambda column: column.group)
        return [(group, [self._head(column) for column in columns]) for group, columns in groups]

    def _head(self, column: Column) -> ShownHead:
        looks = ("num" * (column.kind is not Kind.TEXT), self._gap(column))
        return ShownHead(_capital(column), column.about, " ".join(filter(None, looks)))

    @property
    def legend(self) -> list[tuple[str, str]]:
        """(words, shade) of each series of the bars; none of a single one."""
        if self.bars is None or len(self.bars.series) < 2:
            return []
        words = [series.words for series in self.bars.series]
        return list(zip(words, self._looks, strict=True))

    @property
    def _looks(self) -> list[str]:
        series = self.bars.series if self.bars else ()
        looks = zip(series, bar_looks(len(series)), strict=True)
        return [part.look or look for part, look in looks]

    @property
    def rows(self) -> Iterator[ShownRow]:
        for row, beside in zip(self.table.rows, self._beside, strict=True):
            cells, bar = self._cells(row, beside), self._bar(row, beside)
            yield ShownRow(str(row[0]), beside.look, cells, bar)

    @property
    def _beside(self) -> Sequence[Beside]:
        return self.table.beside or [Beside()] * len(self.table.rows)

    def _cells(self, row: Sequence[Cell], beside: Beside) -> list[ShownCell]:
        """Neighbours that say the same of what is missing become one."""
        cells: list[ShownCell] = []
        before: Column | None = None
        for column in self.columns:
            cell = self._cell(column, row, beside)
            last = cells[-1] if cells else None
            if (
                last
                and before
                and before.group == column.group
                and column.key in beside.missing
                and row[self.places[column.key]] is None
                and last.words == cell.words
                and not cell.words.href
            ):
                cells[-1] = ShownCell(last.words, last.look, (), last.why, last.width + 1)
            else:
                cells.append(cell)
            before = column
        return cells

    def _cell(self, column: Column, row: Sequence[Cell], beside: Beside) -> ShownCell:
        value, link = row[self.places[column.key]], beside.links.get(column.key)
        below = list(self._below(column, row, beside))
        looks = ["num" * (column.kind is not Kind.TEXT), self._gap(column)]
        is_figure = isinstance(link, Working)
        if value is None:
            looks.append("dim")
            text = beside.missing.get(column.key, printed(None, column.kind))
            words = linked(text, link if is_figure else None, self.addresses)
        else:
            words = linked(_text(value, column), link, self.addresses, value)
            looks.append("strong" if below and not words.href else "")
        why = beside.why.get(column.key, "")
        return ShownCell(words, " ".join(filter(None, looks)), below, why)

    def _below(self, column: Column, row: Sequence[Cell], beside: Beside) -> Iterator[Words]:
        if row[self.places[column.key]] is None:
            return
        for other in self.below[column.key]:
            value = row[self.places[other.key]]
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
        number = self.columns.index(column)
        starts = number > 0 and self.columns[number - 1].group != column.group
        return "gap" if starts and column.group else ""

    def _bar(self, row: Sequence[Cell], beside: Beside) -> list[Piece]:
        """None for a sum where bars have a common measure: beside it all others were short."""
        if self.bars is None or (beside.look == "sum" and not self.bars.as_shares):
            return []
        counts = [self._count(row, series.column) for series in self.bars.series]
        return stacked(counts, self._looks, self._longest)

    def _count(self, row: Sequence[Cell], key: str) -> float:
        value = row[self.places[key]]
        return value if isinstance(value, int | float) else 0

    @property
    def _longest(self) -> float | None:
        """What the whole width stands for; None where that is each row's own sum."""
        if self.bars is None or self.bars.as_shares:
            return None
        keys = [series.column for series in self.bars.series]
        rows = zip(self.table.rows, self._beside, strict=True)
        drawn = [row for row, beside in rows if beside.look != "sum"]
        return max((sum(self._count(row, key) for key in keys) for row in drawn), default=0)


def stacked(
    counts: Sequence[float], looks: Sequence[str], whole: float | None = None
) -> list[Piece]:
    """A piece per count, as wide as its share of the whole, or of them all; none for 0."""
    pieces, done, total = [], 0.0, whole or sum(counts)
    for count, look in zip(counts, looks, strict=True):
        if count:
            pieces.append(Piece(f"{100 * done / total:.2f}%", f"{100 * count / total:.2f}%", look))
            done += count
    return pieces


@dataclass(frozen=True)
class HeatCell:
    """A count, the value in its column, its share of the row, and its shade."""

    words: Words
    column: str
    percent: str
    heat: str
    is_diagonal: bool


HeatRow = tuple[str, list[HeatCell]]


def heat_table(counts: Sequence[Sequence[int]], names: Sequence[str]) -> list[HeatRow]:
    """Per value in rows a cell for each in columns, shaded by its share of the row."""
    return [
        (name, _heat_cells(name, row, names, [Words(f"{count:,}") for count in row]))
        for name, row in zip(names, counts, strict=True)
    ]


def heat_rows(table: Table, addresses: Addresses) -> list[HeatRow]:
    """The same of a table with such a picture, whose counts open their pairs."""
    if not isinstance(table.picture, Heat):
        raise TypeError(f"The table {table.key} is no cross table.")
    names = [series.words for series in table.picture.series]
    keys = [series.column for series in table.picture.series]
    columns = [table.cells(key) for key in keys]
    rows = []
    for number, (name, *_) in enumerate(table.rows):
        counts = [int(column[number] or 0) for column in columns]
        links = table.beside[number].links if table.beside else {}
        words = [
            linked(f"{count:,}", links.get(key), addresses, count)
            for key, count in zip(keys, counts, strict=True)
        ]
        rows.append((str(name), _heat_cells(str(name), counts, names, words)))
    return rows


def _heat_cells(
    row: str, counts: Sequence[int], names: Sequence[str], words: Sequence[Words]
) -> list[HeatCell]:
    total = sum(counts) or 1
    return [
        HeatCell(
            text,
            name,
            f"{100 * count / total:.0f}%" if sum(counts) else "",
            heat_step(count / total),
            name == row,
        )
        for count, name, text in zip(counts, names, words, strict=True)
    ]
