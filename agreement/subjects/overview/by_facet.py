"""Agreement by facet: CSFCube's Table 2, the further coefficients beside it, who was overruled."""

from collections.abc import Mapping, Sequence

from agreement.statistics import Comparing
from agreement.study.intervals import Intervals, Wanted, wanted_of
from agreement.subjects.overview.figures import FacetFigures
from agreement.subjects.overview.names import (
    AFTER,
    ALL_MEASURES,
    BEFORE,
    FURTHER_NAMES,
    GROUPS,
    MEASURE_NAMES,
    NOT_YET,
    SHORT_NAMES,
)
from agreement.subjects.overview.report import Report
from agreement.tables.columns import (
    QUERY,
    Gaps,
    Unit,
    dots,
    figure_cells,
    intervals_note,
    kind_of,
    with_interval,
)
from agreement.tables.table import (
    Beside,
    Column,
    Kind,
    Link,
    Pairs,
    Panels,
    Series,
    Table,
    Working,
)

WEIGHTS = (
    "The weights of kappa are the distances of the values, linear or squared; those of AC2 are "
    "ordinal. AC1 and AC2 take all seats at once before adjudication."
)
OUTSIDE = "below the lowest or above the highest rating"
AGAINST = "against a value that all raters gave"


def intervals_wanted(report: Report) -> list[Wanted]:
    """Before and after of every row."""
    return [
        wanted_of(topics, report.filters, comparing, ALL_MEASURES)
        for row in report.rows
        for topics, comparing in (
            (row.rated, Comparing.BETWEEN_RATERS),
            (row.decided, Comparing.WITH_LAST),
        )
    ]


def by_row(
    report: Report, intervals: Sequence[Intervals | None]
) -> dict[tuple[str, str], Intervals | None]:
    """{(facet's key, before or after): intervals}, from those of `intervals_wanted` in order."""
    keys = [(row.key, when) for row in report.rows for when in (BEFORE, AFTER)]
    return dict(zip(keys, intervals, strict=True))


def table_two(report: Report, chosen: FacetFigures, intervals: Sequence[Intervals | None]) -> Table:
    """CSFCube's Table 2; `chosen` is the row that the filters choose, `intervals` are those of
    `intervals_wanted`."""
    return _by_facet(report, chosen, intervals, "table", "Agreement", MEASURE_NAMES)


def further_table(
    report: Report, chosen: FacetFigures, intervals: Sequence[Intervals | None]
) -> Table:
    """The same of the further coefficients."""
    words = "Further coefficients"
    return _by_facet(report, chosen, intervals, "further", words, FURTHER_NAMES, (WEIGHTS,))


def _by_facet(
    report: Report,
    chosen: FacetFigures,
    intervals: Sequence[Intervals | None],
    key: str,
    words: str,
    measures: Mapping[str, str],
    notes: tuple[str, ...] = (),
) -> Table:
    """A row per facet, before adjudication and after it."""
    rows, of_rows, unit = report.rows, by_row(report, intervals), report.unit
    # What figures rest on is the same for all of them: a page shows it once.
    is_first = measures is MEASURE_NAMES
    columns = [Column("facet", unit.parts)]
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
        f"{words} before and after adjudication, {unit.summary(report.summary)}",
        tuple(columns),
        cells,
        notes=(
            report.compared_in_words,
            *notes,
            report.rule_in_words,
            *(row.rests_on(unit) for row in rows),
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
        beside=[_beside_facet(row, measures, unit, is_chosen=row is chosen) for row in rows],
    )


def _beside_facet(
    row: FacetFigures, measures: Mapping[str, str], unit: Unit, *, is_chosen: bool
) -> Beside:
    links: dict[str, Link] = {}
    gaps = Gaps()
    of_parts = {BEFORE: (row.before, "rated"), AFTER: (row.after, "settled")}
    for when, (figures_then, pairs_list) in of_parts.items():
        links[f"{when}_pairs"] = Pairs(pairs_list, words=row.name, facet=row.key)
        gaps.below[f"{when}_topics"] = f"of {row.topics:,}"
        if unit.singular != "query":
            gaps.below[f"{when}_topics"] += f", of {QUERY.count(figures_then.queries)}"
        for measure in measures:
            key = f"{when}_{measure}"
            if figures_then.topics:
                links[key] = Working(measure, when, row.key)
                gaps.tell(key, figures_then.figures[measure])
            else:
                gaps.missing[key] = NOT_YET
    return gaps.beside(links, "chosen" * is_chosen)


def _facet_cells(row: FacetFigures, when: str, measures, intervals: Intervals | None):
    figures_then = row.before if when == BEFORE else row.after
    for measure in measures:
        summary = figures_then.figures[measure] if figures_then.topics else None
        yield from figure_cells(summary, intervals[measure] if intervals else None)
    yield from (figures_then.topics, figures_then.queries, figures_then.pairs)


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


def overruled_table(report: Report, chosen: FacetFigures, unit: Unit) -> Table:
    """`unit` is what topics are called in the whole study."""
    rows = [row for row in report.rows if row.after.topics]
    return Table(
        "overruled",
        "Gold that no rater gave",
        (
            Column("facet", unit.parts),
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
            report.rule_in_words,
        ),
        beside=[
            Beside(
                {
                    "overruled": Pairs("overruled", words="overruled", facet=row.key),
                    "outside_range": Pairs("overruled", "outside", "outside", row.key),
                    "against_agreement": Pairs("overruled", "against", "against all", row.key),
                },
                look="chosen" * (row is chosen),
            )
            for row in rows
        ],
    )
