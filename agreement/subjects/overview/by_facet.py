"""Agreement by facet: CSFCube's Table 2, the further coefficients beside it, who was overruled."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from agreement.statistics import Comparing, Summary
from agreement.study.intervals import Intervals, Wanted, wanted_of
from agreement.study.scales import AFTER, BEFORE, GROUPS, NOT_YET
from agreement.subjects.overview.figures import FacetFigures, Row
from agreement.subjects.overview.report import Report
from agreement.tables.columns import (
    QUERY,
    SHORT_NAMES,
    Gaps,
    Unit,
    dots,
    intervals_note,
    measure_cells,
    measure_columns,
)
from agreement.tables.table import (
    Beside,
    Cell,
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
AT_ONCE = "All of them take all seats at once before adjudication."
OUTSIDE = "below the lowest or above the highest rating"
AGAINST = "against a value that all raters gave"


def intervals_wanted(report: Report) -> list[Wanted]:
    """Before and after of every row."""
    return [
        wanted_of(topics, report.filters, comparing, row.titles.keys)
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
    return _by_facet(report, chosen, intervals, "table", "Agreement", report.measures.names)


def further_table(
    report: Report, chosen: FacetFigures, intervals: Sequence[Intervals | None]
) -> Table:
    """The same of the further coefficients."""
    measures, words = report.measures.further, "Further coefficients"
    notes = (WEIGHTS if "ac2" in measures else AT_ONCE,)
    return _by_facet(report, chosen, intervals, "further", words, measures, notes)


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
    columns = _facet_columns(measures, unit, with_counts=key == "table")
    cells = [
        (
            row.name,
            *_facet_cells(row.before, measures, of_rows[row.key, BEFORE]),
            *_facet_cells(row.after, measures, of_rows[row.key, AFTER]),
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
            *(
                sentence
                for row in rows
                for sentence in undefined(row.name, row.before.figures, row.after.figures, measures)
            ),
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


def _facet_columns(measures: Mapping[str, str], unit: Unit, *, with_counts: bool) -> list[Column]:
    """What figures rest on is the same for all of them: a page shows it once."""
    columns = [Column("facet", unit.parts)]
    for when, group in GROUPS.items():
        topics, queries, pairs = (f"{when}_{counted}" for counted in ("topics", "queries", "pairs"))
        columns += [
            *measure_columns(measures, when, group),
            Column(topics, unit.many, Kind.COUNT, group, printed=False, on_page=with_counts),
            Column(queries, "queries", Kind.COUNT, group, printed=False),
            Column(pairs, "pairs", Kind.COUNT, group, printed=False, on_page=with_counts),
        ]
    return columns


def _facet_cells(row: Row, measures: Iterable[str], intervals: Intervals | None) -> list[Cell]:
    figures = row.figures if row.topics else None
    return [*measure_cells(figures, measures, intervals), row.topics, row.queries, row.pairs]


def undefined(
    name: str,
    before: Mapping[str, Summary],
    after: Mapping[str, Summary],
    measures: Mapping[str, str],
) -> Iterator[str]:
    """A sentence for every figure of a row that leaves out topics for which it has no value."""
    for when, figures in ((BEFORE, before), (AFTER, after)):
        for measure, measure_name in measures.items():
            for reason, count in figures[measure].left_out.items():
                yield (
                    f"{name}, {measure_name} {when}: undefined and left out for {count:,} "
                    f"({reason})."
                )


def overruled_table(report: Report, chosen: FacetFigures, unit: Unit) -> Table:
    """`unit` is what topics are called in the whole study."""
    rows = [row for row in report.rows if row.after.topics]
    # Nothing lies below or above labels.
    has_range = report.scale.is_ordinal
    outside = Column("outside_range", "Outside the ratings", Kind.COUNT, about=OUTSIDE)
    return Table(
        "overruled",
        "Gold that no rater gave",
        (
            Column("facet", unit.parts),
            Column("mean_share", "Mean share", Kind.SHARE),
            Column("overruled", "Pairs", Kind.COUNT),
            Column("pairs", "Of", Kind.COUNT),
            *([outside] * has_range),
            Column("against_agreement", "Against all", Kind.COUNT, about=AGAINST),
        ),
        [
            (
                row.name,
                row.overruling_share.figure.value,
                row.overruling.overruled,
                row.overruling.pairs,
                *([row.overruling.outside_range] * has_range),
                row.overruling.against_agreement,
            )
            for row in rows
        ],
        notes=(
            f"Mean share: of the pairs of one {unit.singular}, averaged over {unit.many}. "
            f"{f'Outside: {OUTSIDE}. ' * has_range}Against all: {AGAINST}.",
            report.rule_in_words,
        ),
        beside=[_beside_overruled(row, is_chosen=row is chosen) for row in rows],
    )


def _beside_overruled(row: FacetFigures, *, is_chosen: bool) -> Beside:
    links = {
        "overruled": Pairs("overruled", words="overruled", facet=row.key),
        "outside_range": Pairs("overruled", "outside", "outside", row.key),
        "against_agreement": Pairs("overruled", "against", "against all", row.key),
    }
    return Beside(links, look="chosen" * is_chosen)
