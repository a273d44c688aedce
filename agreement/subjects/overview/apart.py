"""Agreement apart: on each grade, of pairs with each number of raters, and over the course of the
study, which is the pairs in the order in which they were rated, in equal parts."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import numpy as np

from agreement.statistics import Comparing, RatedTopics, Summary, by_topic
from agreement.study.counted import Counted
from agreement.study.filters import Filters
from agreement.study.intervals import Intervals, Wanted, wanted_of, wanted_of_pooled
from agreement.study.ratings import AT_ONCE_SECONDS, Ratings
from agreement.study.rows import Mask
from agreement.study.scales import AFTER, BEFORE, GRADE_NAMES, GROUPS, NOT_YET, measures_of
from agreement.study.selection import Selection
from agreement.subjects.overview.by_facet import undefined
from agreement.subjects.overview.figures import FacetFigures, OfGrade, OfOverlap
from agreement.subjects.overview.report import Report
from agreement.tables.columns import (
    Gaps,
    intervals_note,
    measure_cells,
    measure_columns,
    raters_in_words,
)
from agreement.tables.table import Beside, Column, Kind, Lines, Pairs, Series, Table

MOST_PARTS = 10
LEAST_PAIRS = 20  # in a part; of fewer, figures jump for no reason


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


def grades_table(
    report: Report, facet: FacetFigures, intervals: Sequence[Intervals | None]
) -> Table:
    """Agreement of a facet on each grade; `intervals` are those of `grades_wanted`."""
    unit, noun = report.unit, facet.scale.noun
    and_above = ", and those from a grade on against those below" * facet.scale.is_ordinal
    columns = [Column("grade", noun.capitalize(), is_graded=True)]
    for when, group in GROUPS.items():
        columns += measure_columns(GRADE_NAMES, when, group)
    return Table(
        "grades",
        f"Agreement by {noun}, {unit.summary(report.summary)}: {facet.name}",
        tuple(columns),
        [
            (
                grade.cut.name,
                *measure_cells(grade.before if facet.before.topics else None, GRADE_NAMES, before),
                *measure_cells(grade.after if facet.after.topics else None, GRADE_NAMES, after),
            )
            for grade, before, after in zip(
                facet.grades, intervals[::2], intervals[1::2], strict=True
            )
        ],
        notes=(
            f"Each {noun} against all others{and_above}: both ratings of a pair on the same side "
            "agree. Kappa is Cohen's, of these two sides.",
            report.compared_in_words,
            report.rule_in_words,
            facet.rests_on(unit),
            *(
                sentence
                for grade in facet.grades
                for sentence in undefined(grade.cut.name, grade.before, grade.after, GRADE_NAMES)
            ),
            *intervals_note(intervals, unit),
        ),
        beside=[_beside_grade(facet, grade) for grade in facet.grades],
    )


def _beside_grade(facet: FacetFigures, grade: OfGrade) -> Beside:
    gaps = Gaps()
    of_times = {BEFORE: (grade.before, facet.before), AFTER: (grade.after, facet.after)}
    for when, (figures, row) in of_times.items():
        if row.topics:
            gaps.tell_all(figures, when)
        else:
            gaps.missing |= {f"{when}_{measure}": NOT_YET for measure in figures}
    return gaps.beside()


def overlaps_table(report: Report, facet: FacetFigures) -> Table | None:
    """Agreement of a facet's pairs with each number of raters; None where all have as many."""
    if len(facet.pairs_by_raters) < 2:
        return None
    unit, names = report.unit, facet.titles.names
    columns = [Column("raters", "Raters of a pair")]
    for when, group in GROUPS.items():
        columns += [
            *measure_columns(names, when, group, intervals=False),
            Column(f"{when}_topics", unit.many, Kind.COUNT, group, printed=False),
            Column(f"{when}_pairs", "pairs", Kind.COUNT, group),
        ]
    return Table(
        "raters",
        f"Agreement by number of raters, {unit.summary(report.summary)}: {facet.name}",
        tuple(columns),
        [
            (
                raters_in_words([overlap.seats]),
                *(
                    cell
                    for row in (overlap.before, overlap.after)
                    for cell in (
                        *(row.measures[name].figure.value for name in names),
                        row.topics,
                        row.pairs,
                    )
                ),
            )
            for overlap in facet.overlaps
        ],
        notes=(
            "Batches differ in how many rate a pair; a row has the pairs with so many.",
            report.compared_in_words,
            report.rule_in_words,
        ),
        beside=[_beside_overlap(overlap) for overlap in facet.overlaps],
    )


def _beside_overlap(overlap: OfOverlap) -> Beside:
    gaps, cell = Gaps(), f"{overlap.seats}"
    gaps.tell_all(overlap.before.measures, BEFORE)
    gaps.tell_all(overlap.after.measures, AFTER)
    return gaps.beside(
        {
            "before_pairs": Pairs("raters", cell, "before"),
            "after_pairs": Pairs("raters-after", cell, "after"),
        }
    )


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
    figures = by_topic(topics, measures_of(ratings.scale).names)
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
    return [wanted_of_pooled(part.topics, tuple(part.figures), filters) for part in course.parts]


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
    names = measures_of(selection.chosen.scale).names
    columns = (
        Column("part", "Part", Kind.COUNT),
        # Days, no times: those of single ratings leave the house in no file.
        Column("since", "Last rated from", is_date=True),
        Column("until", "to", is_date=True),
        Column("pairs", "Pairs", Kind.COUNT),
        *measure_columns(names),
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
                *measure_cells(part.figures, names, known),
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
            tuple(Series(measure, name) for measure, name in names.items()),
            "part of the study",
        ),
        beside=[_beside_part(part) for part in course.parts],
    )


def _beside_part(part: Part) -> Beside:
    """With the times of the day, which pages have and files have not."""
    gaps = Gaps(below={"since": f"{part.since:%H:%M} UTC", "until": f"{part.until:%H:%M} UTC"})
    return gaps.tell_all(part.figures).beside()
