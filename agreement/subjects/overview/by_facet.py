"""Agreement by facet: CSFCube's Table 2, and the further coefficients beside it."""

from collections.abc import Callable, Mapping, Sequence

from agreement.study.intervals import Intervals
from agreement.study.selection import Selection
from agreement.subjects.overview.names import (
    AFTER,
    BEFORE,
    GROUPS,
    MEASURE_NAMES,
    NOT_YET,
    SHORT_NAMES,
)
from agreement.subjects.overview.overview import Overview, by_row, overview_of
from agreement.subjects.overview.report import FacetFigures
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

# The intervals of a part of the overview, by its name.
Known = Callable[[str], Sequence[Intervals | None]]


def by_facet(
    selection: Selection,
    known: Known,
    key: str,
    words: str,
    measures: Mapping[str, str],
    notes: tuple[str, ...] = (),
) -> Table:
    """A row per facet, before adjudication and after it."""
    overview = overview_of(selection)
    intervals = known("table")
    rows, of_rows = overview.report.rows, by_row(overview.report, intervals)
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
        f"{words} before and after adjudication, {unit.summary(overview.report.summary)}",
        tuple(columns),
        cells,
        notes=(
            compared_in_words(overview),
            *notes,
            selection.cannot_judge_rule,
            *(rests_on(row, unit) for row in rows),
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
    links: dict[str, Link] = {}
    gaps, unit = Gaps(), overview.report.unit
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
    return gaps.beside(links, "chosen" * (row is overview.facet))


def _facet_cells(row: FacetFigures, when: str, measures, intervals: Intervals | None):
    figures_then = row.before if when == BEFORE else row.after
    for measure in measures:
        summary = figures_then.figures[measure] if figures_then.topics else None
        yield from figure_cells(summary, intervals[measure] if intervals else None)
    yield from (figures_then.topics, figures_then.queries, figures_then.pairs)


def compared_in_words(overview: Overview) -> str:
    """Who is compared with whom, and over how many pairs where these differ."""
    report, compared = overview.report, pairs_compared(overview)
    two = "the mean over every two seats" if report.raters > 2 else "first seat and second"
    return (
        f"Pairs of {report.raters_in_words} raters. Before: {two}{compared}. After: the mean over "
        f"seats of a seat's ratings and the gold, per {report.unit.singular}; undefined where that "
        "of one seat is."
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


def rests_on(row: FacetFigures, unit: Unit) -> str:
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
