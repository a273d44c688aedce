"""Everything on the overview that needs no intervals, and which intervals it needs."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import TypeVar

from agreement.study.counted import count
from agreement.study.filters import ALL
from agreement.study.intervals import Wanted
from agreement.study.selection import Selection, kept
from agreement.subjects.overview.course import Course, course_of, course_wanted
from agreement.subjects.overview.raters import SeveralRaters, raters_wanted, several_raters
from agreement.subjects.overview.report import (
    FURTHER_NAMES,
    MEASURE_NAMES,
    FacetFigures,
    Report,
    TopicFigures,
    report_for,
)
from agreement.subjects.overview.uncertainty import (
    AFTER,
    BEFORE,
    grades_wanted,
    intervals_wanted,
    rows_of,
)

T = TypeVar("T")


@dataclass(frozen=True)
class Overview:
    """`facet` is the row of the table that was chosen, `topics` are its topics."""

    report: Report
    facet: FacetFigures
    topics: list[TopicFigures]
    course: Course
    several: SeveralRaters | None

    @property
    def wanted(self) -> list[Wanted]:
        """The intervals of the table, of three raters and more, of the course, and of grades."""
        return [interval for part in self._wanted for interval in part]

    @cached_property
    def _wanted(self) -> tuple[list[Wanted], ...]:
        filters = self.report.filters
        return (
            intervals_wanted(self.report),
            raters_wanted(self.several, filters) if self.several else [],
            course_wanted(self.course, filters),
            grades_wanted(self.facet, filters),
        )

    def apart(self, intervals: Sequence[T]) -> tuple[Sequence[T], ...]:
        """A list in the order of `wanted`, taken apart into those four."""
        ends = list(accumulate(len(part) for part in self._wanted))
        return tuple(intervals[start:end] for start, end in zip([0, *ends], ends, strict=False))


def rows_chosen(selection: Selection, report: Report) -> tuple[FacetFigures, list[TopicFigures]]:
    """The row of the facet that the filters choose, and its topics."""
    key = "" if selection.filters.facet == ALL else selection.filters.facet
    facet = next((row for row in rows_of(report) if row.key == key), report.whole)
    return facet, [one for one in report.topics if facet.key in ("", one.topic.facet)]


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
    return Overview(report, facet, topics, course_of(counted), several_raters(counted))
