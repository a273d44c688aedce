"""The measures of CSFCube's published script (Mysore et al. 2021), which differ from the usual.

R-precision is the number of relevant documents divided by the rank of the last of them. DCG gives
ranks 1 and 2 the full gain, and from then on gain / log2(rank). k is a share of the documents that
are ranked. It knows the ranking alone: a judged paper that is not ranked, such as the query paper
itself, is neither in R nor in the best order.
"""

from functools import lru_cache, partial

import numpy as np

from evaluation.measures.grades import Ranked, Values
from evaluation.measures.measure import Measure, fixed, ratio
from evaluation.measures.standard import gain, relevance


@lru_cache(maxsize=4096)
def discount(ranks: int) -> Values:
    """1, 1, 1 / log2(3), 1 / log2(4), ..."""
    return np.asarray(1 / np.log2(np.maximum(np.arange(1, ranks + 1), 2)))


def r_precision(least: float) -> Measure:
    return Measure(
        "CSFCube RP",
        f"ranked documents of grade {least:g} or more, divided by the rank of the last of them",
        relevance(least),
        _r_precision,
        is_linear=False,
    )


def _r_precision(gains: Values, ranked: Ranked) -> Values:
    ranks = np.arange(1, gains.shape[-1] + 1)
    last = (gains * ranks).max(axis=-1, initial=0)
    return ratio(gains.sum(axis=-1), last)


def recall(least: float, depth: int) -> Measure:
    return Measure(
        f"CSFCube R@{depth}",
        f"of the ranked documents of grade {least:g} or more, the share in the first {depth}",
        relevance(least),
        lambda gains, ranked: ratio(gains[..., :depth].sum(axis=-1), gains.sum(axis=-1)),
        depth=fixed(depth),
    )


def depth_of(percent: int, ranked: Ranked) -> int:
    """The integer part of the share: 20% of 101 is 20."""
    return ranked.size * percent // 100


def ndcg(percent: int) -> Measure:
    return Measure(
        f"CSFCube NDCG%{percent}",
        f"gain is the grade; k is the integer part of {percent}% of the ranked documents; ranks 1 "
        "and 2 weigh the same, then 1 / log2(rank)",
        gain,
        partial(_ndcg, percent),
        depth=partial(depth_of, percent),
    )


def _ndcg(percent: int, gains: Values, ranked: Ranked) -> Values:
    depth = depth_of(percent, ranked)
    ideal = ranked.ideal[..., :depth]
    weights = discount(depth)
    return ratio(gains[..., :depth] @ weights, ideal @ weights)
