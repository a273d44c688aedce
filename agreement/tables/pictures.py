"""The picture of a table, drawn once for pages, printed reports, and files in SVG and PNG.

The same table gives the same bytes. Colours mean what they mean on the charts of the pages: a
hollow mark is before adjudication, a full one after it; grades go from light to dark.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from django.utils.safestring import SafeString, mark_safe

from agreement.tables.canvas import LETTER, WIDTH, Canvas
from agreement.tables.cells import (
    LOOKS,
    axis_label,
    bar_looks,
    heat_step,
    printed,
    scale_of,
    scaled_cells,
    shares_of,
    steps_of,
)
from agreement.tables.lines import draw_lines
from agreement.tables.table import (
    Bars,
    Dots,
    Heat,
    Lines,
    Panels,
    Picture,
    Series,
    Table,
)
from formats.strict import cut

PICTURES = ("svg", "png")  # the formats of files
ROW = 23
GAP = 34
LEGEND = 22
AXIS = 36
DOTS_PER_INCH = 300
PIXELS_PER_INCH = 96
LONGEST_LABEL = 44
MOST_ROWS = 100  # what a page can show; the table has all
FONT = Path(__file__).parent / "fonts" / "DejaVuSans.ttf"

DARK = ("h4", "h5")


def as_svg(table: Table, *, about: str = "") -> bytes:
    """A file that needs no other; it says what the picture is of: collection and filters."""
    return _drawn(table).file(title=table.title, about=about).encode()


def as_png(table: Table) -> bytes:
    # Loaded by the first picture that asks for it.
    from resvg_py import svg_to_bytes

    return svg_to_bytes(
        svg_string=as_svg(table).decode(),
        zoom=DOTS_PER_INCH / PIXELS_PER_INCH,
        skip_system_fonts=True,
        font_files=[str(FONT)],
        font_family="DejaVu Sans",
        sans_serif_family="DejaVu Sans",
    )


def on_page(table: Table) -> SafeString:
    """For the inside of a page, which has the style sheets."""
    return mark_safe(_drawn(table).svg(title=table.title))  # noqa: S308 - every text is escaped


def _drawn(table: Table) -> Canvas:
    if table.picture is None:
        raise ValueError(f"The table {table.key} has no picture.")
    return DRAW[type(table.picture)](table, table.picture)


class _Rows:
    """A canvas with a line per row of the table: their words, and panels beside them."""

    def __init__(self, table: Table, panels: int, *, legend: float, right: float = 16) -> None:
        labels = [cut(str(row[0]), LONGEST_LABEL) for row in table.rows[:MOST_ROWS]]
        self.rows = range(len(labels))
        self.left = _label_width(table)
        self.top = legend
        self.bottom = legend + ROW * max(len(labels), 1)
        is_cut = len(table.rows) > MOST_ROWS
        self.canvas = Canvas(WIDTH, self.bottom + AXIS + 12 * is_cut)
        wide = (WIDTH - self.left - right - GAP * (panels - 1)) / panels
        self.panels = [(self.left + n * (wide + GAP), wide) for n in range(panels)]
        for row, label in enumerate(labels):
            self.canvas.words(self.left - 8, self.middle(row), label, anchor="end")
        if is_cut:
            note = f"the first {MOST_ROWS} of {len(table.rows):,} rows"
            self.canvas.words(self.left, self.bottom + 40, note, look="quiet small")

    def middle(self, row: float) -> float:
        return self.top + ROW * (row + 0.5)

    def axis(self, panel: int, low: float, high: float, words: str) -> Callable[[float], float]:
        """Draws the axis of a panel, and says where a value is on it."""
        start, wide = self.panels[panel]

        def at(value: float) -> float:
            return start + wide * (value - low) / ((high - low) or 1.0)

        for tick in steps_of(low, high, most=max(3, int(wide // 70))):
            look = "ax zero" if tick == 0 else "ax"
            self.canvas.line(at(tick), self.top, at(tick), self.bottom, look)
            self.canvas.words(
                at(tick), self.bottom + 9, axis_label(tick), look="tick small", anchor="middle"
            )
        self.canvas.words(
            start + wide / 2, self.bottom + 25, words, look="quiet small", anchor="middle"
        )
        return at


def _legend(canvas: Canvas, left: float, series: Sequence[Series], looks: Sequence[str]) -> None:
    """Above the rows."""
    for part, look, (x, y) in zip(series, looks, _legend_places(left, series), strict=False):
        if look.startswith("s"):
            canvas.box(x, y - 5, 12, 10, look)
        else:
            canvas.dot(x + 6, y, look)
        canvas.words(x + 17, y, part.words, look="quiet")


def _legend_places(left: float, series: Sequence[Series]) -> list[tuple[float, float]]:
    """Where the words of each series begin: as many beside each other as fit on a line."""
    places, x, y = [], left, 10.0
    for part in series:
        wide = 18 + LETTER * len(part.words) + 14
        if x > left and x + wide > WIDTH:
            x, y = left, y + LEGEND - 6
        places.append((x, y))
        x += wide
    return places


def _legend_height(left: float, series: Sequence[Series]) -> float:
    _, lowest = _legend_places(left, series)[-1]
    return LEGEND + lowest - 10


def _label_width(table: Table) -> float:
    labels = [cut(str(row[0]), LONGEST_LABEL) for row in table.rows[:MOST_ROWS]]
    return LETTER * max((len(label) for label in labels), default=0) + 12


def _panels(table: Table, picture: Panels) -> Canvas:
    series = max((dot.series for dot in picture.dots), key=len)
    has_legend = len(series) > 1
    legend = _legend_height(_label_width(table), series) if has_legend else 4
    rows = _Rows(table, len(picture.dots), legend=legend)
    if has_legend:
        _legend(rows.canvas, rows.left, series, LOOKS)
    for panel, dots in enumerate(picture.dots):
        scale = scale_of(table, dots.series[0].column)
        at = rows.axis(panel, scale * dots.low, scale * dots.high, dots.axis)
        if dots.line is not None:
            x = at(scale * dots.line)
            rows.canvas.line(x, rows.top, x, rows.bottom, "med")
        for number, line in enumerate(dots.series):
            apart = (number - (len(dots.series) - 1) / 2) * 0.36
            look = LOOKS[number % len(LOOKS)] if len(dots.series) > 1 else "pt"
            _draw_marks(rows, table, line.column, at, apart, look)
    return rows.canvas


def _draw_marks(rows: _Rows, table: Table, key: str, at, apart: float, look: str) -> None:
    column = table.columns[table.number_of(key)]
    values = scaled_cells(table, key)
    low, high = [scaled_cells(table, end) for end in column.ends] if column.ends else ([], [])
    for row in rows.rows:
        y = rows.middle(row + apart)
        if low and low[row] is not None and high[row] is not None:
            rows.canvas.line(at(low[row]), y, at(high[row]), y, f"ci {look}")
        if values[row] is not None:
            rows.canvas.dot(at(values[row]), y, look)


def _bars(table: Table, picture: Bars) -> Canvas:
    if not picture.as_shares:
        table = _without_sums(table)
    looks = bar_looks(len(picture.series))
    has_legend = len(picture.series) > 1
    legend = _legend_height(_label_width(table), picture.series) if has_legend else 4
    rows = _Rows(table, 1, legend=legend, right=72 if picture.as_shares else 16)
    canvas = rows.canvas
    if has_legend:
        _legend(canvas, rows.left, picture.series, looks)
    columns = [scaled_cells(table, part.column) for part in picture.series]
    numbers = [[column[row] or 0 for column in columns] for row in rows.rows]
    totals = [sum(cells) for cells in numbers]
    longest = 100 if picture.as_shares else max(totals, default=0) or 1
    at = rows.axis(0, 0, longest, picture.axis)
    for row, (cells, total) in enumerate(zip(numbers, totals, strict=True)):
        y, done = rows.middle(row) - 0.33 * ROW, 0.0
        for cell, look in zip(cells, looks, strict=True):
            part = 100 * cell / total if picture.as_shares and total else cell
            if part:
                canvas.box(at(done), y, at(done + part) - at(done), 0.66 * ROW, look)
            done += part
        if not total:
            canvas.words(at(0) + 4, rows.middle(row), "none", look="quiet small")
        elif picture.as_shares:
            count = f"n = {total:,.0f}"
            canvas.words(at(100) + 6, rows.middle(row), count, look="quiet small")
    return canvas


def _without_sums(table: Table) -> Table:
    """Beside a bar of them all, every other was short."""
    if not table.beside:
        return table
    pairs = zip(table.rows, table.beside, strict=True)
    return replace(table, rows=[row for row, beside in pairs if beside.look != "sum"], beside=())


def _heat(table: Table, picture: Heat) -> Canvas:
    cells = [table.cells(series.column) for series in picture.series]
    kinds = [table.columns[table.number_of(part.column)].kind for part in picture.series]
    rows = list(zip(*cells, strict=True))[:MOST_ROWS]
    left = _label_width(table) + (16 if picture.rows else 0)
    wide = min(120.0, (WIDTH - left - 8) / max(len(cells), 1))
    high, top = 38, 36
    canvas = Canvas(WIDTH, top + high * max(len(rows), 1) + 8)
    across = left + wide * len(cells) / 2
    canvas.words(across, 8, picture.columns, look="quiet", anchor="middle")
    if picture.rows:
        canvas.words(0, 25, picture.rows, look="quiet")
    for x, series in enumerate(picture.series):
        canvas.words(left + wide * (x + 0.5), 25, series.words, anchor="middle")
    as_shares = picture.highest is None
    for y, row in enumerate(rows):
        middle = top + high * (y + 0.5)
        canvas.words(left - 8, middle, cut(str(table.rows[y][0]), LONGEST_LABEL), anchor="end")
        for x, (cell, share) in enumerate(zip(row, shares_of(row, picture.highest), strict=True)):
            if cell is None:
                continue
            step = heat_step(share)
            canvas.box(left + wide * x, top + high * y, wide, high, step)
            ink, centre = "on-dark" if step in DARK else "", left + wide * (x + 0.5)
            lift = 7 if as_shares else 0
            canvas.words(centre, middle - lift, printed(cell, kinds[x]), look=ink, anchor="middle")
            if as_shares and any(row):
                look = f"{ink} small".strip()
                canvas.words(centre, middle + 8, f"{100 * share:.0f}%", look=look, anchor="middle")
    return canvas


DRAW: dict[type[Picture], Callable[[Table, Any], Canvas]] = {
    Dots: lambda table, picture: _panels(table, Panels((picture,))),
    Panels: _panels,
    Bars: _bars,
    Heat: _heat,
    Lines: draw_lines,
}
