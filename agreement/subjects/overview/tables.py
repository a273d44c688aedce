"""The tables of the overview: CSFCube's Table 2 and what stands beside it, agreement by grade and
by number of raters, who was overruled, three raters and more, how agreement moved over the study.
"""

from collections.abc import Mapping, Sequence
from functools import partial

from agreement.study.intervals import Intervals, known_intervals
from agreement.study.selection import Selection
from agreement.subjects.overview.by_facet import (
    Known,
    by_facet,
    compared_in_words,
    rests_on,
)
from agreement.subjects.overview.course import course_table
from agreement.subjects.overview.names import (
    AFTER,
    BEFORE,
    FURTHER_NAMES,
    GRADE_NAMES,
    GROUPS,
    MEASURE_NAMES,
    NOT_YET,
    SHORT_NAMES,
)
from agreement.subjects.overview.overview import overview_of
from agreement.subjects.overview.raters import several_table, together_table
from agreement.subjects.overview.report import OfOverlap
from agreement.tables.columns import (
    Gaps,
    figure_cells,
    intervals_note,
    kind_of,
    raters_in_words,
    with_interval,
)
from agreement.tables.table import (
    Beside,
    Cell,
    Column,
    Kind,
    Makers,
    Pairs,
    Table,
)

WEIGHTS = (
    "The weights of kappa are the distances of the values, linear or squared; those of AC2 are "
    "ordinal. AC1 and AC2 take all seats at once before adjudication."
)
OUTSIDE = "below the lowest or above the highest rating"
AGAINST = "against a value that all raters gave"
# The tables as they follow one another.
ORDER = ("table", "further", "grades", "raters", "overruled", "several", "together", "course")


def makers_of(
    selection: Selection, parameters: Mapping[str, str], known: Known | None = None
) -> Makers:
    """Intervals that take longer than a page may are computed as a job that the page queues. A page
    that has asked for all of them at once says which are `known`."""

    def asked_for(part: str) -> Sequence[Intervals | None]:
        wanted = overview_of(selection).wanted_of(part)
        return known_intervals(selection.collection, wanted)[0]

    of_intervals = {
        "table": _table,
        "further": _further,
        "grades": _grades,
        "several": _several,
        "together": _together,
        "course": _course,
    }
    makers: Makers = {
        key: partial(make, selection, known or asked_for) for key, make in of_intervals.items()
    }
    makers |= {
        "raters": partial(_by_raters, selection),
        "overruled": partial(_overruled, selection),
    }
    return {key: makers[key] for key in ORDER}


def _table(selection: Selection, known: Known) -> Table:
    return by_facet(selection, known, "table", "Agreement", MEASURE_NAMES)


def _further(selection: Selection, known: Known) -> Table:
    words = "Further coefficients"
    return by_facet(selection, known, "further", words, FURTHER_NAMES, (WEIGHTS,))


def _grades(selection: Selection, known: Known) -> Table:
    overview, intervals = overview_of(selection), known("grades")
    facet, unit = overview.facet, overview.report.unit
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
        f"Agreement by grade, {unit.summary(overview.report.summary)}: {facet.name}",
        tuple(columns),
        rows,
        notes=(
            "Each grade against all others, and those from a grade on against those below: both "
            "ratings of a pair on the same side agree. Kappa is Cohen's, of these two sides.",
            compared_in_words(overview),
            selection.cannot_judge_rule,
            rests_on(facet, unit),
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


def _by_raters(selection: Selection) -> Table | None:
    overview = overview_of(selection)
    if len(overview.facet.pairs_by_raters) < 2:
        return None
    facet, unit = overview.facet, overview.report.unit
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
        f"Agreement by number of raters, {unit.summary(overview.report.summary)}: {facet.name}",
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
            compared_in_words(overview),
            selection.cannot_judge_rule,
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


def _overruled(selection: Selection) -> Table:
    overview = overview_of(selection)
    rows = [row for row in overview.report.rows if row.after.topics]
    unit = selection.unit
    return Table(
        "overruled",
        "Gold that no rater gave",
        (
            Column("facet", "Facet"),
            Column("mean_share", "Mean share", Kind.SHARE),
            Column("overruled", "Pairs", Kind.COUNT),
            Column("pairs", "Of", Kind.COUNT),
            Column("outside_range", "Outside the ratings", Kind.COUNT, about=OUTSIDE),
            Column("against_agreement", "Against all", Kind.COUNT, about=AGAINST),
        ),
        [
            (
                row.name,
                row.overruling_share.figure.value,
                row.overruling.overruled,
                row.overruling.pairs,
                row.overruling.outside_range,
                row.overruling.against_agreement,
            )
            for row in rows
        ],
        notes=(
            f"Mean share: of the pairs of one {unit.singular}, averaged over {unit.many}. Outside: "
            f"{OUTSIDE}. Against all: {AGAINST}.",
            selection.cannot_judge_rule,
        ),
        beside=[
            Beside(
                {
                    "overruled": Pairs("overruled", words="overruled", facet=row.key),
                    "outside_range": Pairs("overruled", "outside", "outside", row.key),
                    "against_agreement": Pairs("overruled", "against", "against all", row.key),
                },
                look="chosen" * (row is overview.facet),
            )
            for row in rows
        ],
    )


def _several(selection: Selection, known: Known) -> Table | None:
    several = overview_of(selection).several
    return several_table(selection, several, known("raters")) if several else None


def _together(selection: Selection, known: Known) -> Table | None:
    several = overview_of(selection).several
    # All raters at once are the first that is resampled, beside the average over every two.
    return together_table(selection, several, known("raters")[0]) if several else None


def _course(selection: Selection, known: Known) -> Table | None:
    overview = overview_of(selection)
    if not overview.course.parts:
        return None
    return course_table(selection, overview.course, overview.facet.name, known("course"))
