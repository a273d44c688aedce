"""Where the marks of the page's charts stand, in percent of the chart's width.

Templates only print these; every chart stands beside a table with the same numbers.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from math import floor

from agreement.pages.tables import HeatRow, Piece
from agreement.statistics import Figure, Interval, Summary
from agreement.subjects.annotators.figures import Tenth, Times, Two
from agreement.subjects.overview.course import Course, Part
from agreement.subjects.overview.report import FacetFigures, TopicFigures
from agreement.subjects.time.figures import Period
from agreement.tables.pictures import HEAT, heat_step
from agreement.tables.writing import MINUS


@dataclass(frozen=True)
class Tick:
    at: str
    label: str
    anchor: str
    is_zero: bool

    @property
    def from_top(self) -> str | None:
        return _from_top(self.at)


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
class Mark:
    """A figure on an axis, with the ends of its interval where there is one; None is no mark."""

    at: str | None
    low: str | None = None
    high: str | None = None


def mark(axis: Axis, figure: Figure | None, interval: Interval | None = None) -> Mark:
    if figure is None or figure.value is None:
        return Mark(None)
    if interval is None or interval.low is None or interval.high is None:
        return Mark(axis.at(figure.value))
    return Mark(axis.at(figure.value), axis.at(interval.low), axis.at(interval.high))


@dataclass(frozen=True)
class Card:
    """One measure of the chosen facet, before and after adjudication."""

    measure: str
    before: Summary
    after: Summary
    before_interval: Interval | None
    after_interval: Interval | None
    axis: Axis
    before_mark: Mark
    after_mark: Mark


def cards(
    facet: FacetFigures,
    before: Mapping[str, Interval] | None,
    after: Mapping[str, Interval] | None,
) -> list[Card]:
    """A card per measure; intervals are None as long as they are not known."""
    result = []
    for measure, rated in facet.before.measures.items():
        decided = facet.after.measures[measure]
        whiskers = before[measure] if before else None, after[measure] if after else None
        axis = axis_for(measure, _reach([rated.figure, decided.figure], whiskers))
        result.append(
            Card(
                measure,
                rated,
                decided,
                *whiskers,
                axis,
                mark(axis, rated.figure, whiskers[0]),
                mark(axis, decided.figure, whiskers[1]),
            )
        )
    return result


@dataclass(frozen=True)
class PlotLine:
    """One topic of the table of queries: its marks for the chosen measure.

    `is_low`: its interval lies wholly below the summary of all of them.
    """

    figures: TopicFigures
    interval: Interval | None
    before: Mark
    after: Mark
    is_low: bool
    cells: list[HeatRow]


@dataclass(frozen=True)
class Plot:
    axis: Axis
    lines: list[PlotLine]
    before_at: str | None


def plot(
    facet: FacetFigures,
    topics: Sequence[TopicFigures],
    measure: str,
    intervals: Mapping[int, Interval] | None = None,
    tables: Mapping[int, list[HeatRow]] | None = None,
) -> Plot:
    """The topics in the order given; intervals and small tables by the topic's number."""
    intervals, tables = intervals or {}, tables or {}
    summary = facet.before.measures[measure].figure
    pairs = [
        (
            figures,
            figures.before.measures[measure].figure if figures.before else None,
            figures.after.measures[measure].figure if figures.after else None,
            intervals.get(figures.topic.number),
        )
        for figures in topics
    ]
    shown = [figure for _, *both, _ in pairs for figure in both if figure]
    axis = axis_for(measure, _reach([*shown, summary], [interval for *_, interval in pairs]))
    lines = [
        PlotLine(
            figures,
            interval,
            mark(axis, before, interval),
            mark(axis, after),
            _is_below(interval, summary),
            tables.get(figures.topic.number, []),
        )
        for figures, before, after, interval in pairs
    ]
    return Plot(axis, lines, mark(axis, summary).at)


def _is_below(interval: Interval | None, summary: Figure) -> bool:
    return (
        interval is not None
        and interval.high is not None
        and summary.value is not None
        and interval.high < summary.value
    )


def _reach(figures: Iterable[Figure], intervals: Iterable[Interval | None]) -> list[float]:
    """All values that an axis must have room for."""
    ends = [end for interval in intervals if interval for end in (interval.low, interval.high)]
    values = [figure.value for figure in figures]
    return [value for value in (*values, *ends) if value is not None]


@dataclass(frozen=True)
class CoursePoint:
    """One part of the course, `x` percent from the left, `y` from the top; `low` and `high` are
    the ends of its interval from the top."""

    x: str
    y: str | None
    low: str | None
    high: str | None
    part: Part
    summary: Summary
    interval: Interval | None


@dataclass(frozen=True)
class CoursePlot:
    measure: str
    axis: Axis
    points: list[CoursePoint]


def course_plots(course: Course, intervals: Sequence[Mapping[str, Interval] | None]):
    """For each measure the parts of the course from left to right."""
    if not course.parts:
        return []
    return [_course_plot(measure, course, intervals) for measure in course.parts[0].figures]


def _course_plot(measure, course, intervals):
    of_parts = [by_measure[measure] if by_measure else None for by_measure in intervals]
    axis = axis_for(measure, _reach([p.figures[measure].figure for p in course.parts], of_parts))
    points = []
    for number, (part, interval) in enumerate(zip(course.parts, of_parts, strict=True)):
        summary = part.figures[measure]
        at = mark(axis, summary.figure, interval)
        points.append(
            CoursePoint(
                f"{100 * (number + 0.5) / len(course.parts):.2f}%",
                *(_from_top(end) for end in (at.at, at.low, at.high)),
                part,
                summary,
                interval,
            )
        )
    return CoursePlot(measure, axis, points)


def _from_top(at):
    """A place from the left as one from the top, upside down: high values stand high."""
    return None if at is None else f"{100 - float(at.rstrip('%')):.2f}%"


def plain_axis(low: float, high: float, unit: str = "") -> list[Tick]:
    """The ends of an axis and 0, for the head of a column of bars."""
    values = sorted({low, 0.0, high})
    anchors = {low: "start", high: "end"}
    axis = Axis(low, high, high - low)
    return [
        Tick(
            axis.at(value),
            f"{value:{'.0f' if abs(value) >= 100 else '.2g'}}{unit}".replace("-", MINUS),
            anchors.get(value, "middle"),
            value == 0,
        )
        for value in values
        if high > low
    ]


def leniency_bar(leniency: float, reach: float) -> Piece:
    """From the middle to the right for more lenient, to the left for stricter; `reach` is half
    the width."""
    width = 50 * abs(leniency) / reach if reach else 0
    return Piece(f"{50 if leniency > 0 else 50 - width:.2f}%", f"{width:.2f}%", "s2")


@dataclass(frozen=True)
class TimeBox:
    """The middle half of somebody's times as a bar, and their median."""

    x: str
    width: str
    median: str


def time_box(times: Times, longest: float) -> TimeBox:
    """On an axis from 0 to the longest upper quartile of anybody."""
    return TimeBox(
        f"{96 * times.lower / longest:.2f}%",
        f"{96 * (times.upper - times.lower) / longest:.2f}%",
        f"{96 * times.median / longest:.2f}%",
    )


@dataclass(frozen=True)
class Point:
    x: str
    y: str


def drift_points(tenths: Sequence[Tenth]) -> list[Point]:
    """From left to right; 0 stands at the bottom line and 1 at the top one."""
    return [
        Point(f"{100 * (number + 0.5) / len(tenths):.2f}%", f"{95 - 90 * one.share:.2f}%")
        for number, one in enumerate(tenths)
    ]


@dataclass(frozen=True)
class Bar:
    """A standing bar, from the top of the chart."""

    x: str
    width: str
    y: str
    height: str


@dataclass(frozen=True)
class PeriodsPlot:
    """`ticks` from the top; `labels` are (place from the left, anchor, first day of a period)."""

    ticks: list[tuple[str, int]]
    bars: list[Bar]
    labels: list[tuple[str, str, date]]


def periods_plot(periods: Sequence[Period]) -> PeriodsPlot:
    """How many answers were given in each period, from left to right."""
    highest = _round_above(max((period.answers for period in periods), default=0))
    # A day alone is a bar among empty ones, not a wall.
    wide = 100 / max(len(periods), 10)
    bars = [
        Bar(
            f"{wide * (number + 0.1):.3f}%",
            f"{wide * 0.8:.3f}%",
            f"{100 - 100 * one.answers / highest:.2f}%",
            f"{100 * one.answers / highest:.2f}%",
        )
        for number, one in enumerate(periods)
    ]
    # Labels of neighbours would stand on each other.
    chosen = dict.fromkeys((0, len(periods) // 2, len(periods) - 1)) if len(periods) > 5 else [0]
    anchors = ("start", "middle", "end")
    return PeriodsPlot(
        [("100%", 0), ("50%", highest // 2), ("0%", highest)],
        bars,
        [
            (f"{wide * (number + (0.1, 0.5, 0.9)[place]):.2f}%", anchors[place], period.start)
            for place, number in enumerate(chosen)
            for period in periods[number : number + 1]
        ],
    )


def _round_above(value: int) -> int:
    """The next number with two digits that count, and a whole half: 12 for 11, 260 for 245."""
    step = max(2, 2 * 10 ** (len(str(value)) - 2))
    return max(step, -(-value // step) * step)


def heat_of(two: Two, highest: float) -> str:
    """A heat step for the agreement of two; none for what is undefined or not above 0."""
    return heat_step(max(0.0, (two.figure.value or 0.0) / highest))


def heat_key(highest: float) -> list[tuple[str, str]]:
    """(what it stands for, heat step) of each shade of a table of agreement, the lightest first."""
    above = [(f"from {least * highest:g}" if least else "above 0", step) for least, step in HEAT]
    return [("0, below or undefined", "h0"), *reversed(above)]
