"""Everything on the overview that needs no intervals, and which intervals it needs."""

from dataclasses import dataclass

from agreement.asking import Asked
from agreement.filters import ALL
from agreement.intervals import Wanted
from agreement.reports.counted import count
from agreement.reports.course import Course, course_of, course_wanted
from agreement.reports.raters import SeveralRaters, raters_wanted, several_raters
from agreement.reports.table import FacetFigures, Report, TopicFigures, report_of
from agreement.reports.uncertainty import intervals_wanted, rows_of


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
        """The intervals of the table, of three raters and more, and of the course."""
        filters = self.report.filters
        several = raters_wanted(self.several, filters) if self.several else []
        return [*intervals_wanted(self.report), *several, *course_wanted(self.course, filters)]

    def apart(self, intervals: list) -> tuple[list, list, list]:
        """A list in the order of `wanted`, taken apart into those three."""
        table, course = 2 * len(rows_of(self.report)), len(intervals) - len(self.course.parts)
        return intervals[:table], intervals[table:course], intervals[course:]


def rows_chosen(asked: Asked, report: Report) -> tuple[FacetFigures, list[TopicFigures]]:
    """The row of the facet that the filters choose, and its topics."""
    key = "" if asked.filters.facet == ALL else asked.filters.facet
    facet = next((row for row in rows_of(report) if row.key == key), report.whole)
    return facet, [one for one in report.topics if facet.key in ("", one.topic.facet)]


def overview_of(asked: Asked) -> Overview:
    report = report_of(asked.collection, asked.of_all_facets, asked.filters)
    facet, topics = rows_chosen(asked, report)
    counted = report.finished
    if facet.key:
        finished = asked.chosen.only(asked.chosen.is_finished)
        counted = count(finished, asked.filters.cannot_judge)
    return Overview(report, facet, topics, course_of(counted), several_raters(counted.topics))
