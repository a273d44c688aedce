"""The cells of a table as people read them: a figure in words, words that lead somewhere, and marks
on an axis, in a bar, in a heat map.

Figures are written here alone, for pages, print, pictures and LaTeX. Places of marks are in percent
of the cell. Templates only print these; each mark stands beside its number. Pictures
(`pictures.py`) take their looks, shades and steps from here.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10

from agreement.tables.table import Cell, Column, Dots, Kind, Link, Table, Working
from formats.decimals import typeset

# For no value: an en dash, as in papers.
NONE = "\u2013"
# The address of a link; empty where it leads nowhere under the filters.
Addresses = Callable[[Link], str]

# The looks of the marks of a first and a second series, of a third, ...
LOOKS = ("pre", "pt", "pre s1", "pt s2", "pre s2", "pt s1")
# Heat steps of the style sheet, by the least share that reaches each.
HEAT = ((0.6, "h5"), (0.5, "h4"), (0.3, "h3"), (0.15, "h2"), (0.0, "h1"))


def printed(cell: Cell, kind: Kind) -> str:
    """The cell as people read it; a dash for no value."""
    if cell is None:
        return NONE
    if isinstance(cell, str):
        return cell
    return typeset(WRITERS[kind](cell))


def _seconds(seconds: float) -> str:
    """14 s, or 2 min 5 s."""
    whole = round(seconds)
    return f"{whole} s" if whole < 120 else f"{whole // 60:,} min {whole % 60} s"


def axis_label(value: float) -> str:
    """A number at a line of an axis, without powers of ten: 0.5."""
    return typeset(f"{value:{'g' if abs(value) < 1e6 else '.0f'}}")


def _hours(hours: float) -> str:
    """What rounds to an hour is one."""
    minutes = round(60 * hours)
    return f"{hours:,.1f} h" if minutes >= 60 else f"{minutes} min"


def rounded_up(share: float) -> str:
    """A share as percent with one decimal, never below it: 0.0487 is 4.9%, 0.04951 is 5.0%."""
    # Nine decimals are more than a float of this size is sure of.
    return f"{ceil(round(share * 1000, 9)) / 10:.1f}%"


def _p(value: float) -> str:
    return "<0.001" if value < 0.001 else f"{value:.3f}" if value < 0.1 else f"{value:.2f}"


# How people read a number of each kind.
WRITERS: dict[Kind, Callable[[float], str]] = {
    Kind.TEXT: "{}".format,
    Kind.COUNT: "{:,.0f}".format,
    Kind.COEFFICIENT: "{:z.2f}".format,
    Kind.PERCENT: "{:z.2f}".format,
    Kind.SHARE: lambda share: f"{100 * share:.1f}%",
    Kind.BOUND: rounded_up,
    Kind.NUMBER: "{:z.2f}".format,
    Kind.P: _p,
    Kind.GRADE: "{:g}".format,
    Kind.SECONDS: _seconds,
    Kind.HOURS: _hours,
}


def printed_ends(table: Table, row: tuple[Cell, ...], column: Column) -> str:
    """The interval of a cell, "0.35 to 0.51"; empty where it has none."""
    if column.ends is None:
        return ""
    low, high = (row[table.number_of(key)] for key in column.ends)
    if low is None or high is None:
        return ""
    return f"{printed(low, column.kind)} to {printed(high, column.kind)}"


@dataclass(frozen=True)
class Words:
    """A text, and where it leads; `label` says it to who does not see the row."""

    text: str
    href: str = ""
    label: str = ""
    look: str = ""
    after: str = ""


def linked(text: str, link: Link | None, addresses: Addresses, count: Cell = None) -> Words:
    """A figure leads to its working, a count that is not 0 to its pairs; of a text, which may be
    long, there are two lines."""
    if isinstance(link, Working):
        return Words(text, addresses(link), look="why")
    if isinstance(link, str):
        return Words(text, link, look="clip2" if isinstance(count, str) else "")
    if link is None or not count:
        return Words(text)
    plural = "" if count == 1 else "s"
    return Words(text, addresses(link), f"{text} {link.noun}{plural}: {link.words}", "opens")


@dataclass(frozen=True)
class Tick:
    at: str
    label: str
    anchor: str
    is_zero: bool


@dataclass(frozen=True)
class Axis:
    """A scale from `low` to `high`, with a line at every `step`."""

    low: float
    high: float
    step: float

    def at(self, value: float) -> str:
        return f"{100 * (value - self.low) / ((self.high - self.low) or 1.0):.2f}%"

    def mark(
        self, value: float | None, low: float | None, high: float | None, look: str = ""
    ) -> "Mark":
        """The mark of a figure, with the ends of its interval where it has one."""
        if value is None:
            return Mark(None)
        if low is None or high is None:
            return Mark(self.at(value), look=look)
        return Mark(self.at(value), self.at(low), self.at(high), look)

    @property
    def ticks(self) -> list[Tick]:
        """At the low end and every step from it; those at an end stay inside the axis."""
        steps = (self.high - self.low) / self.step
        last = floor(steps + 1e-9)
        anchors = {0: "start", round(steps, 9): "end"}
        return [
            Tick(self.at(value), axis_label(value), anchors.get(number, "middle"), value == 0)
            for number in range(last + 1)
            for value in [self.low + number * self.step]
        ]


def rounded_step(least: float) -> float:
    """The smallest round number that is at least so large."""
    size = 10 ** floor(log10(least))
    return next(size * times for times in (1, 2, 2.5, 5, 10) if size * times >= least * (1 - 1e-9))


def steps_of(low: float, high: float, *, most: int = 6) -> list[float]:
    """Round numbers from low to high, at most so many."""
    step = rounded_step((high - low) / max(most - 1, 1) or 1.0)
    first = ceil(low / step - 1e-9)
    return [n * step for n in range(first, floor(high / step + 1e-9) + 1)]


def scale_of(table: Table, column: str) -> int:
    """Shares are drawn as percent."""
    return 100 if table.columns[table.number_of(column)].kind is Kind.SHARE else 1


def scaled_cells(table: Table, column: str) -> list:
    """A column's cells as they are drawn."""
    scale = scale_of(table, column)
    return [None if cell is None else scale * cell for cell in table.cells(column)]


@dataclass(frozen=True)
class Mark:
    """A figure on an axis, with the ends of its interval where there is one; None is no mark."""

    at: str | None
    low: str | None = None
    high: str | None = None
    look: str = ""


@dataclass(frozen=True)
class RowDots:
    """The dots of a table, row by row: their axis, and the marks of each row."""

    dots: Dots
    table: Table

    @property
    def axis(self) -> Axis:
        return Axis(self._scale * self.dots.low, self._scale * self.dots.high, 1)

    @property
    def ticks(self) -> list[Tick]:
        values = steps_of(self.axis.low, self.axis.high, most=5)
        return [Tick(self.axis.at(n), axis_label(n), "middle", n == 0) for n in values]

    @property
    def line(self) -> str:
        """0 has a line of the axis already."""
        return self.axis.at(self._scale * self.dots.line) if self.dots.line else ""

    @property
    def _scale(self) -> int:
        return scale_of(self.table, self.dots.series[0].column)

    def marks(self, row: Sequence[Cell]) -> list[Mark]:
        """The first series comes last, and so on top of the others."""
        looks = LOOKS if len(self.dots.series) > 1 else ("pt",)
        drawn = [
            self._mark(row, series.column, look)
            for series, look in zip(self.dots.series, looks, strict=False)
        ]
        return [mark for mark in reversed(drawn) if mark.at]

    def _mark(self, row: Sequence[Cell], key: str, look: str) -> Mark:
        column = self.table.columns[self.table.number_of(key)]
        value, low, high = (self._number(row, end) for end in (key, *(column.ends or ("", ""))))
        line = self.dots.line
        if low is not None and high is not None and line is not None and high < self._scale * line:
            look = "pt low"
        return self.axis.mark(value, low, high, look)

    def _number(self, row: Sequence[Cell], key: str) -> float | None:
        cell = row[self.table.number_of(key)] if key else None
        return self._scale * cell if isinstance(cell, int | float) else None


@dataclass(frozen=True)
class Piece:
    """A piece of a bar, as high as the bar, or a bar among others."""

    x: str
    width: str
    shade: str
    y: str = ""
    height: str = ""


def shades(number: int) -> list[str]:
    """The shades of so many grades, ascending, from the lightest to the darkest."""
    return [f"s{round(3 * place / max(number - 1, 1))}" for place in range(number)]


def bar_looks(series: int) -> list[str]:
    """The shades of the pieces of a bar."""
    return ["s2"] if series == 1 else shades(series)


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


def heat_step(share: float) -> str:
    """The shade of a share of a whole; none of it has the lightest."""
    return "h0" if share <= 0 else next(name for least, name in HEAT if share >= least)


def heat_steps(row: Sequence[Cell], highest: float | None = None) -> list[str]:
    """The shade of each cell by its share of the row, or of `highest`."""
    return [heat_step(share) for share in shares_of(row, highest)]


def shares_of(row: Sequence[Cell], highest: float | None = None) -> list[float]:
    """Each cell as a share of `highest`, or of the row's sum; never below 0."""
    numbers = [cell if isinstance(cell, int | float) else 0.0 for cell in row]
    total = sum(numbers) if highest is None else highest
    return [max(0.0, number / total) if total else 0.0 for number in numbers]
