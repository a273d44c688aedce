"""Points from left to right, as a line: how figures change over days, or from part to part."""

from collections.abc import Sequence
from datetime import date
from math import ceil, floor
from typing import Any

from agreement.tables.canvas import WIDTH, Canvas
from agreement.tables.cells import axis_label, scaled_cells, steps_of
from agreement.tables.table import Kind, Lines, Series, Table

# Labels under a line of points.
MOST_NUMBERS, MOST_DAYS = 12, 6


def draw_lines(table: Table, picture: Lines) -> Canvas:
    """A panel for each series, and for each value of the column that the picture is by."""
    part_of: list[Any] = table.cells(picture.by) if picture.by else [None] * len(table.rows)
    parts = list(dict.fromkeys(part_of)) or [None]
    panels = [(part, series) for part in parts for series in picture.series]
    across = min(2, len(panels))
    wide, high = (WIDTH - 24 * (across - 1)) / across, 150
    canvas = Canvas(WIDTH, high * ceil(len(panels) / across))
    for number, (part, series) in enumerate(panels):
        rows = [row for row, of in enumerate(part_of) if of == part]
        words = [part, series.words] if len(picture.series) > 1 or not part else [part]
        x, y = (wide + 24) * (number % across), high * (number // across)
        canvas.words(x, y + 9, " · ".join(str(word) for word in words if word))
        _draw_line(canvas, table, series, rows, (x + 34, y + 22, wide - 40, high - 58))
        canvas.words(
            x + 34 + (wide - 40) / 2,
            y + high - 12,
            picture.axis,
            look="quiet small",
            anchor="middle",
        )
    return canvas


def _draw_line(
    canvas: Canvas,
    table: Table,
    series: Series,
    rows: Sequence[int],
    place: tuple[float, float, float, float],
) -> None:
    """The cells of these rows from left to right, by their days or numbered from 1."""
    left, top, wide, high = place
    column = table.columns[table.number_of(series.column)]
    values = scaled_cells(table, series.column)
    ends = [scaled_cells(table, key) for key in column.ends or ()]
    drawn = [cells[row] for cells in (values, *ends) for row in rows if cells[row] is not None]
    lowest, highest = _reach(column.kind, drawn)

    def at(number: int, value: float) -> tuple[float, float]:
        x = left + wide * (number + 0.5) / max(len(rows), 1)
        return x, top + high * (1 - (value - lowest) / ((highest - lowest) or 1.0))

    for tick in steps_of(lowest, highest, most=4):
        _, y = at(0, tick)
        canvas.line(left, y, left + wide, y, "ax zero" if tick == 0 else "ax")
        label = f"{axis_label(tick)}%" if column.kind is Kind.SHARE else axis_label(tick)
        canvas.words(left - 5, y, label, look="tick small", anchor="end")
    has_days = table.columns[0].is_date
    step = ceil(len(rows) / (MOST_DAYS if has_days else MOST_NUMBERS))
    for number, row in enumerate(rows):
        x, _ = at(number, lowest)
        if number % step == 0:
            label = _day(table.rows[row][0]) if has_days else f"{number + 1}"
            canvas.words(x, top + high + 9, label, look="tick small", anchor="middle")
        if ends and ends[0][row] is not None and ends[1][row] is not None:
            (_, lower), (_, upper) = (at(number, cells[row]) for cells in ends)
            canvas.line(x, lower, x, upper, "ci pre")
    points = [at(n, values[row]) for n, row in enumerate(rows) if values[row] is not None]
    if len(points) > 1:
        canvas.trend(points)
    for x, y in points:
        canvas.dot(x, y, "pt", 3)


def _day(cell: Any) -> str:
    day = date.fromisoformat(cell)
    return f"{day.day} {day:%b}"


def _reach(kind: Kind, shown: Sequence[float]) -> tuple[float, float]:
    if kind in (Kind.SHARE, Kind.PERCENT):
        return 0, 100
    lowest, highest = min(shown, default=0.0), max(shown, default=1.0)
    if kind is Kind.COEFFICIENT:
        return min(0.0, floor(2 * lowest) / 2), 1
    return min(0.0, lowest), highest or 1.0
