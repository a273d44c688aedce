"""The seven measures of DORIS-MAE (Wang et al. 2023, public code), at the level of queries.

A grade is S / |Q|, an abstract is relevant where it is at least 1, and gains are S itself, or 2^S
without minus 1. R@k, RP and MAP have a value for queries with a relevant abstract alone.
"""

from dataclasses import replace
from functools import partial

import numpy as np

from evaluation.measures import standard
from evaluation.measures.grades import Ranked, Values
from evaluation.measures.measure import Measure, fixed

LEAST = 1.0
# S is a whole number; its quotient by |Q| and back is not, in the last places.
DIGITS = 6


def recall(depth: int) -> Measure:
    return replace(standard.recall(LEAST, depth), name=f"DORIS-MAE R@{depth}")


def r_precision() -> Measure:
    return replace(standard.r_precision(LEAST), name="DORIS-MAE RP")


def average_precision() -> Measure:
    return replace(standard.average_precision(LEAST), name="DORIS-MAE MAP")


def depth_of(percent: int, ranked: Ranked) -> int:
    """The share of the judged abstracts; of the first source for draws."""
    return int(ranked.pool.judged.flat[0]) * percent // 100


def ndcg(percent: int) -> Measure:
    return Measure(
        f"DORIS-MAE NDCG{percent}%",
        f"gain is S; k is the integer part of {percent}% of the judged abstracts",
        sums,
        partial(_ndcg, percent, False),
        depth=partial(depth_of, percent),
    )


def ndcg_exp(percent: int) -> Measure:
    return Measure(
        f"DORIS-MAE NDCGexp{percent}%",
        f"gain is 2^S, not minus 1; k is the integer part of {percent}% of the judged abstracts",
        lambda ranked: np.where(np.isnan(ranked.values), 0.0, np.exp2(sums(ranked))),
        partial(_ndcg, percent, True),
        depth=partial(depth_of, percent),
    )


def sums(ranked: Ranked) -> Values:
    """S at each rank."""
    return np.round(ranked.gains * ranked.pool.size, DIGITS)


def _ndcg(percent: int, is_exponential: bool, gains: Values, ranked: Ranked) -> Values:
    pool = ranked.pool
    ideal = np.round(pool.ideal * pool.size, DIGITS)
    if is_exponential:
        is_judged = np.arange(ideal.shape[-1]) < pool.judged[..., np.newaxis]
        ideal = np.where(is_judged, np.exp2(ideal), 0.0)
    depth = (pool.judged * percent // 100)[..., np.newaxis]
    counted = np.arange(max(gains.shape[-1], ideal.shape[-1])) < depth
    return standard.discounted(
        None, gains * counted[..., : gains.shape[-1]], ideal * counted[..., : ideal.shape[-1]]
    )


def reciprocal_rank_of_best(depth: int) -> Measure:
    return Measure(
        f"DORIS-MAE MRR@{depth}",
        f"1 / rank of the first abstract with the query's highest S, in the first {depth}",
        is_best,
        lambda gains, ranked: standard.first_reciprocal(gains, depth),
        is_linear=False,
        depth=fixed(depth),
    )


def is_best(ranked: Ranked) -> Values:
    """1 for abstracts with the highest S. Where all are tied, the public code stops one short: the
    last of the pool does not count."""
    pool = ranked.pool
    if not pool.values.shape[-1]:
        return np.zeros(ranked.values.shape)
    values = np.where(np.isnan(pool.values), -np.inf, np.round(pool.values * pool.size, DIGITS))
    highest = values.max(axis=-1, keepdims=True)
    best = (values == highest) & (highest > -np.inf)
    all_tied = np.count_nonzero(best, axis=-1) == pool.judged
    if all_tied.any():
        judged = np.where(np.isnan(pool.values), -1, np.arange(pool.values.shape[-1]))
        last = judged == judged.max(axis=-1, keepdims=True)
        best &= ~(last & np.asarray(all_tied)[..., np.newaxis])
    at_ranks = best[..., ranked.places] & (ranked.places >= 0)
    return np.asarray(at_ranks, dtype=np.float64)
