"""The table that annotators and adjudicators see once a collection is closed: facets alone, and
only those from which nobody can work out one other person's ratings. ADR 7 has the reasons."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import ceil

import numpy as np

from agreement.statistics import SummaryKind, extremes
from agreement.study.counted import Counted
from agreement.study.filters import Filters
from agreement.study.ratings import Ratings, read_ratings_of
from agreement.study.scales import GROUPS, Measures
from agreement.subjects.overview.figures import FacetFigures
from agreement.subjects.overview.report import report_of
from agreement.tables.cells import printed
from agreement.tables.columns import SHORT_NAMES, UNDEFINED, Unit, kind_of
from agreement.tables.table import Beside, Cell, Column, Kind, Table
from annotation.closing import is_closed

LEAST_PAIRS = 20
LEAST_SHARE = 4  # one in so many pairs
LEAST_QUERIES = 3
# So many pairs with the same values, and so many with different ones.
LEAST_OF_EITHER = 5


@dataclass(frozen=True)
class ClosedRow:
    """A facet, or all; `figures` are None where too little stands behind them."""

    name: str
    figures: FacetFigures | None


@dataclass(frozen=True)
class Closed:
    rows: list[ClosedRow]
    raters: str
    unit: Unit
    cannot_judge: str
    measures: Measures

    @property
    def shown(self) -> list[ClosedRow]:
        return [row for row in self.rows if row.figures]


def closed_of(collection, *, viewer) -> Closed | None:
    """None as long as the collection is not closed.

    Always the mean over queries: a median is the figure of one query, which somebody who knows its
    number of pairs may recognise.
    """
    if not is_closed(collection):
        return None
    ratings = read_ratings_of(collection, viewer=viewer)
    # What was read while a lead opened it again is not told.
    if not is_closed(collection):
        return None
    report = report_of(collection, ratings, Filters(summary=SummaryKind.MEAN))
    counted = report.before
    topics = {
        row.key: [
            figures.topic.number for figures in report.topics if figures.topic.facet == row.key
        ]
        for row in report.facets
    }
    tells = {key: _tells_of_nobody(counted, numbers) for key, numbers in topics.items()}
    rows = [ClosedRow(row.name, row if tells[row.key] else None) for row in report.facets]
    # The whole less the rows shown is known to everybody, so it must tell of nobody either.
    hidden = [
        figures.topic.number for figures in report.topics if not tells.get(figures.topic.facet)
    ]
    tells_all = not hidden or _tells_of_nobody(counted, hidden)
    if tells_all:
        tells_all = _tells_of_nobody(counted, range(len(counted.ratings.topics)))
    rows.append(ClosedRow(report.whole.name, report.whole if tells_all else None))
    return Closed(rows, report.raters_in_words, report.unit, report.rule_in_words, report.measures)


def closed_table(closed: Closed) -> Table:
    """The measures of every row, percent in whole numbers, before adjudication and after."""
    columns = [Column("facet", "Facet")]
    for when, group in GROUPS.items():
        for measure, name in closed.measures.names.items():
            kind = Kind.COUNT if measure == "percent" else kind_of(measure)
            key = f"{when}_{measure}"
            columns.append(Column(key, SHORT_NAMES[measure], kind, group, about=name))
        columns += [
            Column(f"{when}_topics", closed.unit.many, Kind.COUNT, group),
            Column(f"{when}_pairs", "pairs", Kind.COUNT, group),
        ]
    undefined = dict.fromkeys((column.key for column in columns), UNDEFINED)
    sums = [""] * (len(closed.rows) - 1) + ["sum"]
    return Table(
        "closed",
        "Agreement by facet",
        tuple(columns),
        [(row.name, *_cells(row.figures, closed.measures)) for row in closed.rows],
        beside=[
            Beside(
                missing=undefined | _without_meaning(row.figures, closed.measures),
                look=look,
                instead="" if row.figures else "not shown",
            )
            for row, look in zip(closed.rows, sums, strict=True)
        ],
    )


def _cells(figures: FacetFigures | None, measures: Measures) -> list[Cell]:
    cells: list[Cell] = []
    for row in (figures.before, figures.after) if figures else (None, None):
        of_row = row.measures if row else {}
        cells += [of_row[name].figure.value if name in of_row else None for name in measures.names]
        cells += [row.topics, row.pairs] if row else [None, None]
    return cells


def _without_meaning(figures: FacetFigures | None, measures: Measures) -> dict[str, str]:
    """A dash for what a facet of grades does not have, or one of labels."""
    meant = figures.titles.names if figures else measures.names
    return {
        f"{when}_{measure}": printed(None, Kind.COEFFICIENT)
        for when in GROUPS
        for measure in measures.names
        if measure not in meant
    }


def _tells_of_nobody(counted: Counted, topics: Sequence[int]) -> bool:
    """Whether figures over these topics say nothing of one person to another who rated there.

    Whoever knows their own ratings and is left with one other person reads that person's agreement
    from the figures. So others must have rated enough pairs beside every two people, with them or
    instead of them. Figures must not be those of one or two queries. Nor may all pairs be alike or
    all be different, which would tell every single rating.
    """
    ratings: Ratings = counted.ratings.of_topics(list(topics))
    if len(set(ratings.topic.tolist())) < LEAST_QUERIES or ratings.size < LEAST_PAIRS:
        return False
    lowest, highest = extremes(ratings.values)
    differs = highest > lowest
    if min(int(differs.sum()), int((~differs).sum())) < LEAST_OF_EITHER:
        return False
    people = np.unique(ratings.annotator[ratings.is_answered]).tolist()
    raters = ratings.is_answered.sum(axis=0)
    least = max(LEAST_PAIRS, ceil(ratings.size / LEAST_SHARE))
    for two in combinations(people, 2):
        of_two = (np.isin(ratings.annotator, two) & ratings.is_answered).sum(axis=0)
        if int((of_two < raters).sum()) < least:
            return False
    return len(people) > 2
