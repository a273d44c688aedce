"""Statistics of a collection's text queries, per query type and in all.

They answer what Tables 9 and 10 and Figure 2 of the DORIS-MAE paper are about: how long and how
complex queries are, how values are distributed over question pairs, and scores over abstracts.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from evaluation.queries.reading import ReadQuery
from evaluation.queries.reports import table_of
from evaluation.scores import (
    SUB_QUERY_SIZES,
    Histogram,
    Spread,
    ValueTable,
    histogram,
    score,
    spread,
    sub_queries,
)
from evaluation.values import Values

HISTOGRAM_STEPS = 20
Sums = npt.NDArray[np.int64]


@dataclass(frozen=True)
class SubQueryCounts:
    """Sub-queries of `size` aspects: how many, how many have a relevant document, and how many
    could not tell, because not all of the pool has a score."""

    size: int
    count: int
    with_relevant: int
    unsettled: int


@dataclass(frozen=True)
class Part:
    """The queries of one type, or all of them (`name` is "" then).

    Question pairs are counted once, also where queries share an aspect and a document; so are
    their values (`values` is {value in thousandths: pairs}). Scores are counted per query.
    """

    name: str
    queries: int
    words: Spread | None
    aspects: Spread | None
    sub_aspects: Spread | None
    ids: Spread | None
    pools: Spread | None
    pairs: int
    values: dict[int, int]
    scored: int
    unscored: int
    scores: Histogram | None  # None where the scale has a single value
    mean_score: Fraction | None
    with_scores: int  # queries of which some document has a score
    relevant: Spread | None  # relevant documents per query that has scores
    without_relevant: int | None  # of these queries; None where there are none
    sub_queries: list[SubQueryCounts]

    @property
    def label(self) -> str:
        return self.name or "All queries"

    @property
    def valued(self) -> int:
        return sum(self.values.values())

    @property
    def pairs_without_value(self) -> int:
        return self.pairs - self.valued


@dataclass(frozen=True)
class _Scored:
    """One query with the figures of its values."""

    query: ReadQuery
    sums: Sums  # S in thousandths of the documents with a complete score
    size: int
    unscored: int
    relevant: int
    sub_queries: list[SubQueryCounts]


def statistics(queries: list[ReadQuery], values: Values, scale: tuple[int, ...]) -> list[Part]:
    """All queries, then those of each type in the order in which types first occur.

    Without types there is the whole alone. `scale` are the values of the scale in thousandths.
    """
    if not queries:
        return []
    scored = [_scored(query, values) for query in queries]
    kinds = list(dict.fromkeys(row.query.kind for row in scored))
    parts = [_part("", scored, values, scale)]
    if any(kinds):
        for kind in kinds:
            kind_rows = [row for row in scored if row.query.kind == kind]
            parts.append(_part(kind or "no type named", kind_rows, values, scale))
    return parts


def _scored(query: ReadQuery, values: Values) -> _Scored:
    table = table_of(query, values)
    scores = score(table, [table.ids])
    complete = scores.is_complete[0]
    return _Scored(
        query=query,
        sums=scores.sums[0][complete],
        size=len(table.ids),
        unscored=int((~complete).sum()),
        relevant=int(scores.is_relevant.sum()),
        sub_queries=[_sub_queries(query, table, size) for size in SUB_QUERY_SIZES],
    )


def _sub_queries(query: ReadQuery, table: ValueTable, size: int) -> SubQueryCounts:
    parts = list(sub_queries(query.tree, [size]))
    if not parts:
        return SubQueryCounts(size, 0, 0, 0)
    scores = score(table, [part.ids for part in parts])
    has_relevant = scores.is_relevant.any(axis=1)
    is_settled = has_relevant | scores.is_complete.all(axis=1)
    return SubQueryCounts(size, len(parts), int(has_relevant.sum()), int((~is_settled).sum()))


def _part(name: str, scored: Sequence[_Scored], values: Values, scale: tuple[int, ...]) -> Part:
    documents_of = _documents_of_topics(scored)
    counted = Counter(
        value
        for topic, documents in documents_of.items()
        for document, value in values.of.get(topic, {}).items()
        if document in documents
    )
    sums = np.concatenate([row.sums for row in scored])
    sizes = np.concatenate([np.full(len(row.sums), row.size) for row in scored])
    trees = [row.query.tree for row in scored]
    return Part(
        name=name,
        queries=len(scored),
        words=spread(len(row.query.record.text.split()) for row in scored),
        aspects=spread(len(tree.aspects) for tree in trees),
        sub_aspects=spread(len(tree.ids) - len(tree.aspects) for tree in trees),
        ids=spread(len(tree.ids) for tree in trees),
        pools=spread(row.query.pool_size for row in scored),
        pairs=sum(map(len, documents_of.values())),
        values={value: counted[value] for value in sorted({*counted, *scale})},
        scored=len(sums),
        unscored=sum(row.unscored for row in scored),
        scores=_histogram(sums, sizes, scale),
        mean_score=_mean(scored),
        with_scores=sum(len(row.sums) > 0 for row in scored),
        relevant=spread(row.relevant for row in scored if len(row.sums)),
        without_relevant=(
            sum(row.relevant == 0 for row in scored if len(row.sums)) if len(sums) else None
        ),
        sub_queries=[
            _summed(counts) for counts in zip(*(row.sub_queries for row in scored), strict=True)
        ],
    )


def _documents_of_topics(scored: Iterable[_Scored]) -> dict[str, set[str]]:
    """The documents that are judged under each topic of some queries."""
    documents: defaultdict[str, set[str]] = defaultdict(set)
    for row in scored:
        for topic in row.query.tree.ids:
            documents[topic].update(row.query.record.documents)
    return documents


def _summed(counts: Sequence[SubQueryCounts]) -> SubQueryCounts:
    return SubQueryCounts(
        counts[0].size,
        sum(row.count for row in counts),
        sum(row.with_relevant for row in counts),
        sum(row.unsettled for row in counts),
    )


def _histogram(sums: Sums, sizes: Sums, scale: tuple[int, ...]) -> Histogram | None:
    if scale[0] == scale[-1]:
        return None
    return histogram(sums, sizes, low=scale[0], high=scale[-1], steps=HISTOGRAM_STEPS)


def _mean(scored: Sequence[_Scored]) -> Fraction | None:
    """Mean S / |Q| over all scored documents, exactly; None where there are none."""
    count = sum(len(row.sums) for row in scored)
    total = sum((Fraction(int(row.sums.sum()), 1000 * row.size) for row in scored), Fraction(0))
    return total / count if count else None
