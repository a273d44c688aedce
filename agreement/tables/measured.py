"""Columns of figures with their intervals, as several tables have them."""

from collections.abc import Iterable, Sequence
from math import floor

from agreement.statistics import REGISTRY, Figure, Interval, Summary
from agreement.tables.table import Cell, Column, Dots, Kind, Series
from agreement.tables.words import Unit

NOT_KNOWN = "Intervals that are missing are not computed yet; the page of these figures does so."


def kind_of(measure: str) -> Kind:
    unit = REGISTRY[measure].unit
    return {"%": Kind.PERCENT, "grade": Kind.NUMBER}.get(unit, Kind.COEFFICIENT)


def with_interval(
    key: str, title: str, kind: Kind, group: str = "", about: str = ""
) -> list[Column]:
    """A column, and two for the ends of its interval, which are printed beside it alone."""
    ends = (f"{key}_low", f"{key}_high")
    return [
        Column(key, title, kind, group, ends=ends, about=about),
        Column(ends[0], f"{title}, from", kind, group, printed=False),
        Column(ends[1], f"{title}, to", kind, group, printed=False),
    ]


def figure_cells(summary: Summary | Figure | None, interval: Interval | None) -> list[Cell]:
    """The three cells of such columns; nothing for what is undefined or not there."""
    if summary is None:
        return [None, None, None]
    figure = summary.figure if isinstance(summary, Summary) else summary
    return [figure.value, *ends_of(interval)]


def ends_of(interval: Interval | None) -> tuple[float | None, float | None]:
    return (interval.low, interval.high) if interval else (None, None)


def intervals_note(of_rows: Iterable[dict[str, Interval] | None], unit: Unit) -> list[str]:
    """What the intervals are, and whether some are not known yet; one sentence for each."""
    notes: dict[str, bool] = {}
    for intervals in of_rows:
        if intervals is None:
            notes[NOT_KNOWN] = True
            continue
        for interval in intervals.values():
            if interval.is_defined and interval.over:
                notes[
                    f"Intervals: {100 * interval.level:.0f}%, {interval.method} bootstrap over "
                    f"{unit.over(interval.over)}, {interval.resamples:,} resamples, "
                    f"seed {interval.seed}."
                ] = True
    return sorted(notes, key=lambda note: note == NOT_KNOWN)


def dots(
    series: tuple[Series, ...],
    columns: Sequence[Column],
    rows: Sequence[Sequence[Cell]],
    axis: str,
    line: float | None = None,
) -> Dots:
    """Dots on the whole axis of a coefficient or of percent; below 0 as far as there are values."""
    place = {column.key: number for number, column in enumerate(columns)}
    drawn_columns = [columns[place[part.column]] for part in series]
    drawn = [place[key] for column in drawn_columns for key in (column.key, *(column.ends or ()))]
    values = [cell for row in rows for n in drawn if isinstance(cell := row[n], int | float)]
    if drawn_columns[0].kind is Kind.PERCENT:
        return Dots(series, axis, 0, 100, line)
    return Dots(series, axis, min(0, floor(4 * min(values, default=0)) / 4), 1, line)


def reasons(summary: Summary) -> str:
    """Why figures were left out, for a footnote: "one list holds a single value (1 of 2)"."""
    of = summary.defined + summary.undefined
    return ", ".join(f"{reason} ({count} of {of})" for reason, count in summary.left_out.items())
