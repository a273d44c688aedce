"""The tables of the page of pools."""

from collections.abc import Mapping, Sequence
from functools import partial

from agreement.study.grades import Graded
from agreement.study.selection import Selection
from agreement.subjects.pool.figures import Pool, Spread, pool_of
from agreement.tables.columns import grade_links, grade_series, share_cells, share_columns
from agreement.tables.table import Bars, Beside, Cell, Column, Kind, Makers, Pairs, Table


def makers_of(selection: Selection, parameters: Mapping[str, str]) -> Makers:
    report = pool_of(selection, parameters)
    makers = {"sources": _sources, "alone": _alone, "cited": _cited, "table1": _table}
    return {key: partial(make, report) for key, make in makers.items()}


def _notes(report: Pool) -> tuple[str, ...]:
    return (
        f"Relevant is {report.relevance.in_words}. Pools with no pair open or to decide: "
        f"{len(report.done.decided)} of {len(report.done.progress)}.",
        "Exact 95% binomial intervals.",
    )


def _links(
    report: Pool, kind: str, words: str, cell: str = "", facet: str | None = None
) -> dict[str, Pairs]:
    """Of a row: all of its pairs, the relevant ones, and those of each grade."""
    names, relevant = report.relevance.scale.names, f"{report.relevance.name}+"
    return {
        "pairs": Pairs(kind, f",{cell}" if cell else "", words, facet),
        "relevant_count": Pairs(kind, f"{relevant},{cell}" if cell else relevant, words, facet),
        **grade_links(kind, names, words, facet, cell=cell),
    }


def _found_links(
    report: Pool, kind: str, words: str, cell: str, facet: str | None = None
) -> dict[str, Pairs]:
    """The same, and a link for the relevant pairs as a share of all relevant ones."""
    links = _links(report, kind, words, cell, facet)
    return {**links, "found_count": links["relevant_count"]}


def _sources(report: Pool) -> Table | None:
    if not report.every.total:
        return None
    whole = report.every
    total = ("All", report.candidates, whole.total, *share_cells(whole.relevant), *[None] * 4)
    return _graded(
        "sources",
        "What each source brought in",
        (
            Column("source", "Source"),
            Column("candidates", "Candidates", Kind.COUNT),
            Column("pairs", "Pairs", Kind.COUNT),
            *share_columns("relevant", "Relevant"),
            *share_columns("found", "Of all relevant"),
        ),
        [
            *(
                (
                    (
                        source.name,
                        source.candidates,
                        source.brought.total,
                        *share_cells(source.brought.relevant),
                        *share_cells(source.recall),
                    ),
                    source.brought,
                )
                for source in report.sources
            ),
            (total, whole),
        ],
        notes=(*_notes(report), "A pair counts for each source that brought it in."),
        beside=[
            *(
                Beside(
                    _found_links(report, "source", source.name, source.name),
                    parts_of={"found": source.recall.of},
                )
                for source in report.sources
            ),
            Beside(_links(report, "judged", "all"), look="sum"),
        ],
    )


def _alone(report: Pool) -> Table | None:
    if not report.named:
        return None
    return _graded(
        "alone",
        "What only one source brought in",
        (
            Column("source", "Source"),
            Column("pairs", "Only it", Kind.COUNT),
            *share_columns("part", "Of its pairs"),
            *share_columns("relevant", "Relevant"),
        ),
        [
            (
                (
                    source.name,
                    source.alone.total,
                    *share_cells(source.alone_share),
                    *share_cells(source.alone.relevant),
                ),
                source.alone,
            )
            for source in report.by_loss
        ],
        notes=_notes(report),
        beside=[
            Beside(
                {
                    **_links(report, "alone", source.name, source.name),
                    "part_count": Pairs("alone", f",{source.name}", source.name),
                },
                parts_of={"part": source.alone_share.of},
            )
            for source in report.by_loss
        ],
    )


def _cited(report: Pool) -> Table | None:
    if not report.cited:
        return None
    return _graded(
        "cited",
        "Cited or not",
        (
            Column("documents", "Documents"),
            Column("pairs", "Pairs", Kind.COUNT),
            *share_columns("relevant", "Relevant"),
            *share_columns("found", "Of all relevant"),
        ),
        [
            (
                (
                    f"{part.name}, {words}",
                    graded.total,
                    *share_cells(graded.relevant),
                    *share_cells(recall),
                ),
                graded,
            )
            for part in report.cited
            for words, graded, recall in part.both
        ],
        notes=(
            *_notes(report),
            f"Cited are documents with the source {' or '.join(report.citations)}.",
        ),
        beside=[
            Beside(
                _found_links(report, "cited", part.name, words, graded.key),
                parts_of={"found": recall.of},
            )
            for part in report.cited
            for words, graded, recall in part.both
        ],
    )


def _graded(key, title, columns, rows: Sequence[tuple[tuple, Graded]], *, notes, beside) -> Table:
    """A line per (its first cells, what its grades are counted of)."""
    scale = rows[0][1].relevance.scale
    return Table(
        key,
        title,
        (
            *columns,
            *(
                Column(f"grade_{name}_count", words, Kind.COUNT)
                for name, words in scale.titles.items()
            ),
        ),
        [(*cells, *graded.counts) for cells, graded in rows],
        notes=notes,
        picture=Bars(grade_series(scale.titles), "share of the pairs (%)"),
        beside=beside,
    )


def _table(report: Pool) -> Table | None:
    if not report.done.progress:
        return None
    columns = [Column("counted", "Counted", is_graded=True)]
    for column in report.columns:
        key = column.key or "all"
        columns += [
            Column(f"{key}_total", "All", Kind.COUNT, column.name),
            Column(f"{key}_least", "Min", Kind.COUNT, column.name),
            Column(f"{key}_most", "Max", Kind.COUNT, column.name),
            Column(f"{key}_average", "Avg", Kind.NUMBER, column.name),
        ]
    return Table(
        "table1",
        "Pools and grades",
        tuple(columns),
        [
            (row.words, *(spread for cell in row.cells for spread in _spread_cells(cell)))
            for row in report.table
        ],
        notes=(
            "Minimum, maximum and average are those of pools; each facet or aspect of a query has "
            "its own.",
            "Judged pairs and grades are of pools with no pair open or to decide.",
        ),
        beside=[
            Beside(
                {
                    f"{column.key or 'all'}_total": Pairs(
                        row.list, row.list_cell, f"{column.name}, {row.words}", column.key
                    )
                    for column in report.columns
                    if row.list
                }
            )
            for row in report.table
        ],
    )


def _spread_cells(cell: int | Spread) -> list[Cell]:
    if isinstance(cell, Spread):
        return [cell.total, cell.least, cell.most, cell.average]
    return [cell, None, None, None]
