"""The tables of the page of facets."""

from collections.abc import Mapping

from agreement.study.selection import Selection
from agreement.subjects.facets.figures import Crossed, Facets, Together, facets_of
from agreement.tables.graded import (
    grade_cells,
    grade_columns,
    grade_series,
    share_cells,
    share_columns,
)
from agreement.tables.table import Bars, Column, Heat, Kind, Series, Table

# What is shared and relevant, of two facets: key, title.
CROSSED = {
    "same": "Same grade",
    "first_alone": "Only the first",
    "both": "Both",
    "second_alone": "Only the second",
}


def tables_of(selection: Selection, parameters: Mapping[str, str]) -> list[Table]:
    report = facets_of(selection, parameters)
    crossed = []
    if report.whole:
        crossed = [_crossed(report), *(_grades(one) for one in report.together)]
    if report.crossings:
        crossed.append(_queries(report))
    if not report.rated_topics:
        return crossed
    return [
        *crossed,
        _distribution(
            "gold",
            "Gold grades",
            report,
            report.gold,
            (f"Pools with no pair open or to decide: {len(report.done.decided)}.",),
            intervals=True,
        ),
        _distribution(
            "ratings",
            "Ratings before adjudication",
            report,
            report.rated,
            (
                f"Pools with every seat handed in: {report.rated_topics}.",
                selection.cannot_judge_rule,
            ),
            intervals=False,
        ),
    ]


def _crossed(report: Facets) -> Table:
    return Table(
        "crossed",
        "One facet against another",
        (Column("facets", "Facets"), *_crossed_columns()),
        [(one.name, *_crossed_cells(one.crossed)) for one in report.together],
        notes=_crossed_notes(report),
        picture=_crossed_bars(),
    )


def _queries(report: Facets) -> Table:
    names = report.relevance.scale.names
    cells = [(first, second) for first in names for second in names]
    return Table(
        "queries",
        "One facet against another, by query",
        (
            Column("query", "Query"),
            Column("facets", "Facets"),
            *_crossed_columns(),
            *(
                Column(
                    f"grades_{first}_{second}", f"{first} and {second}", Kind.COUNT, printed=False
                )
                for first, second in cells
            ),
            Column("not_yet", "Not yet", printed=False),
        ),
        [
            (
                one.query,
                " and ".join(one.names),
                *(
                    (*_crossed_cells(one.crossed), *one.crossed.counts.ravel().tolist())
                    if one.crossed
                    else [None] * (len(_crossed_columns()) + len(cells))
                ),
                "; ".join(one.not_yet),
            )
            for one in report.crossings
        ],
        notes=_crossed_notes(report),
        picture=_crossed_bars(),
    )


def _crossed_columns() -> list[Column]:
    return [
        Column("queries", "Queries", Kind.COUNT),
        Column("shared", "Shared", Kind.COUNT),
        Column("relevant", "Relevant", Kind.COUNT),
        *(column for key, title in CROSSED.items() for column in share_columns(key, title)),
    ]


def _crossed_cells(one: Crossed) -> list:
    shares = (one.same, one.first_alone, one.both, one.second_alone)
    return [
        one.queries,
        one.shared,
        one.either,
        *(cell for share in shares for cell in share_cells(share)),
    ]


def _crossed_bars() -> Bars:
    alone = {key: title for key, title in CROSSED.items() if key != "same"}
    return Bars(
        tuple(Series(f"{key}_count", title) for key, title in alone.items()),
        "share of documents relevant under either facet (%)",
    )


def _crossed_notes(report: Facets) -> tuple[str, ...]:
    return (
        "Documents with gold under two facets of a query, once neither has a pair open or to "
        "decide.",
        f"Relevant is {report.relevance.in_words} under either facet; only the first, both and "
        "only the second are shares of these. Exact 95% binomial intervals.",
    )


def _grades(one: Together) -> Table:
    names = one.crossed.relevance.scale.names
    return Table(
        one.key,
        f"Grades under two facets: {one.name}",
        (
            Column("grade", one.first),
            *(Column(f"grade_{name}", name, Kind.COUNT, one.second) for name in names),
        ),
        [(name, *row) for name, row in zip(names, one.crossed.counts.tolist(), strict=True)],
        notes=(
            f"Documents with gold under both facets, of {one.crossed.queries} queries.",
            f"Rows: {one.first}. Columns: {one.second}.",
        ),
        picture=Heat(
            tuple(Series(f"grade_{name}", name) for name in names),
            rows=one.first,
            columns=one.second,
        ),
    )


def _distribution(key, title, report: Facets, rows, notes, *, intervals: bool) -> Table:
    names = report.relevance.scale.names
    return Table(
        key,
        title,
        (
            Column("facet", "Facet" if report.has_facets else "Level"),
            Column("total", "Pairs" if intervals else "Ratings", Kind.COUNT),
            *grade_columns(names, intervals=intervals),
        ),
        [(one.name, one.total, *grade_cells(one.shares, intervals=intervals)) for one in rows],
        notes=notes,
        picture=Bars(grade_series(names), "share (%)"),
    )
