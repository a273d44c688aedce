"""Three raters and more: every two of them, each against the majority, all at once.

Wang, J., Wang, K., Wang, X., Naidu, P., Bergen, L., Paturi, R. (2023). DORIS-MAE: scientific
document retrieval using multi-level aspect-based queries. NeurIPS Datasets and Benchmarks, Table 1,
the part on human annotators. The pairs of all topics are put together, as there. The majority there
has the rater's own vote in it, which flatters; so the majority of the others stands beside it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from agreement.statistics import (
    REGISTRY,
    Comparing,
    Figure,
    RatedTopics,
    Summary,
    has_a_meaning,
    pooled,
)
from agreement.statistics.arrays import MISSING
from agreement.study.counted import Counted
from agreement.study.filters import Filters
from agreement.study.intervals import Intervals, Wanted, wanted_of_pooled
from agreement.study.selection import Selection
from agreement.tables.columns import (
    SHORT_NAMES,
    Gaps,
    intervals_note,
    measure_cells,
    measure_columns,
    raters_in_words,
    with_interval,
)
from agreement.tables.table import Column, Kind, Table

# Those that have a meaning on the scale are shown.
TWO_RATERS = ("macro_f1", "percent", "rho")
ALL_RATERS = ("alpha_ordinal", "alpha_nominal", "ac1", "ac2", "fleiss_kappa")


@dataclass(frozen=True)
class Comparison:
    """Two lists of ratings: a seat by its number from 1, and what it is compared with in words."""

    first: int
    second: str
    pairs: int
    figures: dict[str, Figure]


@dataclass(frozen=True)
class Compared:
    """Comparisons of one kind under one heading, and the mean over them.

    `topics` are what is compared, by topic, for the intervals of `average`. `pairs` are those that
    any of the comparisons rests on, `without` those that none does for want of a majority.
    """

    key: str
    title: str
    comparisons: list[Comparison]
    average: dict[str, Summary]
    pairs: int
    without: int
    topics: RatedTopics
    comparing: Comparing


@dataclass(frozen=True)
class SeveralRaters:
    """`overlaps` says how many pairs have how many seats; `together` takes all seats at once."""

    overlaps: dict[int, int]
    pairs: int
    every_two: Compared
    with_majority: Compared
    with_others: Compared
    together: dict[str, Summary]

    @property
    def of_two(self) -> list[str]:
        """The measures of two raters."""
        return list(self.every_two.average)

    @property
    def compared(self) -> list[Compared]:
        return [self.every_two, self.with_majority, self.with_others]

    @property
    def raters(self) -> int:
        """Of the pairs with the most."""
        return max(self.overlaps)

    @property
    def raters_in_words(self) -> str:
        return raters_in_words(self.overlaps)


def several_raters(counted: Counted) -> SeveralRaters:
    """Of the pairs of all topics put together, where there are several raters."""
    topics = counted.topics
    raters = range(topics.raters)
    judged, of_others = counted.with_majority, counted.with_majority_of_others
    of_all = [measure for measure in ALL_RATERS if has_a_meaning(measure, topics)]
    return SeveralRaters(
        overlaps=counted.overlaps,
        pairs=topics.pairs,
        every_two=_compared(
            "every_two",
            "every two",
            topics,
            [(first, second) for first in raters for second in raters if first < second],
            [f"seat {seat + 1}" for seat in raters],
            Comparing.BETWEEN_RATERS,
        ),
        with_majority=_compared(
            "with_majority",
            "with the majority, the own vote among it",
            judged,
            [(rater, topics.raters) for rater in raters],
            [*["" for _ in raters], "the majority"],
            Comparing.WITH_LAST,
        ),
        with_others=_compared(
            "with_majority_of_others",
            "with the majority of the others",
            of_others,
            [(rater, topics.raters + rater) for rater in raters],
            [*["" for _ in raters], *["the majority of the others" for _ in raters]],
            Comparing.WITH_OTHERS,
        ),
        together=pooled(topics, of_all),
    )


def _compared(
    key: str,
    title: str,
    topics: RatedTopics,
    columns: list[tuple[int, int]],
    words: list[str],
    comparing: Comparing,
) -> Compared:
    """Of these two columns each; `words` are what each column is called as the second of two."""
    whole = topics.as_one()
    measures = [measure for measure in TWO_RATERS if has_a_meaning(measure, topics)]
    rated = whole.patterns != MISSING
    both = np.array([rated[:, [first, second]].all(axis=1) for first, second in columns])
    comparisons = [
        Comparison(
            first + 1,
            words[second],
            int(pairs),
            {
                name: summary.figure
                for name, summary in pooled(whole.of_raters([first, second]), measures).items()
            },
        )
        for (first, second), pairs in zip(
            columns, both[:, whole.pattern] @ whole.count, strict=True
        )
    ]
    has_any = np.count_nonzero(both, axis=0) > 0
    pairs = int(has_any[whole.pattern] @ whole.count)
    return Compared(
        key,
        title,
        comparisons,
        pooled(whole, measures, comparing=comparing),
        pairs,
        whole.pairs - pairs,
        topics,
        comparing,
    )


def raters_wanted(several: SeveralRaters, filters: Filters) -> list[Wanted]:
    """Intervals of each average, those of every two with `together`."""
    return [
        wanted_of_pooled(
            compared.topics,
            (*several.of_two, *several.together)
            if compared is several.every_two
            else several.of_two,
            filters,
            compared.comparing,
        )
        for compared in several.compared
    ]


def several_table(
    selection: Selection, several: SeveralRaters, intervals: Sequence[Intervals | None]
) -> Table:
    columns = (
        Column("between", "Between"),
        *measure_columns({measure: REGISTRY[measure].title for measure in several.of_two}),
        Column("pairs", "Pairs", Kind.COUNT),
    )

    def row(name, figures, pairs, of_average: Intervals | None = None):
        return (name, *measure_cells(figures, several.of_two, of_average), pairs)

    rows, beside = [], []
    for compared, of_average in zip(several.compared, intervals, strict=True):
        beside += [
            Gaps().tell_all(comparison.figures).beside() for comparison in compared.comparisons
        ]
        beside.append(Gaps().tell_all(compared.average).beside(look="sum"))
        rows += [
            row(
                f"Seat {comparison.first} and {comparison.second}",
                comparison.figures,
                comparison.pairs,
            )
            for comparison in compared.comparisons
        ]
        rows.append(row(f"Average {compared.title}", compared.average, compared.pairs, of_average))
    return Table(
        "several",
        f"Agreement of {several.raters_in_words} raters before adjudication",
        columns,
        rows,
        notes=(
            "Pairs of batches that are wholly handed in, pooled. Macro F1 is over the values that "
            "either of the two gave.",
            _overlaps(several),
            "A majority is what more than half of a pair's seats gave; “cannot judge” is no vote. "
            "It has the own vote in it, unlike that of the others.",
            f"Pairs without a majority, left out of the comparisons with it: "
            f"{several.with_majority.without:,}; without one of any others: "
            f"{several.with_others.without:,}.",
            selection.cannot_judge_rule,
            *intervals_note(intervals, selection.unit),
        ),
        beside=beside,
    )


def together_table(selection: Selection, several: SeveralRaters, of_all: Intervals | None) -> Table:
    return Table(
        "together",
        f"Agreement of all {several.raters_in_words} raters at once, before adjudication",
        (
            Column("coefficient", "Coefficient"),
            *with_interval("value", "Value", Kind.COEFFICIENT),
            Column("pairs", "Pairs", Kind.COUNT),
        ),
        [
            (
                SHORT_NAMES[measure],
                *measure_cells(several.together, [measure], of_all),
                several.pairs,
            )
            for measure in several.together
        ],
        notes=(
            "Pairs of batches that are wholly handed in, pooled.",
            _overlaps(several),
            selection.cannot_judge_rule,
            *intervals_note([of_all], selection.unit),
        ),
        beside=[
            Gaps().tell_all({"value": figure}).beside() for figure in several.together.values()
        ],
    )


def _overlaps(several: SeveralRaters) -> str:
    """ "Pairs by their raters: 120 with two, 40 with three."."""
    words = ", ".join(
        f"{pairs:,} with {raters_in_words([seats])}" for seats, pairs in several.overlaps.items()
    )
    return f"Pairs by their raters: {words}."
