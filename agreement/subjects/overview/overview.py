"""The parts of the overview: which intervals they need, and the tables that tell them."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import accumulate
from typing import TypeVar

from agreement.study.counted import Counted, finished_of
from agreement.study.intervals import Intervals, Wanted, known_intervals
from agreement.study.scales import AFTER, BEFORE, OF_BOTH
from agreement.study.selection import Selection, kept
from agreement.subjects.overview.apart import (
    Course,
    course_of,
    course_table,
    course_wanted,
    grades_table,
    grades_wanted,
    overlaps_table,
)
from agreement.subjects.overview.by_facet import (
    further_table,
    intervals_wanted,
    overruled_table,
    table_two,
)
from agreement.subjects.overview.figures import FacetFigures, TopicFigures
from agreement.subjects.overview.raters import (
    SeveralRaters,
    raters_wanted,
    several_raters,
    several_table,
    together_table,
)
from agreement.subjects.overview.report import Report, report_for, rows_chosen
from agreement.tables.table import Makers, Table

T = TypeVar("T")
# The intervals of one of the PARTS.
Known = Callable[[str], Sequence[Intervals | None]]


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
        return several_raters(self._counted) if self._counted.has_several_raters else None

    def wanted_of(self, part: str) -> list[Wanted]:
        """The intervals of one of the PARTS."""
        if part not in self._wanted:
            self._wanted[part] = PARTS[part](self)
        return self._wanted[part]

    @property
    def wanted(self) -> list[Wanted]:
        return [interval for part in PARTS for interval in self.wanted_of(part)]

    def apart(self, intervals: Sequence[T]) -> dict[str, Sequence[T]]:
        """A list in the order of `wanted`, taken apart into its parts."""
        ends = list(accumulate(len(self.wanted_of(part)) for part in PARTS))
        parts = zip(PARTS, [0, *ends], ends, strict=False)
        return {part: intervals[start:end] for part, start, end in parts}


# What each part of the overview wants: the table, three raters and more, the course, grades.
PARTS: dict[str, Callable[[Overview], list[Wanted]]] = {
    "table": lambda overview: intervals_wanted(overview.report),
    "raters": lambda overview: (
        raters_wanted(overview.several, overview.report.filters) if overview.several else []
    ),
    "course": lambda overview: course_wanted(overview.course, overview.report.filters),
    "grades": lambda overview: grades_wanted(overview.facet, overview.report.filters),
}


@kept
def overview_of(selection: Selection) -> Overview:
    report = report_for(selection)
    facet, topics = rows_chosen(selection, report)
    counted = report.finished
    if facet.key:
        counted = finished_of(selection.chosen, selection.filters.cannot_judge)
    return Overview(report, facet, topics, counted)


def makers_of(
    selection: Selection, parameters: Mapping[str, str], known: Known | None = None
) -> Makers:
    """Intervals that take longer than a page may are computed as a job that the page queues. A page
    that has asked for all of them at once says which are `known`."""

    def read_intervals(part: str) -> Sequence[Intervals | None]:
        wanted = overview_of(selection).wanted_of(part)
        return known_intervals(selection.collection, wanted)[0]

    overview, known = partial(overview_of, selection), known or read_intervals

    def several() -> Table | None:
        raters = overview().several
        return several_table(selection, raters, known("raters")) if raters else None

    def together() -> Table | None:
        raters = overview().several
        # All raters at once are the first that is resampled, beside the average over every two.
        return together_table(selection, raters, known("raters")[0]) if raters else None

    def course() -> Table | None:
        course, facet = overview().course, overview().facet.name
        return course_table(selection, course, facet, known("course")) if course.parts else None

    return {
        "table": lambda: table_two(overview().report, overview().facet, known("table")),
        "further": lambda: further_table(overview().report, overview().facet, known("table")),
        "grades": lambda: grades_table(overview().report, overview().facet, known("grades")),
        "raters": lambda: overlaps_table(overview().report, overview().facet),
        "overruled": lambda: overruled_table(overview().report, overview().facet, selection.unit),
        "several": several,
        "together": together,
        "course": course,
    }


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
    """The undefined measures of the table, in their order."""
    counts = Counter(
        (measure, when, str(reason), summary.figure.is_defined)
        for figures in topics
        for when, row in ((BEFORE, figures.before), (AFTER, figures.after))
        if row
        for measure, summary in row.figures.with_gaps.items()
        for reason in summary.left_out
    )
    return [
        LeftOut(OF_BOTH.titles[measure], when, reason, number, in_part)
        for (measure, when, reason, in_part), number in counts.items()
    ]
