"""Agreement apart: on each grade, and of pairs with each number of raters."""

from collections.abc import Sequence

from agreement.statistics import Comparing
from agreement.study.filters import Filters
from agreement.study.intervals import Intervals, Wanted, wanted_of
from agreement.subjects.overview.by_facet import undefined
from agreement.subjects.overview.figures import FacetFigures, OfGrade, OfOverlap
from agreement.subjects.overview.names import (
    AFTER,
    BEFORE,
    GRADE_NAMES,
    GROUPS,
    MEASURE_NAMES,
    NOT_YET,
)
from agreement.subjects.overview.report import Report
from agreement.tables.columns import (
    SHORT_NAMES,
    Gaps,
    intervals_note,
    kind_of,
    measure_cells,
    measure_columns,
    raters_in_words,
)
from agreement.tables.table import Beside, Column, Kind, Pairs, Table


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
    unit = report.unit
    columns = [Column("grade", "Grade")]
    for when, group in GROUPS.items():
        columns += measure_columns(GRADE_NAMES, when, group)
    return Table(
        "grades",
        f"Agreement by grade, {unit.summary(report.summary)}: {facet.name}",
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
            "Each grade against all others, and those from a grade on against those below: both "
            "ratings of a pair on the same side agree. Kappa is Cohen's, of these two sides.",
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
    unit = report.unit
    columns = [Column("raters", "Raters of a pair")]
    for when, group in GROUPS.items():
        columns += [
            *(
                Column(
                    f"{when}_{measure}", SHORT_NAMES[measure], kind_of(measure), group, about=name
                )
                for measure, name in MEASURE_NAMES.items()
            ),
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
                        *(row.measures[name].figure.value for name in MEASURE_NAMES),
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
