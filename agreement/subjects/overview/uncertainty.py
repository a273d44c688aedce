"""The intervals of the table's figures, and what is resampled for those of other reports."""

from collections.abc import Iterable, Sequence

from agreement.statistics import Comparing, Interval, Over, RatedTopics, SummaryKind
from agreement.study.filters import Filters, Resampled
from agreement.study.intervals import Wanted
from agreement.subjects.overview.report import ALL_MEASURES, GRADE_NAMES, FacetFigures, Report
from agreement.tables.words import Unit

BEFORE, AFTER = "before", "after"
Intervals = dict[str, Interval]

OVER = {
    Resampled.FITS: Over.TOPICS,
    Resampled.PAIRS: Over.PAIRS,
    Resampled.TOPICS: Over.TOPICS,
    Resampled.QUERIES: Over.QUERIES,
    Resampled.BOTH: Over.BOTH,
}


def rows_of(report: Report) -> list[FacetFigures]:
    return [*report.facets, report.whole]


def intervals_wanted(report: Report) -> list[Wanted]:
    """Before and after of every row."""
    return [
        wanted_of(topics, report.filters, comparing)
        for row in rows_of(report)
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


def wanted_of(
    topics: RatedTopics,
    filters: Filters,
    comparing: Comparing,
    measures: Iterable[str] = ALL_MEASURES,
) -> Wanted:
    """Of the table's measures, summarised over the topics as the filters say. Of a single topic
    its pairs are resampled, whatever they say."""
    single = topics.topics == 1
    return Wanted(
        topics,
        tuple(measures),
        SummaryKind.POOLED if single else filters.summary,
        Over.PAIRS if single else OVER[filters.resampled],
        comparing,
        filters.method,
    )


def wanted_of_pooled(
    topics: RatedTopics,
    measures: Sequence[str],
    filters: Filters,
    comparing: Comparing = Comparing.BETWEEN_RATERS,
) -> Wanted:
    """Of the pairs of all topics put together: pairs are resampled without regard to topics,
    unless the filters ask for something else."""
    whole = topics.as_one()
    over = Over.PAIRS
    if filters.resampled is not Resampled.FITS:
        with_pairs = [topic for topic, n in enumerate(topics.pairs_by_topic()) if n]
        if len(with_pairs) > 1:
            whole, over = topics.only(with_pairs), OVER[filters.resampled]
    return Wanted(whole, tuple(measures), SummaryKind.POOLED, over, comparing, filters.method)


def in_words(wanted: Sequence[Wanted], unit: Unit) -> str:
    """What is done for all of these: "percentile bootstrap intervals over topics"; empty where
    there is nothing to resample."""
    over = {unit.over(interval.over): True for interval in wanted if interval.topics.topics > 1}
    single = any(interval.topics.topics == 1 for interval in wanted)
    if not over and not single:
        return ""
    resampled = " or ".join(over) or "pairs"
    apart = f", of a single {unit.one} over its pairs" if over and single else ""
    return f"{wanted[0].method} bootstrap intervals over {resampled}{apart}"


def by_row(
    report: Report, intervals: Sequence[Intervals | None]
) -> dict[tuple[str, str], Intervals | None]:
    """{(facet's key, before or after): intervals}, from those of `intervals_wanted` in order."""
    keys = [(row.key, when) for row in rows_of(report) for when in (BEFORE, AFTER)]
    return dict(zip(keys, intervals, strict=True))
