"""Agreement apart: on each grade, and of pairs with each number of raters."""

from collections.abc import Sequence

from agreement.statistics import Comparing
from agreement.study.filters import Filters
from agreement.study.intervals import Intervals, Wanted, wanted_of
from agreement.subjects.overview.figures import FacetFigures, OfOverlap
from agreement.subjects.overview.names import (
    AFTER,
    BEFORE,
    GRADE_NAMES,
    GROUPS,
    MEASURE_NAMES,
    NOT_YET,
    SHORT_NAMES,
)
from agreement.subjects.overview.report import Report
from agreement.tables.columns import (
    Gaps,
    figure_cells,
    intervals_note,
    kind_of,
    raters_in_words,
    with_interval,
)
from agreement.tables.table import Beside, Cell, Column, Kind, Pairs, Table


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
    """`intervals` are those of `grades_wanted`."""
    unit = report.unit
    columns = [Column("grade", "Grade")]
    for when, group in GROUPS.items():
        for measure, name in GRADE_NAMES.items():
            columns += with_interval(
                f"{when}_{measure}", SHORT_NAMES[measure], kind_of(measure), group, name
            )
    rows, beside = [], []
    for grade, *of_grade in zip(facet.grades, intervals[::2], intervals[1::2], strict=True):
        cells: list[Cell] = [grade.cut.name]
        gaps = Gaps()
        for when, figures, known_then, row in zip(
            GROUPS,
            (grade.before, grade.after),
            of_grade,
            (facet.before, facet.after),
            strict=True,
        ):
            for measure in GRADE_NAMES:
                key, summary = f"{when}_{measure}", figures[measure] if row.topics else None
                cells += figure_cells(summary, known_then[measure] if known_then else None)
                if summary is None:
                    gaps.missing[key] = NOT_YET
                else:
                    gaps.tell(key, summary)
        rows.append(tuple(cells))
        beside.append(gaps.beside())
    return Table(
        "grades",
        f"Agreement by grade, {unit.summary(report.summary)}: {facet.name}",
        tuple(columns),
        rows,
        notes=(
            "Each grade against all others, and those from a grade on against those below: both "
            "ratings of a pair on the same side agree. Kappa is Cohen's, of these two sides.",
            report.compared_in_words,
            report.rule_in_words,
            facet.rests_on(unit),
            *(
                f"{grade.cut.name}, {GRADE_NAMES[measure]} {when}: undefined and left out for "
                f"{count:,} ({reason})."
                for grade in facet.grades
                for when, figures in ((BEFORE, grade.before), (AFTER, grade.after))
                for measure, summary in figures.items()
                for reason, count in summary.left_out.items()
            ),
            *intervals_note(intervals, unit),
        ),
        beside=beside,
    )


def overlaps_table(report: Report, facet: FacetFigures) -> Table | None:
    """None where every pair has as many raters."""
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
    for when, row in ((BEFORE, overlap.before), (AFTER, overlap.after)):
        for measure, summary in row.measures.items():
            gaps.tell(f"{when}_{measure}", summary)
    return gaps.beside(
        {
            "before_pairs": Pairs("raters", cell, "before"),
            "after_pairs": Pairs("raters-after", cell, "after"),
        }
    )
