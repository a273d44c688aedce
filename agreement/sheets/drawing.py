"""The picture of a sheet as a file for print: SVG, or PNG at 300 dots to the inch.

Always dark on white, whatever the screen shows, since it goes into papers. The same sheet gives
the same bytes.
"""

import io
from math import ceil

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from agreement.sheets.sheet import Bars, Dots, Heat, Lines, Series, Sheet
from agreement.sheets.writing import printed

WIDTH = 6.5  # inches, the text width of a page
ROW = 0.27
DOTS_PER_INCH = 300
LONGEST_LABEL = 44
INK, QUIET, RULE = "#1f2328", "#4a4f57", "#ddd8cc"
# Okabe and Ito's colours, told apart by all; the lightest first series is the one after another.
COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#999999", "#f0e442")
MARKERS = ("o", "D", "s", "^", "v", "P", "X", "*")
# Grades, ascending: one hue from light to dark, told apart in grey too.
RAMP = LinearSegmentedColormap.from_list(
    "ramp", ["#f3f5f8", "#bdd2e6", "#8fb3d4", "#4f83b3", "#173f68"]
)
STYLE = {
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 8,
    "text.color": INK,
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


def as_svg(sheet: Sheet) -> bytes:
    return _drawn(sheet, "svg", metadata={"Date": None, "Title": sheet.title})


def as_png(sheet: Sheet) -> bytes:
    return _drawn(sheet, "png", dpi=DOTS_PER_INCH, metadata={"Title": sheet.title})


def _drawn(sheet: Sheet, suffix: str, **how) -> bytes:
    """The picture's bytes; ValueError for a sheet without one."""
    draw = {Dots: _dots, Bars: _bars, Heat: _heat, Lines: _lines}.get(type(sheet.picture))
    if draw is None:
        raise ValueError(f"The sheet {sheet.key} has no picture.")
    with mpl.rc_context(STYLE):
        found = io.BytesIO()
        draw(sheet, sheet.picture).savefig(
            found, format=suffix, bbox_inches="tight", facecolor="white", **how
        )
    return found.getvalue()


def _dots(sheet: Sheet, picture: Dots) -> Figure:
    figure, axes = _rows_figure(sheet, legend=len(picture.series))
    apart = 0.0 if len(picture.series) == 1 else 0.3
    for number, series in enumerate(picture.series):
        column = sheet.columns[sheet.number_of(series.column)]
        values = sheet.cells(series.column)
        ends = [sheet.cells(key) for key in column.ends] if column.ends else []
        for row, value in enumerate(values):
            y = row + apart * (number - (len(picture.series) - 1) / 2)
            colour = COLOURS[number % len(COLOURS)]
            if ends and None not in (low := ends[0][row], high := ends[1][row]):
                axes.plot([low, high], [y, y], color=colour, linewidth=1, zorder=2)
            if value is not None:
                marker = MARKERS[number % len(MARKERS)]
                axes.plot(value, y, marker, color=colour, markersize=4, zorder=3)
        axes.plot(
            [],
            [],
            MARKERS[number % len(MARKERS)],
            color=COLOURS[number % len(COLOURS)],
            markersize=4,
            label=series.words,
        )
    if picture.line is not None:
        axes.axvline(picture.line, color=QUIET, linewidth=0.8, linestyle=(0, (3, 2)), zorder=1)
    axes.set_xlim(picture.low, picture.high)
    axes.set_xlabel(picture.axis)
    axes.grid(axis="x", color=RULE, linewidth=0.5)
    _legend(figure, axes, picture.series)
    return figure


def _bars(sheet: Sheet, picture: Bars) -> Figure:
    figure, axes = _rows_figure(sheet, legend=len(picture.series))
    numbers = [[cell or 0 for cell in sheet.cells(one.column)] for one in picture.series]
    done = [0.0] * len(sheet.rows)
    shades = _shades(len(picture.series))
    for series, cells, shade in zip(picture.series, numbers, shades, strict=True):
        totals = [sum(column) for column in zip(*numbers, strict=True)]
        widths = [
            (100 * cell / total if total else 0) if picture.as_shares else cell
            for cell, total in zip(cells, totals, strict=True)
        ]
        axes.barh(
            range(len(widths)),
            widths,
            left=done,
            height=0.66,
            color=shade,
            edgecolor="white",
            linewidth=0.6,
            label=series.words,
        )
        done = [start + width for start, width in zip(done, widths, strict=True)]
    axes.set_xlim(0, 100 if picture.as_shares else None)
    axes.set_xlabel(picture.axis)
    _legend(figure, axes, picture.series)
    return figure


def _heat(sheet: Sheet, picture: Heat) -> Figure:
    cells = [sheet.cells(series.column) for series in picture.series]
    kinds = [sheet.columns[sheet.number_of(one.column)].kind for one in picture.series]
    rows = list(zip(*cells, strict=True))
    figure = Figure(figsize=(min(WIDTH, 1.6 + 0.62 * len(cells)), 0.7 + 0.42 * len(rows)))
    axes = figure.add_subplot()
    shares = [[_share_of(row, cell, picture.highest) for cell in row] for row in rows]
    axes.set(xlim=(-0.5, len(cells) - 0.5), ylim=(max(len(rows), 1) - 0.5, -0.5))
    for y, row in enumerate(rows):
        for x, cell in enumerate(row):
            # A shape, no pixel: it stays sharp however large it is printed.
            axes.add_patch(
                Rectangle((x - 0.5, y - 0.5), 1, 1, fc=RAMP(shares[y][x]), ec="white", lw=1)
            )
            colour = "white" if shares[y][x] > 0.55 else INK
            if cell is not None:
                axes.text(x, y, printed(cell, kinds[x]), ha="center", va="center", color=colour)
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
    across = min(2, len(panels))
    down = ceil(len(panels) / across)
    figure = Figure(figsize=(WIDTH, 1.6 * down), layout="constrained")
    for number, (part, series) in enumerate(panels, start=1):
        axes = figure.add_subplot(down, across, number)
        column = sheet.columns[sheet.number_of(series.column)]
        own = [
            row
            for row in range(len(sheet.rows))
            if part is None or sheet.cells(picture.by)[row] == part
        ]
        values = [sheet.cells(series.column)[row] for row in own]
        shown = [(x, value) for x, value in enumerate(values, start=1) if value is not None]
        ends = [sheet.cells(key) for key in column.ends] if column.ends else []
        for x, row in enumerate(own, start=1):
            if ends and None not in (low := ends[0][row], high := ends[1][row]):
                axes.plot([x, x], [low, high], color=COLOURS[0], linewidth=0.8)
        if shown:
            axes.plot(*zip(*shown, strict=True), "o-", color=COLOURS[0], markersize=3, linewidth=1)
        axes.set_title(
            " · ".join(str(one) for one in (part, series.words) if one), loc="left", fontsize=8
        )
        axes.grid(axis="y", color=RULE, linewidth=0.5)
        axes.set_xlabel(picture.axis)
    return figure


def _rows_figure(sheet: Sheet, *, legend: int) -> tuple[Figure, Axes]:
    """A figure with a line per row of the sheet, the first at the top."""
    height = ROW * max(len(sheet.rows), 1) + 0.6 + (0.25 if legend > 1 else 0)
    figure = Figure(figsize=(WIDTH, height))
    axes = figure.add_subplot()
    axes.set_ylim(len(sheet.rows) - 0.4, -0.6)
    axes.set_yticks(range(len(sheet.rows)), _labels(sheet))
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)
    return figure, axes


def _labels(sheet: Sheet) -> list[str]:
    labels = [str(row[0]) for row in sheet.rows]
    return [one if len(one) <= LONGEST_LABEL else f"{one[: LONGEST_LABEL - 1]}…" for one in labels]


def _legend(figure: Figure, axes: Axes, series: tuple[Series, ...]) -> None:
    if len(series) > 1:
        axes.legend(
            loc="lower left",
            bbox_to_anchor=(0, 1),
            ncols=min(len(series), 5),
            handletextpad=0.4,
            columnspacing=1.2,
            borderaxespad=0.2,
            handlelength=1,
        )


def _shades(number: int) -> list:
    """Colours of the pieces of a bar, from light to dark."""
    return [RAMP(0.12 + 0.88 * place / max(number - 1, 1)) for place in range(number)]


def _share_of(row, cell, highest: float | None) -> float:
    total = highest if highest is not None else sum(one for one in row if one is not None)
    return max(0.0, (cell or 0) / total) if total else 0.0
