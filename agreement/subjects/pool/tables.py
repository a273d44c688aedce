"""The tables of the page of pools."""

from collections.abc import Mapping, Sequence

from agreement.study.grades import Graded
from agreement.study.selection import Selection
from agreement.subjects.pool.figures import Pool, Spread, pool_of
from agreement.tables.graded import count_columns, grade_series, share_cells, share_columns
from agreement.tables.table import Bars, Cell, Column, Kind, Table


def tables_of(selection: Selection, parameters: Mapping[str, str]) -> list[Table]:
    report = pool_of(selection, parameters)
    notes = (
        f"Relevant is {report.relevance.in_words}. Pools with no pair open or to decide: "
        f"{len(report.done.decided)} of {len(report.done.progress)}.",
        "Exact 95% binomial intervals.",
    )
    found = []
    if report.every.total:
        found.append(_sources(report, notes))
    if report.named:
        found.append(_alone(report, notes))
    if report.cited:
        found.append(_cited(report, notes))
    if report.done.progress:
        found.append(_table(report))
    return found


def _sources(report: Pool, notes) -> Table:
    every = report.every
    total = ("All", report.candidates, every.total, *share_cells(every.relevant), *[None] * 4)
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
                        one.name,
                        one.candidates,
                        one.brought.total,
                        *share_cells(one.brought.relevant),
                        *share_cells(one.found),
                    ),
                    one.brought,
                )
                for one in report.sources
            ),
            (total, every),
        ],
        notes=(*notes, "A pair counts for each source that brought it in."),
    )


def _alone(report: Pool, notes) -> Table:
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
                    one.name,
                    one.alone.total,
                    *share_cells(one.alone_share),
                    *share_cells(one.alone.relevant),
                ),
                one.alone,
            )
            for one in report.by_loss
        ],
        notes=notes,
    )


def _cited(report: Pool, notes) -> Table:
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
                    f"{one.name}, {words}",
                    graded.total,
                    *share_cells(graded.relevant),
                    *share_cells(found),
                ),
                graded,
            )
            for one in report.cited
            for words, graded, found in one.both
        ],
        notes=(*notes, f"Cited are documents with the source {' or '.join(report.citations)}."),
    )


def _graded(key, title, columns, rows: Sequence[tuple[tuple, Graded]], *, notes) -> Table:
    """A line per (its first cells, what its grades are counted of)."""
    names = rows[0][1].relevance.scale.names
    return Table(
        key,
        title,
        (*columns, *count_columns(names)),
        [(*cells, *graded.counts) for cells, graded in rows],
        notes=notes,
        picture=Bars(grade_series(names), "share of the pairs (%)"),
    )


def _table(report: Pool) -> Table:
    columns = [Column("counted", "Counted")]
    for one in report.columns:
        key = one.key or "all"
        columns += [
            Column(f"{key}_total", "All", Kind.COUNT, one.name),
            Column(f"{key}_least", "Min", Kind.COUNT, one.name),
            Column(f"{key}_most", "Max", Kind.COUNT, one.name),
            Column(f"{key}_average", "Avg", Kind.NUMBER, one.name),
        ]
    return Table(
        "table1",
        "Pools and grades",
        tuple(columns),
        [
            (words, *(one for cell in cells for one in _spread_cells(cell)))
            for words, cells in report.table
        ],
        notes=(
            "Minimum, maximum and average are those of pools; each facet or aspect of a query has "
            "its own.",
            "Judged pairs and grades are of pools with no pair open or to decide.",
        ),
    )


def _spread_cells(cell: int | Spread) -> list[Cell]:
    if isinstance(cell, Spread):
        return [cell.total, cell.least, cell.most, cell.average]
    return [cell, None, None, None]
