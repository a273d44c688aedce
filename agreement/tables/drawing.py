"""The picture of a sheet as a file for print: SVG, or PNG at 300 dots to the inch.

Always dark on white, whatever the screen shows, since it goes into papers. The same sheet gives
the same bytes.
"""

import io
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from math import ceil
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap, to_rgb
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.ticker import MaxNLocator

from agreement.tables.table import Bars, Dots, Heat, Kind, Lines, Panels, Series, Sheet
from agreement.tables.writing import MINUS, printed

WIDTH = 6.5  # inches, the text width of a page
ROW = 0.27
DOTS_PER_INCH = 300
LETTER = 0.068  # inches, the width of most
LONGEST_LABEL = 44
MOST_ROWS = 100  # what a page can show; the table has all
INK, QUIET, RULE = "#1f2328", "#4a4f57", "#ddd8cc"
KEPT = 64  # pictures of some 50 kB, so that a report opened again need not draw them again
# matplotlib's settings are of the whole process: one picture at a time.
DRAWING = threading.Lock()


@dataclass(frozen=True)
class Look:
    """How the marks of one series look."""

    colour: str
    marker: str
    is_full: bool


# Okabe and Ito's colours, which the colour-blind tell apart.
# Beside the colour each has a form, and every other one is hollow: told apart in grey.
LOOKS = (
    Look("#d55e00", "o", is_full=False),
    Look("#0072b2", "D", is_full=True),
    Look("#009e73", "s", is_full=False),
    Look("#cc79a7", "^", is_full=True),
    Look("#e69f00", "v", is_full=False),
    Look("#56b4e9", "P", is_full=True),
)
LINE = LOOKS[1]
# Grades, ascending: one hue from light to dark, told apart in grey too.
RAMP = LinearSegmentedColormap.from_list(
    "ramp", ["#f3f5f8", "#bdd2e6", "#8fb3d4", "#4f83b3", "#173f68"]
)
STYLE: dict[Any, Any] = {
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 8,
    "text.color": INK,
    # What people wrote is text, also between dollars.
    "text.parse_math": False,
    "axes.edgecolor": QUIET,
    "axes.labelcolor": QUIET,
    "axes.linewidth": 0.6,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "xtick.color": QUIET,
    "ytick.color": INK,
    "legend.frameon": False,
    # Letters become outlines, so that the picture looks the same everywhere.
    "svg.fonttype": "path",
    "svg.hashsalt": "facetwise",
}


def as_svg(sheet: Sheet, *, about: str = "") -> bytes:
    """`about` says in the file what the picture is of: collection and filters."""
    # In place of its list the rows as a tuple, by which the picture is found again.
    return _svg(replace(sheet, rows=tuple(sheet.rows)), about)


@lru_cache(maxsize=KEPT)
def _svg(sheet: Sheet, about: str) -> bytes:
    return _drawn(sheet, "svg", metadata={"Date": None, **_said(sheet, about)})


def as_png(sheet: Sheet, *, about: str = "") -> bytes:
    return _drawn(sheet, "png", dpi=DOTS_PER_INCH, metadata=_said(sheet, about))


def _said(sheet: Sheet, about: str) -> dict[str, str]:
    return {"Title": sheet.title, "Description": about}


def _drawn(sheet: Sheet, suffix: str, **how) -> bytes:
    """The picture's bytes; ValueError for a sheet without one."""
    draw = DRAW.get(type(sheet.picture))
    if draw is None:
        raise ValueError(f"The sheet {sheet.key} has no picture.")
    with DRAWING, mpl.rc_context(STYLE):
        found = io.BytesIO()
        draw(sheet, sheet.picture).savefig(
            found, format=suffix, bbox_inches="tight", facecolor="white", **how
        )
    return found.getvalue()


def _dots(sheet: Sheet, picture: Dots) -> Figure:
    return _panels(sheet, Panels((picture,)))


def _panels(sheet: Sheet, picture: Panels) -> Figure:
    most = max(len(one.series) for one in picture.dots)
    figure, panels = _rows_figure(sheet, panels=len(picture.dots), line=ROW + 0.06 * (most - 1))
    for axes, one in zip(panels, picture.dots, strict=True):
        _draw_dots(axes, sheet, one, ticks=max(2, 6 // len(panels)))
    _say_rows(panels[0], sheet)
    if most > 1:
        _legend(panels[0], picture.dots[0].series)
    return figure


def _draw_dots(axes: Axes, sheet: Sheet, picture: Dots, *, ticks: int) -> None:
    apart = min(0.34, 0.7 / max(1, len(picture.series) - 1))
    rows = range(_drawn_rows(sheet))
    for number, series in enumerate(picture.series):
        column = sheet.columns[sheet.number_of(series.column)]
        values = _scaled(sheet, series.column)
        shift = apart * (number - (len(picture.series) - 1) / 2)
        look = LOOKS[number % len(LOOKS)]
        if column.ends:
            low, high = (_scaled(sheet, key) for key in column.ends)
            own = [row for row in rows if low[row] is not None and high[row] is not None]
            axes.hlines(
                [row + shift for row in own],
                [low[row] for row in own],
                [high[row] for row in own],
                color=look.colour,
                linewidth=1.1,
                zorder=2,
            )
        own = [row for row in rows if values[row] is not None]
        axes.plot(
            [values[row] for row in own],
            [row + shift for row in own],
            look.marker,
            color=look.colour,
            markerfacecolor=look.colour if look.is_full else "white",
            markeredgewidth=1.1,
            markersize=4.5,
            label=series.words,
            zorder=3,
            # A mark at an end of the axis stands whole. Of no mark at all the extent is the corner
            # of the figure, which would leave the picture an empty margin.
            clip_on=not own,
        )
    if picture.line is not None:
        at = picture.line * _scale(sheet, picture.series[0].column)
        axes.axvline(at, color=QUIET, linewidth=0.8, linestyle=(0, (3, 2)), zorder=1)
    scale = _scale(sheet, picture.series[0].column)
    axes.set_xlim(scale * picture.low, scale * picture.high)
    axes.xaxis.set_major_locator(MaxNLocator(ticks, steps=[1, 2, 2.5, 5, 10]))
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}".replace("-", MINUS))
    axes.set_xlabel(picture.axis)
    axes.grid(axis="x", color=RULE, linewidth=0.5)
    axes.set_axisbelow(True)


def _bars(sheet: Sheet, picture: Bars) -> Figure:
    figure, [axes] = _rows_figure(sheet, margin=0.75 if picture.as_shares else 0.1)
    rows = range(_drawn_rows(sheet))
    columns = [_scaled(sheet, one.column) for one in picture.series]
    numbers = [[column[row] or 0 for row in rows] for column in columns]
    totals = [sum(column) for column in zip(*numbers, strict=True)]
    done = [0.0] * len(rows)
    for series, cells, shade in zip(
        picture.series, numbers, _shades(len(picture.series)), strict=True
    ):
        widths = [
            (100 * cell / total if total else 0) if picture.as_shares else cell
            for cell, total in zip(cells, totals, strict=True)
        ]
        axes.barh(
            rows,
            widths,
            left=done,
            height=0.66,
            color=shade,
            edgecolor=QUIET,
            linewidth=0.4,
            label=series.words,
        )
        done = [start + width for start, width in zip(done, widths, strict=True)]
    axes.set_xlim(0, 100 if picture.as_shares else None)
    axes.set_xlabel(picture.axis)
    _say_rows(axes, sheet)
    for row, total in enumerate(totals):
        if not total:
            axes.text(0, row, " none", va="center", color=QUIET)
        elif picture.as_shares:
            axes.text(101, row, f"n = {total:,.0f}", va="center", color=QUIET, fontsize=7)
    if len(picture.series) > 1:
        _legend(axes, picture.series)
    return figure


def _heat(sheet: Sheet, picture: Heat) -> Figure:
    cells = [sheet.cells(series.column) for series in picture.series]
    kinds = [sheet.columns[sheet.number_of(one.column)].kind for one in picture.series]
    rows = list(zip(*cells, strict=True))
    widest = max((len(one.words) for one in picture.series), default=1)
    across = min(1.3, max(0.62, 0.085 * widest))
    figure = Figure(figsize=(1.6 + across * len(cells), 0.7 + 0.44 * len(rows)))
    axes = figure.add_subplot()
    shares = [[_share_of(row, cell, picture.highest) for cell in row] for row in rows]
    as_shares = picture.highest is None
    axes.set(xlim=(-0.5, len(cells) - 0.5), ylim=(max(len(rows), 1) - 0.5, -0.5))
    for y, row in enumerate(rows):
        for x, cell in enumerate(row):
            if cell is None:
                continue
            # A shape, no pixel: it stays sharp however large it is printed.
            axes.add_patch(
                Rectangle((x - 0.5, y - 0.5), 1, 1, fc=RAMP(shares[y][x]), ec="white", lw=1)
            )
            ink = _ink_on(RAMP(shares[y][x]))
            text = f"{printed(cell, kinds[x])}\n" if as_shares else printed(cell, kinds[x])
            axes.text(x, y, text, ha="center", va="center_baseline", color=ink)
            if as_shares:
                share = f"\n{100 * shares[y][x]:.0f}%"
                axes.text(x, y, share, ha="center", va="center_baseline", color=ink, fontsize=6.5)
    axes.set_xticks(range(len(cells)), [series.words for series in picture.series])
    axes.set_yticks(range(len(rows)), _labels(sheet))
    axes.set_xlabel(picture.columns)
    axes.set_ylabel(picture.rows)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    return figure


def _lines(sheet: Sheet, picture: Lines) -> Figure:
    parts = list(dict.fromkeys(sheet.cells(picture.by))) if picture.by else []
    panels = [(part, series) for part in parts or [None] for series in picture.series]
    across = min(2, len(panels)) or 1
    down = max(1, ceil(len(panels) / across))
    figure = Figure(figsize=(WIDTH if across > 1 else WIDTH / 1.6, 1.7 * down))
    for number, (part, series) in enumerate(panels, start=1):
        axes = figure.add_subplot(down, across, number)
        own = [
            row
            for row in range(len(sheet.rows))
            if part is None or sheet.cells(picture.by)[row] == part
        ]
        _draw_line(axes, sheet, series, own)
        words = [part, series.words] if len(picture.series) > 1 or not part else [part]
        axes.set_title(" · ".join(str(one) for one in words if one), loc="left", fontsize=8)
        if series.words not in words:
            axes.set_ylabel(f"{series.words}\n{axes.get_ylabel()}".strip(), fontsize=7)
        if number > len(panels) - across:
            axes.set_xlabel(picture.axis)
    figure.tight_layout(h_pad=1.2, w_pad=2)
    return figure


def _draw_line(axes: Axes, sheet: Sheet, series: Series, rows: list[int]) -> None:
    """The cells of these rows from left to right, numbered from 1."""
    column = sheet.columns[sheet.number_of(series.column)]
    values = _scaled(sheet, series.column)
    shown = [(x, values[row]) for x, row in enumerate(rows, start=1) if values[row] is not None]
    if column.ends:
        low, high = (_scaled(sheet, key) for key in column.ends)
        for x, row in enumerate(rows, start=1):
            if low[row] is not None and high[row] is not None:
                axes.plot([x, x], [low[row], high[row]], color=LINE.colour, linewidth=0.9)
    if shown:
        axes.plot(
            *zip(*shown, strict=True), color=LINE.colour, marker="o", markersize=3.5, linewidth=1
        )
    axes.set_xlim(0.5, max(len(rows), 1) + 0.5)
    axes.set_xticks(range(1, len(rows) + 1))
    if column.kind is Kind.SHARE:
        axes.set_ylim(0, 100)
        axes.set_ylabel("%")
    axes.grid(axis="y", color=RULE, linewidth=0.5)
    axes.set_axisbelow(True)


def _rows_figure(
    sheet: Sheet, *, panels: int = 1, line: float = ROW, margin: float = 0.1
) -> tuple[Figure, list[Axes]]:
    """A figure with a line per row of the sheet, the first at the top; the words beside the first
    of its panels, and to the right a margin in inches."""
    rows = _drawn_rows(sheet)
    figure = Figure(figsize=(WIDTH, line * max(rows, 1) + 0.6))
    found = []
    for number in range(1, panels + 1):
        axes = figure.add_subplot(1, panels, number)
        axes.set_ylim(max(rows, 1) - 0.4, -0.6)
        axes.set_yticks(range(rows), _labels(sheet) if number == 1 else [""] * rows)
        axes.tick_params(axis="y", length=0)
        axes.spines["left"].set_visible(False)
        found.append(axes)
    room = LETTER * max((len(label) for label in _labels(sheet)), default=0) + 0.1
    figure.subplots_adjust(left=room / WIDTH, right=1 - margin / WIDTH, wspace=0.22)
    return figure, found


def _scale(sheet: Sheet, column: str) -> int:
    """Shares are drawn as percent."""
    return 100 if sheet.columns[sheet.number_of(column)].kind is Kind.SHARE else 1


def _scaled(sheet: Sheet, column: str) -> list:
    scale = _scale(sheet, column)
    return [None if cell is None else scale * cell for cell in sheet.cells(column)]


def _ink_on(colour) -> str:
    """Dark or white letters, whichever stand out more (contrast as WCAG has it)."""

    def luminance(one):
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in one[:3]]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    own, dark = luminance(colour), luminance(to_rgb(INK))
    return INK if (own + 0.05) / (dark + 0.05) >= 1.05 / (own + 0.05) else "white"


def _drawn_rows(sheet: Sheet) -> int:
    return min(len(sheet.rows), MOST_ROWS)


def _say_rows(axes: Axes, sheet: Sheet) -> None:
    """Under the axis, where the table has more rows than can be drawn."""
    if len(sheet.rows) > MOST_ROWS:
        words = f"the first {MOST_ROWS} of {len(sheet.rows):,} rows"
        axes.set_xlabel(f"{axes.get_xlabel()}\n{words}")


def _labels(sheet: Sheet) -> list[str]:
    labels = [str(row[0]) for row in sheet.rows[:MOST_ROWS]]
    return [one if len(one) <= LONGEST_LABEL else f"{one[: LONGEST_LABEL - 1]}…" for one in labels]


def _legend(axes: Axes, series: tuple[Series, ...]) -> None:
    """Above the axes, in as many columns as fit beside each other."""
    entry = 0.4 + LETTER * max(len(one.words) for one in series)
    fitting = max(1, int(WIDTH * (1 - axes.get_position().x0) / entry))
    axes.legend(
        loc="lower left",
        bbox_to_anchor=(0, 1),
        ncols=ceil(len(series) / ceil(len(series) / fitting)),
        handletextpad=0.4,
        columnspacing=1.4,
        borderaxespad=0.4,
        handlelength=1.2,
    )


def _shades(number: int) -> list:
    """Colours of the pieces of a bar, from light to dark."""
    return [RAMP(0.05 + 0.95 * place / max(number - 1, 1)) for place in range(number)]


def _share_of(row, cell, highest: float | None) -> float:
    total = highest if highest is not None else sum(one for one in row if one is not None)
    return max(0.0, (cell or 0) / total) if total else 0.0


DRAW: dict[type, Callable[[Sheet, Any], Figure]] = {
    Dots: _dots,
    Panels: _panels,
    Bars: _bars,
    Heat: _heat,
    Lines: _lines,
}
