"""The tables of the page of facets."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations

from django.urls import reverse

from agreement.study.grades import Graded
from agreement.study.selection import Selection
from agreement.subjects.facets.figures import Crossed, Crossing, Facets, facets_of, key_of
from agreement.tables.columns import (
    cross_table,
    grade_cells,
    grade_columns,
    grade_links,
    grade_series,
    share_cells,
    share_columns,
)
from agreement.tables.table import (
    Bars,
    Beside,
    Cell,
    Column,
    Grid,
    Head,
    Kind,
    Makers,
    Pairs,
    Series,
    Table,
)

# What is shared and relevant, of two facets: key, title.
CROSSED = {
    "same": "Same grade",
    "first_alone": "Only the first",
    "both": "Both",
    "second_alone": "Only the second",
}


def makers_of(
    selection: Selection,
    parameters: Mapping[str, str],
    shown: Sequence[Crossing] | None = None,
) -> Makers:
    """A file has every query, a page those that it has `shown`."""
    report = facets_of(selection, parameters)
    facet = selection.filters.facet_key
    keys = [key_of(first, second) for first, second in combinations(selection.choices.facets, 2)]
    return {
        "crossed": partial(_crossed, report),
        **{key: partial(_grades, report, key) for key in keys},
        "queries": partial(_queries, selection, report, parameters.get("relevant", ""), shown),
        "gold": partial(_gold, report, facet),
        "ratings": partial(_ratings, report, facet, selection.cannot_judge_rule),
    }


def _crossed(report: Facets) -> Table | None:
    if not report.together:
        return None
    return Table(
        "crossed",
        "One facet against another",
        (Column("facets", "Facets"), *_crossed_columns()),
        [(two.name, *_crossed_cells(two.crossed)) for two in report.together],
        notes=_crossed_notes(report),
        picture=_crossed_bars(),
        beside=[
            Beside(_crossed_links(two.crossed.cells(two.cell), two.name)) for two in report.together
        ],
    )


def _queries(
    selection: Selection, report: Facets, relevant: str, shown: Sequence[Crossing] | None
) -> Table | None:
    if not report.crossings:
        return None
    crossings = report.crossings if shown is None else shown
    scale = report.relevance.scale
    names = scale.names
    cells = [(first, second) for first in names for second in names]
    return Table(
        "queries",
        "One facet against another, by query",
        (
            Column("query", "Query"),
            Column("facets", "Facets"),
            *_crossed_columns(of_queries=False),
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
                crossing.query,
                " and ".join(crossing.names),
                *(
                    (*_crossed_cells(crossing.crossed), *crossing.crossed.counts.ravel().tolist())
                    if crossing.crossed
                    else [None] * (len(_crossed_columns()) + len(cells))
                ),
                "; ".join(crossing.not_yet),
            )
            for crossing in crossings
        ],
        notes=_crossed_notes(report),
        picture=_crossed_bars(),
        grid=Grid("Grades", "same", scale.words, "first facet", "second facet"),
        # A page's additions are slow to make of many queries, and no file has them.
        beside=[_beside_crossing(selection, crossing, relevant) for crossing in crossings]
        if shown is not None
        else (),
    )


def _beside_crossing(selection: Selection, crossing: Crossing, relevant: str) -> Beside:
    home = reverse("agreement:facets", args=[selection.collection.slug])
    address = selection.filters.address(query=crossing.query, relevant=relevant)
    head = Head(crossing.title, f"{home}?{address}", (crossing.query,))
    if crossing.crossed is None:
        return Beside(head=head, instead=f"not yet: {'; '.join(crossing.not_yet)}")
    links = {
        column: replace(pairs, query=crossing.query)
        for column, pairs in _crossed_links(crossing.cells, crossing.title).items()
    }
    return Beside(links, head=head, grid=crossing.crossed.counts.tolist())


def _crossed_columns(*, of_queries: bool = True) -> list[Column]:
    """A page of single queries does not count them."""
    return [
        Column("queries", "Queries", Kind.COUNT, on_page=None if of_queries else False),
        Column("shared", "Shared", Kind.COUNT),
        Column("relevant", "Relevant", Kind.COUNT),
        *(column for key, title in CROSSED.items() for column in share_columns(key, title)),
    ]


def _crossed_cells(crossed: Crossed) -> list[Cell]:
    shares = (crossed.same, crossed.first_alone, crossed.both, crossed.second_alone)
    return [
        crossed.queries,
        crossed.shared,
        crossed.either,
        *(cell for share in shares for cell in share_cells(share)),
    ]


def _crossed_links(cells: Mapping[str, str], words: str) -> dict[str, Pairs]:
    columns = {"shared": "shared", "either": "relevant", **{key: f"{key}_count" for key in CROSSED}}
    return {column: Pairs("crossed", cells[key], words) for key, column in columns.items()}


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


def _grades(report: Facets, key: str) -> Table | None:
    together = next((two for two in report.together if two.key == key), None)
    if together is None:
        return None
    crossed, scale = together.crossed, report.relevance.scale
    names, words = scale.names, scale.words
    return cross_table(
        key,
        f"Grades under two facets: {together.name}",
        Column("grade", together.first, is_graded=True),
        [(f"grade_{name}", word) for name, word in zip(names, words, strict=True)],
        [(word, *row) for word, row in zip(words, crossed.counts.tolist(), strict=True)],
        axes=(together.first, together.second),
        group=together.second,
        notes=(
            f"Documents with gold under both facets, of {crossed.queries} queries.",
            f"Rows: {together.first}. Columns: {together.second}.",
        ),
        links=[
            {
                f"grade_{second}": Pairs(
                    "crossed", f"{together.cell},{first},{second}", f"{first},{second}"
                )
                for second in names
            }
            for first in names
        ],
    )


def _gold(report: Facets, facet: str) -> Table | None:
    if not report.rated_topics:
        return None
    note = f"Pools with no pair open or to decide: {len(report.done.decided)}."
    return _distribution("gold", "Gold grades", report, report.gold, (note,), facet)


def _ratings(report: Facets, facet: str, cannot_judge_rule: str) -> Table | None:
    if not report.rated_topics:
        return None
    return _distribution(
        "ratings",
        "Ratings before adjudication",
        report,
        report.rated,
        (f"Pools with every seat handed in: {report.rated_topics}.", cannot_judge_rule),
        facet,
    )


def _distribution(
    key: str,
    title: str,
    report: Facets,
    rows: Sequence[Graded],
    notes: tuple[str, ...],
    facet: str,
) -> Table:
    scale = report.relevance.scale
    # Two ratings of one pair are not independent: their shares have no interval.
    intervals, pairs_list = (True, "gold") if key == "gold" else (False, "given")
    return Table(
        key,
        title,
        (
            Column("facet", "Facet" if report.has_facets else "Level"),
            Column("total", "Pairs" if intervals else "Ratings", Kind.COUNT),
            *grade_columns(scale.titles, intervals=intervals),
        ),
        [(row.name, row.total, *grade_cells(row.shares, intervals=intervals)) for row in rows],
        notes=notes,
        picture=Bars(grade_series(scale.titles), "share (%)"),
        beside=[
            Beside(
                {
                    **({"total": Pairs("gold", "", row.name, row.key)} if intervals else {}),
                    **grade_links(pairs_list, scale.names, row.name, row.key),
                },
                look="chosen" * (row.key == facet),
            )
            for row in rows
        ],
    )
