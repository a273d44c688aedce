"""The intervals of the table's figures."""

from collections.abc import Sequence

from agreement.intervals import Wanted
from agreement.reports.table import FacetFigures, Report
from agreement.statistics import MEASURES, Comparing, Interval, Over, RatedTopics, SummaryKind

BEFORE, AFTER = "before", "after"
Intervals = dict[str, Interval]


def rows_of(report: Report) -> list[FacetFigures]:
    return [*report.facets, report.whole]


def intervals_wanted(report: Report) -> list[Wanted]:
    """Before and after of every row: its topics are resampled, since the figure speaks of queries
    like these; of a single topic its pairs are."""
    return [
        wanted_of(topics, report.summary, comparing)
        for row in rows_of(report)
        for topics, comparing in (
            (row.rated, Comparing.BETWEEN_RATERS),
            (row.decided, Comparing.WITH_LAST),
        )
    ]


def wanted_of(topics: RatedTopics, summary: SummaryKind, comparing: Comparing) -> Wanted:
    if topics.topics == 1:
        return Wanted(topics, tuple(MEASURES), SummaryKind.POOLED, Over.PAIRS, comparing)
    return Wanted(topics, tuple(MEASURES), summary, Over.TOPICS, comparing)


def by_row(
    report: Report, found: Sequence[Intervals | None]
) -> dict[tuple[str, str], Intervals | None]:
    """{(facet's key, before or after): intervals}, from those of `intervals_wanted` in order."""
    keys = [(row.key, when) for row in rows_of(report) for when in (BEFORE, AFTER)]
    return dict(zip(keys, found, strict=True))
