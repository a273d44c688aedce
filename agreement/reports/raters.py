"""Three raters and more: every two of them, each against the majority, all at once.

Wang, J., Wang, K., Wang, X., Naidu, P., Bergen, L., Paturi, R. (2023). DORIS-MAE: scientific
document retrieval using multi-level aspect-based queries. NeurIPS Datasets and Benchmarks, Table 1,
the part on human annotators. The pairs of all topics are put together, as there.
"""

from dataclasses import dataclass

from agreement.filters import Filters
from agreement.intervals import Wanted
from agreement.reports.uncertainty import wanted_of_pooled
from agreement.statistics import (
    Comparing,
    Figure,
    RatedTopics,
    Summary,
    pairwise,
    pooled,
)

TWO_RATERS = ("macro_f1", "percent", "rho")
ALL_RATERS = ("alpha_ordinal", "alpha_nominal", "ac1", "fleiss_kappa")


@dataclass(frozen=True)
class Comparison:
    """Two lists of ratings; a list is a seat by its number from 1, or "majority"."""

    first: int
    second: int | str
    pairs: int
    figures: dict[str, Figure]


@dataclass(frozen=True)
class SeveralRaters:
    """`average` is the mean over `comparisons`, `majority` that over `with_majority`; `together`
    takes all seats at once. `no_majority` counts the pairs without one."""

    raters: int
    pairs: int
    no_majority: int
    comparisons: list[Comparison]
    average: dict[str, Summary]
    with_majority: list[Comparison]
    majority: dict[str, Summary]
    together: dict[str, Summary]
    topics: RatedTopics
    by_query: RatedTopics


def several_raters(topics: RatedTopics) -> SeveralRaters | None:
    """Of the pairs of all topics put together; None without any, or with fewer than 3 raters."""
    if topics.raters < 3 or not topics.pairs:
        return None
    whole = topics.as_one()
    judged = whole.with_majority()
    last = judged.raters - 1
    against = [
        Comparison(one.first + 1, "majority", one.pairs, one.figures)
        for one in pairwise(judged, TWO_RATERS)
        if one.second == last
    ]
    decided = judged.patterns[judged.pattern, last] >= 0
    return SeveralRaters(
        raters=topics.raters,
        pairs=whole.pairs,
        no_majority=int(judged.count[~decided].sum()),
        comparisons=[
            Comparison(one.first + 1, one.second + 1, one.pairs, one.figures)
            for one in pairwise(whole, TWO_RATERS)
        ],
        average=pooled(whole, TWO_RATERS),
        with_majority=against,
        majority=pooled(judged, TWO_RATERS, comparing=Comparing.WITH_LAST),
        together=pooled(whole, ALL_RATERS),
        topics=whole,
        by_query=topics,
    )


def raters_wanted(found: SeveralRaters, filters: Filters) -> list[Wanted]:
    """Intervals of `average` and `together`, and of `majority`."""
    judged = found.by_query.with_majority()
    return [
        wanted_of_pooled(found.by_query, (*TWO_RATERS, *ALL_RATERS), filters),
        wanted_of_pooled(judged, TWO_RATERS, filters, Comparing.WITH_LAST),
    ]
