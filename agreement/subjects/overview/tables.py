"""The tables of the overview: CSFCube's Table 2 and what stands beside it, agreement by grade and
by number of raters, who was overruled, three raters and more, how agreement moved over the study.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from agreement.study.intervals import known_intervals
from agreement.study.selection import Selection
from agreement.subjects.overview.course import course_table
from agreement.subjects.overview.overview import Overview, overview_of
from agreement.subjects.overview.raters import several_table, together_table
from agreement.subjects.overview.report import (
    FURTHER_NAMES,
    GRADE_NAMES,
    MEASURE_NAMES,
    SHORT_NAMES,
    FacetFigures,
    OfOverlap,
)
from agreement.subjects.overview.uncertainty import AFTER, BEFORE, Intervals, by_row, rows_of
from agreement.tables.columns import (
    Gaps,
    dots,
    figure_cells,
    intervals_note,
    kind_of,
    with_interval,
)
from agreement.tables.table import (
    Beside,
    Cell,
    Column,
    Kind,
    Makers,
    Pairs,
    Panels,
    Series,
    Table,
    Working,
)
from agreement.tables.words import QUERY, Unit, raters_in_words

WEIGHTS = (
    "The weights of kappa are the distances of the values, linear or squared; those of AC2 are "
    "ordinal. AC1 and AC2 take all seats at once before adjudication."
)
GROUPS = {BEFORE: "Before adjudication", AFTER: "After adjudication"}
NOT_YET = "not yet"
OUTSIDE = "below the lowest or above the highest rating"
AGAINST = "against a value that all raters gave"
# The tables as they follow one another.
ORDER = ("table", "further", "grades", "raters", "overruled", "several", "together", "course")

# The intervals of a part of the overview, by its name.
Known = Callable[[str], Sequence[Intervals | None]]


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
    overview = overview_of(selection)
    summary = overview.report.unit.summary(overview.report.summary)
    return _by_facet(
        selection,
        overview,
        known,
        key="table",
        title=f"Agreement before and after adjudication, {summary}",
        measures=MEASURE_NAMES,
    )


def _further(selection: Selection, known: Known) -> Table:
    overview = overview_of(selection)
    summary = overview.report.unit.summary(overview.report.summary)
    return _by_facet(
        selection,
        overview,
        known,
        key="further",
        title=f"Further coefficients before and after adjudication, {summary}",
        measures=FURTHER_NAMES,
        notes=(WEIGHTS,),
    )


def _by_facet(
    selection: Selection,
    overview: Overview,
    known: Known,
    *,
    key: str,
    title: str,
    measures: Mapping[str, str],
    notes: tuple[str, ...] = (),
) -> Table:
    """A row per facet, before adjudication and after it."""
    intervals = known("table")
    rows, of_rows = rows_of(overview.report), by_row(overview.report, intervals)
    unit = overview.report.unit
    # What figures rest on is the same for all of them: a page shows it once.
    is_first = measures is MEASURE_NAMES
    columns = [Column("facet", "Facet")]
    for when, group in GROUPS.items():
        for measure, name in measures.items():
            columns += with_interval(
                f"{when}_{measure}", SHORT_NAMES[measure], kind_of(measure), group, name
            )
        topics, queries, pairs = (f"{when}_{counted}" for counted in ("topics", "queries", "pairs"))
        columns += [
            Column(topics, unit.many, Kind.COUNT, group, printed=False, on_page=is_first),
            Column(queries, "queries", Kind.COUNT, group, printed=False),
            Column(pairs, "pairs", Kind.COUNT, group, printed=False, on_page=is_first),
        ]
    cells = [
        (
            row.name,
            *(
                cell
                for when in GROUPS
                for cell in _facet_cells(row, when, measures, of_rows[row.key, when])
            ),
        )
        for row in rows
    ]
    both = {BEFORE: "before adjudication", AFTER: "after"}
    return Table(
        key,
        title,
        tuple(columns),
        cells,
        notes=(
            _compared(overview),
            *notes,
            selection.cannot_judge_rule,
            *(_rests_on(row, unit) for row in rows),
            *_undefined(rows, measures),
            *intervals_note(intervals, unit),
        ),
        picture=Panels(
            tuple(
                dots(
                    tuple(Series(f"{when}_{measure}", words) for when, words in both.items()),
                    columns,
                    cells,
                    SHORT_NAMES[measure],
                )
                for measure in measures
            )
        ),
        beside=[_beside_facet(overview, row, measures) for row in rows],
    )


def _beside_facet(overview: Overview, row: FacetFigures, measures: Mapping[str, str]) -> Beside:
    links: dict[str, Pairs | Working] = {}
    gaps, unit = Gaps(), overview.report.unit
    of_parts = {BEFORE: (row.before, "rated"), AFTER: (row.after, "settled")}
    for when, (figures_then, pairs_list) in of_parts.items():
        links[f"{when}_pairs"] = Pairs(pairs_list, words=row.name, facet=row.key)
        gaps.below[f"{when}_topics"] = f"of {row.topics:,}"
        if unit.one != "query":
            gaps.below[f"{when}_topics"] += f", of {QUERY.count(figures_then.queries)}"
        for measure in measures:
            key = f"{when}_{measure}"
            if figures_then.topics:
                links[key] = Working(measure, when, row.key)
                gaps.tell(key, figures_then.figures[measure])
            else:
                gaps.missing[key] = NOT_YET
    return gaps.beside(links, "chosen" * (row is overview.facet))


def _facet_cells(row: FacetFigures, when: str, measures, intervals: Intervals | None):
    figures_then = row.before if when == BEFORE else row.after
    for measure in measures:
        summary = figures_then.figures[measure] if figures_then.topics else None
        yield from figure_cells(summary, intervals[measure] if intervals else None)
    yield from (figures_then.topics, figures_then.queries, figures_then.pairs)


def _compared(overview: Overview) -> str:
    """Who is compared with whom, and over how many pairs where these differ."""
    report, compared = overview.report, pairs_compared(overview)
    two = "the mean over every two seats" if report.raters > 2 else "first seat and second"
    return (
        f"Pairs of {report.raters_in_words} raters. Before: {two}{compared}. After: the mean over "
        f"seats of a seat's ratings and the gold, per {report.unit.one}; undefined where that of "
        "one seat is."
    )


def pairs_compared(overview: Overview) -> str:
    """ " (seats 1 and 2 over 120 pairs, 1 and 3 over 40)"; empty where all have as many."""
    compared = overview.report.whole.compared
    if len(set(compared.values())) < 2:
        return ""
    words = ", ".join(
        f"{first} and {second} over {pairs:,}" for (first, second), pairs in compared.items()
    )
    return f" (seats {words} pairs)"


def _rests_on(row: FacetFigures, unit: Unit) -> str:
    before, after = row.before, row.after
    return (
        f"{row.name}: {unit.of_queries(before.topics, before.queries)} with {before.pairs:,} pairs "
        f"before, {unit.of_queries(after.topics, after.queries)} with {after.pairs:,} after; "
        f"{row.topics:,} in all."
    )


def _undefined(rows: list[FacetFigures], measures: Mapping[str, str]):
    """A sentence for every figure that leaves out topics for which it has no value."""
    for row in rows:
        for when, figures_then in ((BEFORE, row.before), (AFTER, row.after)):
            for measure, name in measures.items():
                for reason, count in figures_then.figures[measure].left_out.items():
                    yield (
                        f"{row.name}, {name} {when}: undefined and left out "
                        f"for {count:,} ({reason})."
                    )


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
            _compared(overview),
            selection.cannot_judge_rule,
            _rests_on(facet, unit),
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
            _compared(overview),
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
    rows = [row for row in rows_of(overview.report) if row.after.topics]
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
            f"Mean share: of the pairs of one {unit.one}, averaged over {unit.many}. Outside: "
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
