"""The sheets of the overview: CSFCube's Table 2, who was overruled, three raters and more, and
how agreement moved over the study."""

from collections.abc import Mapping

from agreement.asking import SUMMARIES, Asked
from agreement.intervals import known_intervals
from agreement.reports import MEASURE_NAMES, SHORT_NAMES, FacetFigures
from agreement.reports.overview import Overview, overview_of
from agreement.reports.raters import ALL_RATERS, TWO_RATERS, SeveralRaters
from agreement.reports.uncertainty import AFTER, BEFORE, Intervals, by_row, rows_of
from agreement.sheets.measured import (
    dots,
    figure_cells,
    intervals_note,
    kind_of,
    with_interval,
)
from agreement.sheets.sheet import Column, Kind, Lines, Panels, Series, Sheet

GROUPS = {BEFORE: "Before adjudication", AFTER: "After adjudication"}


def sheets_of(asked: Asked, parameters: Mapping[str, str]) -> list[Sheet]:
    overview = overview_of(asked)
    # What takes longer than a page may is computed as a job that the page asks for.
    intervals, _ = known_intervals(asked.collection, overview.wanted)
    of_table, of_raters, of_course = overview.apart(intervals)
    found = [_table(asked, overview, of_table), _overruled(asked, overview)]
    if overview.several:
        found += [
            _several(asked, overview.several, of_raters),
            _together(asked, overview.several, of_raters),
        ]
    if overview.course.parts:
        found.append(_course(asked, overview, of_course))
    return found


def _table(asked: Asked, overview: Overview, intervals: list[Intervals | None]) -> Sheet:
    rows, found = rows_of(overview.report), by_row(overview.report, intervals)
    columns = [Column("facet", "Facet")]
    for when, group in GROUPS.items():
        for measure in MEASURE_NAMES:
            columns += with_interval(
                f"{when}_{measure}", SHORT_NAMES[measure], kind_of(measure), group
            )
        columns += [
            Column(f"{when}_queries", "queries", Kind.COUNT, group, printed=False),
            Column(f"{when}_pairs", "pairs", Kind.COUNT, group, printed=False),
        ]
    cells = [
        (
            row.name,
            *(cell for when in GROUPS for cell in _facet_cells(row, when, found[row.key, when])),
        )
        for row in rows
    ]
    both = {BEFORE: "before adjudication", AFTER: "after"}
    return Sheet(
        "table",
        f"Agreement before and after adjudication, {SUMMARIES[overview.report.summary]}",
        tuple(columns),
        cells,
        notes=(
            _compared(overview),
            asked.cannot_judge_rule,
            *(_rests_on(row) for row in rows),
            *_undefined(rows),
            *intervals_note(intervals),
        ),
        picture=Panels(
            tuple(
                dots(
                    tuple(Series(f"{when}_{measure}", words) for when, words in both.items()),
                    columns,
                    cells,
                    SHORT_NAMES[measure],
                )
                for measure in MEASURE_NAMES
            )
        ),
    )


def _facet_cells(row: FacetFigures, when: str, intervals: Intervals | None):
    own = row.before if when == BEFORE else row.after
    for measure in MEASURE_NAMES:
        summary = own.measures[measure] if own.topics else None
        yield from figure_cells(summary, intervals[measure] if intervals else None)
    yield from (own.topics, own.pairs)


def _compared(overview: Overview) -> str:
    two = "the mean over every two seats" if overview.report.raters > 2 else "first seat and second"
    return f"Before: {two}. After: the mean over seats of a seat's ratings and the gold, per query."


def _rests_on(row: FacetFigures) -> str:
    before, after = row.before, row.after
    return (
        f"{row.name}: {before.topics:,} of {row.topics:,} queries with {before.pairs:,} pairs "
        f"before, {after.topics:,} with {after.pairs:,} after."
    )


def _undefined(rows: list[FacetFigures]):
    """A sentence for every figure that leaves out queries for which it has no value."""
    for row in rows:
        for when, own in ((BEFORE, row.before), (AFTER, row.after)):
            for measure, summary in own.measures.items():
                for reason, count in summary.left_out.items():
                    yield (
                        f"{row.name}, {MEASURE_NAMES[measure]} {when}: undefined and left out "
                        f"for {count:,} ({reason})."
                    )


def _overruled(asked: Asked, overview: Overview) -> Sheet:
    rows = [row for row in rows_of(overview.report) if row.after.topics]
    return Sheet(
        "overruled",
        "Gold that no rater gave",
        (
            Column("facet", "Facet"),
            Column("mean_share", "Mean share", Kind.SHARE),
            Column("overruled", "Pairs", Kind.COUNT),
            Column("pairs", "Of", Kind.COUNT),
            Column("outside_range", "Outside the ratings", Kind.COUNT),
            Column("against_agreement", "Against all", Kind.COUNT),
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
            "Mean share: of a query's pairs, averaged over queries. Outside: below the lowest or "
            "above the highest rating. Against all: against a value that all raters gave.",
            asked.cannot_judge_rule,
        ),
    )


def _several(asked: Asked, several: SeveralRaters, intervals: list[Intervals | None]) -> Sheet:
    of_two, of_majority = intervals
    columns = [Column("between", "Between")]
    for measure in TWO_RATERS:
        columns += with_interval(measure, SHORT_NAMES[measure], kind_of(measure))
    columns.append(Column("pairs", "Pairs", Kind.COUNT))

    def row(name, figures, pairs, own: Intervals | None = None):
        cells = (figure_cells(figures[one], own[one] if own else None) for one in TWO_RATERS)
        return (name, *(cell for three in cells for cell in three), pairs)

    return Sheet(
        "several",
        f"Agreement of {several.raters} raters before adjudication",
        tuple(columns),
        [
            *(
                row(f"Seat {one.first} and seat {one.second}", one.figures, one.pairs)
                for one in several.comparisons
            ),
            row("Average over every two", several.average, several.pairs, of_two),
            *(
                row(f"Seat {one.first} and the majority", one.figures, one.pairs)
                for one in several.with_majority
            ),
            row(
                "Average with the majority",
                several.majority,
                several.pairs - several.no_majority,
                of_majority,
            ),
        ],
        notes=(
            "Pairs of batches that are wholly handed in, pooled. Macro F1 is over the values that "
            "either of the two gave.",
            f"Pairs without a majority, left out of the comparisons with it: "
            f"{several.no_majority:,}.",
            asked.cannot_judge_rule,
            *intervals_note(intervals),
        ),
    )


def _together(asked: Asked, several: SeveralRaters, intervals: list[Intervals | None]) -> Sheet:
    of_all, _ = intervals
    return Sheet(
        "together",
        f"Agreement of all {several.raters} raters at once, before adjudication",
        (
            Column("coefficient", "Coefficient"),
            *with_interval("value", "Value", Kind.COEFFICIENT),
            Column("pairs", "Pairs", Kind.COUNT),
        ),
        [
            (
                SHORT_NAMES[one],
                *figure_cells(several.together[one], of_all[one] if of_all else None),
                several.pairs,
            )
            for one in ALL_RATERS
        ],
        notes=(
            "Pairs of batches that are wholly handed in, pooled.",
            asked.cannot_judge_rule,
            *intervals_note([of_all]),
        ),
    )


def _course(asked: Asked, overview: Overview, intervals: list[Intervals | None]) -> Sheet:
    columns = [
        Column("part", "Part", Kind.COUNT),
        # Days, no times: those of single ratings leave the house in no file.
        Column("since", "Last rated from"),
        Column("until", "to"),
        Column("pairs", "Pairs", Kind.COUNT),
    ]
    for measure in MEASURE_NAMES:
        columns += with_interval(measure, SHORT_NAMES[measure], kind_of(measure))
    return Sheet(
        "course",
        f"Agreement over the study, before adjudication: {overview.facet.name}",
        tuple(columns),
        [
            (
                number,
                part.since.date().isoformat(),
                part.until.date().isoformat(),
                part.pairs,
                *(
                    cell
                    for measure, summary in part.figures.items()
                    for cell in figure_cells(summary, found[measure] if found else None)
                ),
            )
            for number, (part, found) in enumerate(
                zip(overview.course.parts, intervals, strict=True), start=1
            )
        ],
        notes=(
            "Pairs of batches that are wholly handed in, in the order in which they were last "
            "rated, in parts of equal size; pooled. Days are of UTC.",
            asked.cannot_judge_rule,
            *intervals_note(intervals),
        ),
        picture=Lines(
            tuple(Series(one, name) for one, name in MEASURE_NAMES.items()), "part of the study"
        ),
    )
