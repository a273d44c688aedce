"""The course of agreement: the pairs in the order in which they were rated, in equal parts."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import numpy as np

from agreement.statistics import MEASURES, RatedTopics, Summary, by_topic
from agreement.study.counted import Counted
from agreement.study.filters import Filters
from agreement.study.intervals import Intervals, Wanted, wanted_of_pooled
from agreement.study.ratings import Ratings
from agreement.study.rows import Mask
from agreement.study.selection import Selection
from agreement.subjects.overview.names import MEASURE_NAMES
from agreement.tables.columns import Gaps, intervals_note, measure_cells, measure_columns
from agreement.tables.table import Beside, Column, Kind, Lines, Series, Table

MOST_PARTS = 10
LEAST_PAIRS = 20  # in a part; of fewer, figures jump for no reason
# Ratings that all came within so many seconds came from a file; their order says nothing.
AT_ONCE_SECONDS = 600


@dataclass(frozen=True)
class Part:
    """Pairs whose last rating was given from `since` to `until`, pooled; `topics` are their
    queries."""

    since: datetime
    until: datetime
    pairs: int
    figures: dict[str, Summary]
    topics: RatedTopics


@dataclass(frozen=True)
class Course:
    """`why_not` says why there are no parts."""

    parts: list[Part]
    why_not: str = ""


def course_of(counted: Counted) -> Course:
    ratings = counted.ratings
    number = min(MOST_PARTS, ratings.size // LEAST_PAIRS)
    if number < 2:
        return Course([], f"Not yet: fewer than {2 * LEAST_PAIRS} pairs to compare.")
    last = np.where(ratings.is_answered, ratings.given_at, -np.inf).max(axis=0)
    if last.max() - last.min() < AT_ONCE_SECONDS:
        return Course([], "All ratings carry about the same time, as those of an import do.")
    order = np.argsort(last, kind="stable")
    part = np.empty(ratings.size, dtype=np.int64)
    part[order] = np.arange(ratings.size) * number // ratings.size
    topics = RatedTopics.of_columns(
        ratings.values, part, topics=number, values=ratings.scale.values
    )
    figures = by_topic(topics, MEASURES)
    return Course(
        [
            Part(
                since=_time(last[part == position].min()),
                until=_time(last[part == position].max()),
                pairs=int((part == position).sum()),
                figures={name: by_part[position] for name, by_part in figures.items()},
                topics=_by_query(ratings, part == position),
            )
            for position in range(number)
        ]
    )


def course_wanted(course: Course, filters: Filters) -> list[Wanted]:
    return [wanted_of_pooled(part.topics, tuple(MEASURES), filters) for part in course.parts]


def _by_query(ratings: Ratings, mask: Mask) -> RatedTopics:
    used, topic = np.unique(ratings.topic[mask], return_inverse=True)
    return RatedTopics.of_columns(
        ratings.values[:, mask],
        topic,
        topics=len(used),
        values=ratings.scale.values,
        clusters=ratings.clusters[used],
    )


def _time(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)


def course_table(
    selection: Selection, course: Course, facet: str, intervals: Sequence[Intervals | None]
) -> Table:
    columns = (
        Column("part", "Part", Kind.COUNT),
        # Days, no times: those of single ratings leave the house in no file.
        Column("since", "Last rated from", is_date=True),
        Column("until", "to", is_date=True),
        Column("pairs", "Pairs", Kind.COUNT),
        *measure_columns(MEASURE_NAMES),
    )
    return Table(
        "course",
        f"Agreement over the study, before adjudication: {facet}",
        columns,
        [
            (
                number,
                part.since.date().isoformat(),
                part.until.date().isoformat(),
                part.pairs,
                *measure_cells(part.figures, MEASURE_NAMES, known),
            )
            for number, (part, known) in enumerate(
                zip(course.parts, intervals, strict=True), start=1
            )
        ],
        notes=(
            "Pairs of batches that are wholly handed in, in the order in which they were last "
            "rated, in parts of equal size; pooled. Days are of UTC.",
            selection.cannot_judge_rule,
            *intervals_note(intervals, selection.unit),
        ),
        picture=Lines(
            tuple(Series(measure, name) for measure, name in MEASURE_NAMES.items()),
            "part of the study",
        ),
        beside=[_beside(part) for part in course.parts],
    )


def _beside(part: Part) -> Beside:
    """With the times of the day, which pages have and files have not."""
    gaps = Gaps(below={"since": f"{part.since:%H:%M} UTC", "until": f"{part.until:%H:%M} UTC"})
    return gaps.tell_all(part.figures).beside()
