"""The parts of the overview, and which intervals they need."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate
from typing import TypeVar

from agreement.statistics import Comparing
from agreement.study.counted import Counted, count
from agreement.study.filters import ALL, Filters
from agreement.study.intervals import Intervals, Wanted, wanted_of
from agreement.study.selection import Selection, kept
from agreement.subjects.overview.course import Course, course_of, course_wanted
from agreement.subjects.overview.names import (
    AFTER,
    ALL_MEASURES,
    BEFORE,
    FURTHER_NAMES,
    GRADE_NAMES,
    MEASURE_NAMES,
)
from agreement.subjects.overview.raters import SeveralRaters, raters_wanted, several_raters
from agreement.subjects.overview.report import FacetFigures, Report, TopicFigures, report_for

T = TypeVar("T")


@dataclass(frozen=True)
class Overview:
    """`facet` is the row of the table that was chosen, `topics` are its topics. Each part is
    computed when it is first needed, so that a table alone takes no more than its own."""

    report: Report
    facet: FacetFigures
    topics: list[TopicFigures]
    _counted: Counted = field(compare=False, repr=False)
    _wanted: dict[str, list[Wanted]] = field(default_factory=dict, compare=False, repr=False)

    @cached_property
    def course(self) -> Course:
        return course_of(self._counted)

    @cached_property
    def several(self) -> SeveralRaters | None:
        return several_raters(self._counted)

    def wanted_of(self, part: str) -> list[Wanted]:
        """The intervals of one of the PARTS."""
        if part not in self._wanted:
            self._wanted[part] = PARTS[part](self)
        return self._wanted[part]

    @property
    def wanted(self) -> list[Wanted]:
        """The intervals of all parts."""
        return [interval for part in PARTS for interval in self.wanted_of(part)]

    def apart(self, intervals: Sequence[T]) -> dict[str, Sequence[T]]:
        """A list in the order of `wanted`, taken apart into its parts."""
        ends = list(accumulate(len(self.wanted_of(part)) for part in PARTS))
        parts = zip(PARTS, [0, *ends], ends, strict=False)
        return {part: intervals[start:end] for part, start, end in parts}


def intervals_wanted(report: Report) -> list[Wanted]:
    """Before and after of every row."""
    return [
        wanted_of(topics, report.filters, comparing, ALL_MEASURES)
        for row in report.rows
        for topics, comparing in (
            (row.rated, Comparing.BETWEEN_RATERS),
            (row.decided, Comparing.WITH_LAST),
        )
    ]


def grades_wanted(facet: FacetFigures, filters: Filters) -> list[Wanted]:
    """Before and after of every grade of a row."""
    return [
        wanted_of(topics.as_two_values(grade.cut.upper), filters, comparing, GRADE_NAMES)
        for grade in facet.grades
        for topics, comparing in (
            (facet.rated, Comparing.BETWEEN_RATERS),
            (facet.decided, Comparing.WITH_LAST),
        )
    ]


def by_row(
    report: Report, intervals: Sequence[Intervals | None]
) -> dict[tuple[str, str], Intervals | None]:
    """{(facet's key, before or after): intervals}, from those of `intervals_wanted` in order."""
    keys = [(row.key, when) for row in report.rows for when in (BEFORE, AFTER)]
    return dict(zip(keys, intervals, strict=True))


# What each part of the overview wants: the table, three raters and more, the course, grades.
PARTS: dict[str, Callable[[Overview], list[Wanted]]] = {
    "table": lambda overview: intervals_wanted(overview.report),
    "raters": lambda overview: (
        raters_wanted(overview.several, overview.report.filters) if overview.several else []
    ),
    "course": lambda overview: course_wanted(overview.course, overview.report.filters),
    "grades": lambda overview: grades_wanted(overview.facet, overview.report.filters),
}


def rows_chosen(selection: Selection, report: Report) -> tuple[FacetFigures, list[TopicFigures]]:
    """The row of the facet that the filters choose, and its topics."""
    key = "" if selection.filters.facet == ALL else selection.filters.facet
    facet = next((row for row in report.rows if row.key == key), report.whole)
    return facet, [figures for figures in report.topics if facet.key in ("", figures.topic.facet)]


@dataclass(frozen=True)
class LeftOut:
    """Figures of topics that a summary lacks: of `topics` topics, for this reason; `in_part` are
    means over every two seats to which some two have nothing to give."""

    measure: str
    when: str
    reason: str
    topics: int
    in_part: bool


def left_out_of(topics: Sequence[TopicFigures]) -> list[LeftOut]:
    """What is undefined of the table's measures, in their order."""
    counts = Counter(
        (measure, when, str(reason), summary.figure.is_defined)
        for figures in topics
        for when, row in ((BEFORE, figures.before), (AFTER, figures.after))
        if row
        for measure, summary in row.figures.items()
        for reason in summary.left_out
    )
    names = MEASURE_NAMES | FURTHER_NAMES
    return [
        LeftOut(names[measure], when, reason, number, in_part)
        for (measure, when, reason, in_part), number in counts.items()
    ]


@kept
def overview_of(selection: Selection) -> Overview:
    report = report_for(selection)
    facet, topics = rows_chosen(selection, report)
    counted = report.finished
    if facet.key:
        finished = selection.chosen.only(selection.chosen.is_finished)
        counted = count(finished, selection.filters.cannot_judge)
    return Overview(report, facet, topics, counted)
