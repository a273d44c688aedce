"""Where the marks of the page's charts stand, in percent of the chart's width.

Templates only print these; every chart stands beside a table with the same numbers.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import floor

from agreement.reports import FacetFigures, Report, TopicFigures
from agreement.statistics import Disagreement, Summary

MINUS = "\u2212"

# Heat steps h0 to h5 of the style sheet, by the least share of a row that reaches each.
HEAT = [(0.6, "h5"), (0.5, "h4"), (0.3, "h3"), (0.15, "h2"), (0.0, "h1")]


@dataclass(frozen=True)
class Tick:
    at: str
    label: str
    anchor: str
    is_zero: bool


@dataclass(frozen=True)
class Axis:
    """A measure's scale from `low` to `high`, with a line at every `step`."""

    low: float
    high: float
    step: float

    def at(self, value: float) -> str:
        return f"{100 * (value - self.low) / (self.high - self.low):.2f}%"

    @property
    def ticks(self) -> list[Tick]:
        count = round((self.high - self.low) / self.step)
        values = [self.low + number * self.step for number in range(count + 1)]
        anchors = ["start", *["middle"] * (count - 1), "end"]
        return [
            Tick(self.at(value), f"{value:g}".replace("-", MINUS), anchor, value == 0)
            for value, anchor in zip(values, anchors, strict=True)
        ]


def axis_for(measure: str, values: Iterable[float]) -> Axis:
    """0 to 100 for percent; for a coefficient up to 1, from 0, -0.5 or -1 as the values need.

    Steps are such that the labels have room on a phone.
    """
    if measure == "percent":
        return Axis(0, 100, 25)
    lowest = min([0.0, *values])
    return Axis(floor(2 * lowest) / 2, 1, 0.25 if lowest == 0 else 0.5)


@dataclass(frozen=True)
class Card:
    """One measure of the chosen facet: its summary, and every topic's value as a dot."""

    measure: str
    before: Summary
    after: Summary
    axis: Axis
    before_at: str | None
    after_at: str | None
    before_dots: list[str]
    after_dots: list[str]


def cards(facet: FacetFigures, topics: Sequence[TopicFigures]) -> list[Card]:
    result = []
    for measure, before in facet.before.measures.items():
        after = facet.after.measures[measure]
        before_values = _values(measure, (figures.before for figures in topics))
        after_values = _values(measure, (figures.after for figures in topics))
        summaries = [s.figure.value for s in (before, after) if s.figure.value is not None]
        axis = axis_for(measure, [*before_values, *after_values, *summaries])
        result.append(
            Card(
                measure,
                before,
                after,
                axis,
                _at(axis, before),
                _at(axis, after),
                [axis.at(value) for value in before_values],
                [axis.at(value) for value in after_values],
            )
        )
    return result


@dataclass(frozen=True)
class PlotLine:
    """One topic of the per-query table: its marks for the chosen measure."""

    figures: TopicFigures
    before_at: str | None
    after_at: str | None


@dataclass(frozen=True)
class Plot:
    axis: Axis
    lines: list[PlotLine]
    before_at: str | None
    after_at: str | None


def plot(facet: FacetFigures, topics: Sequence[TopicFigures], measure: str) -> Plot:
    """Topics by their value before adjudication, highest first; those without one at the end."""
    before, after = facet.before.measures[measure], facet.after.measures[measure]
    values = [
        *_values(measure, (figures.before for figures in topics)),
        *_values(measure, (figures.after for figures in topics)),
    ]
    summaries = [s.figure.value for s in (before, after) if s.figure.value is not None]
    axis = axis_for(measure, [*values, *summaries])
    lines = [
        PlotLine(
            figures,
            _at(axis, figures.before.measures[measure]) if figures.before else None,
            _at(axis, figures.after.measures[measure]) if figures.after else None,
        )
        for figures in sorted(topics, key=lambda figures: _descending(figures, measure))
    ]
    return Plot(axis, lines, _at(axis, before), _at(axis, after))


@dataclass(frozen=True)
class Cell:
    count: int
    percent: str
    heat: str
    is_diagonal: bool


def confusion_rows(facet: FacetFigures, report: Report) -> list[tuple[str, list[Cell]]]:
    """Per value of the first rating a row of cells, shaded by their share of the row."""
    rows = []
    for number, (value, counts) in enumerate(
        zip(report.scale.values, facet.confusion, strict=True)
    ):
        total = sum(counts)
        cells = [
            Cell(
                count,
                f"{100 * count / total:.0f}%" if total else "",
                _heat(count / total if total else 0),
                column == number,
            )
            for column, count in enumerate(counts)
        ]
        rows.append((f"{value:g}", cells))
    return rows


@dataclass(frozen=True)
class Segment:
    """Pairs that are one distance apart, as a piece of a stacked bar."""

    distance: str
    pairs: int
    percent: str
    x: str
    width: str
    shade: str


def distance_bar(counts: Disagreement, distances: Sequence[float]) -> list[Segment]:
    """One piece per distance of `distances` (ascending), as wide as its share of the pairs."""
    segments, done = [], 0
    for number, distance in enumerate(distances):
        pairs = counts.by_distance.get(distance, 0)
        share = 100 * pairs / counts.pairs if counts.pairs else 0
        segments.append(
            Segment(
                distance=f"{distance:g}",
                pairs=pairs,
                percent=f"{share:.1f}%",
                x=f"{100 * done / counts.pairs if counts.pairs else 0:.2f}%",
                width=f"{share:.2f}%",
                shade=f"s{min(number, 3)}",
            )
        )
        done += pairs
    return segments


def _values(measure, rows) -> list[float]:
    summaries = [row.measures[measure].figure.value for row in rows if row]
    return [value for value in summaries if value is not None]


def _at(axis: Axis, summary: Summary) -> str | None:
    value = summary.figure.value
    return None if value is None else axis.at(value)


def _descending(figures: TopicFigures, measure: str) -> tuple[bool, float]:
    value = figures.before.measures[measure].figure.value if figures.before else None
    return (value is None, -(value or 0.0))


def _heat(share: float) -> str:
    if share == 0:
        return "h0"
    return next(name for least, name in HEAT if share >= least)
