"""The statistics of queries as tables, a row per type, and their scores as histograms."""

from collections.abc import Collection, Iterable, Sequence
from fractions import Fraction
from itertools import chain, pairwise

from agreement.statistics import Share
from agreement.tables.cells import Axis, Piece, steps_of
from agreement.tables.columns import grade_cells, grade_columns, grade_series
from agreement.tables.table import Bars, Beside, Cell, Column, Kind, Table
from evaluation.queries.reports import SCALE, shown
from evaluation.queries.statistics import Part
from evaluation.scores import Histogram, Spread
from formats.decimals import printed_grade

COMPLEXITY = (
    Column("queries", "Queries", Kind.COUNT),
    Column("words", "Words", Kind.NUMBER),
    Column("aspects", "Aspects", Kind.NUMBER),
    Column("sub_aspects", "Sub-aspects", Kind.NUMBER),
    Column("ids", "|Q|", Kind.NUMBER, about="distinct aspects and sub-aspects"),
    Column("pools", "Pool", Kind.NUMBER),
    Column("pairs", "Question pairs", Kind.COUNT),
)
RELEVANT = (
    Column("queries", "Queries", Kind.COUNT),
    Column("with_scores", "Queries with scores", Kind.COUNT),
    Column("scored", "Abstracts with a score", Kind.COUNT),
    Column("unscored", "Without", Kind.COUNT),
    Column("mean_score", "Mean S / |Q|", Kind.NUMBER),
    Column("relevant", "Relevant per query", Kind.NUMBER),
    Column("without_relevant", "Queries without a relevant one", Kind.COUNT),
)
COUNTS = {
    "count": "Sub-queries",
    "with_relevant": "With a relevant abstract",
    "unsettled": "Not settled yet",
}
SUB_QUERIES = tuple(
    Column(f"{key}_{group}", title, Kind.COUNT, group)
    for group in ("Two aspects", "Three aspects")
    for key, title in COUNTS.items()
)
# Room between two bars, in percent of the drawing's width.
GAP = 0.6


def tables(parts: Sequence[Part]) -> dict[str, Table]:
    """Of one part at least, the first of which is all queries."""
    grades = {f"{value / SCALE:g}": shown(value) for value in parts[0].values}
    values = [
        *grade_columns(grades, intervals=False),
        Column("none", "Without a value", Kind.COUNT),
    ]
    return {
        "complexity": _figures(parts, COMPLEXITY),
        "values": _by_type(
            parts,
            values,
            [[*_shares(part.values.values()), part.pairs_without_value] for part in parts],
            picture=Bars(grade_series(grades), "share of pairs"),
        ),
        "relevant": _figures(parts, RELEVANT),
        "sub_queries": _by_type(
            parts,
            SUB_QUERIES,
            [[getattr(size, key) for size in part.sub_queries for key in COUNTS] for part in parts],
        ),
    }


def _figures(parts: Sequence[Part], columns: Sequence[Column]) -> Table:
    """A column has the figure of its name; a spread is its mean, with least and greatest below."""
    rows, beside = [], []
    for part in parts:
        figures = {column.key: getattr(part, column.key) for column in columns}
        rows.append([_mean(figure) for figure in figures.values()])
        ends = {
            key: f"{spread.least:,}\u2013{spread.greatest:,}"
            for key, spread in figures.items()
            if isinstance(spread, Spread)
        }
        beside.append(Beside(missing=dict.fromkeys(figures, "not yet"), below=ends))
    return _by_type(parts, columns, rows, beside=beside)


def _mean(figure: Spread | Fraction | int | None) -> Cell:
    value = figure.mean if isinstance(figure, Spread) else figure
    return float(value) if isinstance(value, Fraction) else value


def _by_type(
    parts: Sequence[Part],
    columns: Sequence[Column],
    rows: Iterable[Sequence[Cell]],
    *,
    picture: Bars | None = None,
    beside: Sequence[Beside] = (),
) -> Table:
    named = [(part.label, *row) for part, row in zip(parts, rows, strict=True)]
    columns = (Column("type", "Type"), *columns)
    return Table("by-type", "By type", columns, named, picture=picture, beside=beside)


def _shares(counts: Collection[int]) -> list[Cell]:
    return grade_cells([Share(count, sum(counts)) for count in counts], intervals=False)


def distribution(parts: Sequence[Part]) -> dict:
    """The histogram of each part that has scores, and a table of them all by their steps."""
    drawn = [(part, part.scores) for part in parts if part.scores and part.scored]
    if not drawn:
        return {}
    borders = drawn[0][1].borders
    spans = [
        f"{printed_grade(float(low))} to {'' if high == borders[-1] else 'below '}"
        f"{printed_grade(float(high))}"
        for low, high in pairwise(borders)
    ]
    titles = {f"{number}": part.label for number, (part, _) in enumerate(drawn)}
    shares = [_shares(scores.counts) for _, scores in drawn]
    return {
        "histograms": [(part, _bars(scores)) for part, scores in drawn],
        "ticks": _axis(float(borders[0]), float(borders[-1])).ticks,
        "steps": Table(
            "steps",
            "Scores per step",
            (Column("step", "S / |Q|"), *grade_columns(titles, intervals=False)),
            [
                (span, *chain.from_iterable(cells[2 * n : 2 * n + 2] for cells in shares))
                for n, span in enumerate(spans)
            ],
        ),
    }


def _axis(low: float, high: float) -> Axis:
    """In whole steps; a scale that is shorter than one has its two ends."""
    if high - low < 1:
        return Axis(low, high, high - low)
    first, second, *_ = steps_of(low, high)
    return Axis(low, high, max(1, second - first))


def _bars(scores: Histogram) -> list[Piece]:
    """A bar per step that has any, darker from 1 on, where scores are relevant."""
    most, width = max(scores.counts), 100 / len(scores.counts)
    return [
        Piece(
            f"{number * width + GAP / 2:.2f}%",
            f"{width - GAP:.2f}%",
            "s3" if scores.borders[number] >= 1 else "s1",
            f"{100 - 100 * count / most:.2f}%",
            f"{100 * count / most:.2f}%",
        )
        for number, count in enumerate(scores.counts)
        if count
    ]
