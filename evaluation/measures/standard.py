"""The measures of trec_eval, in the notation of ir-measures: `nDCG@10`, `P(rel=2)@20`, `AP(rel=2)`.

ir-measures computes them for whole numbers and one source at a time; here they are arrays, for
decimals and for a thousand draws at once. The tests compare the two on random judgments. Järvelin,
Kekäläinen (2002) for nDCG; Buckley, Voorhees (2004) for Bpref; Moffat, Zobel (2008) for RBP.
"""

from functools import lru_cache, partial

import numpy as np

from evaluation.measures.grades import Ranked, Values
from evaluation.measures.measure import Gains, Measure, fixed, ratio


@lru_cache(maxsize=4096)
def log_discount(ranks: int) -> Values:
    """1 / log2(rank + 1)."""
    return np.asarray(1 / np.log2(np.arange(2, ranks + 2)))


def named(family: str, least: float, depth: int | None = None, **more: float) -> str:
    """As ir-measures writes it; the least relevant grade is left out where it is 1."""
    parameters = {"rel": least} if least != 1 else {}
    inside = ",".join(f"{key}={value:.12g}" for key, value in (parameters | more).items())
    return f"{family}{f'({inside})' if inside else ''}{f'@{depth}' if depth else ''}"


def relevance(least: float) -> Gains:
    return lambda ranked: ranked.relevant(least)


def gain(ranked: Ranked) -> Values:
    return ranked.gains


def precision(least: float, depth: int) -> Measure:
    return Measure(
        named("P", least, depth),
        f"relevant documents in the first {depth}, divided by {depth} even if fewer are ranked",
        relevance(least),
        lambda gains, ranked: gains[..., :depth].sum(axis=-1) / depth,
        depth=fixed(depth),
    )


def recall(least: float, depth: int) -> Measure:
    return Measure(
        named("R", least, depth),
        f"relevant documents in the first {depth}, divided by all relevant ones",
        relevance(least),
        lambda gains, ranked: ratio(gains[..., :depth].sum(axis=-1), ranked.pool.relevant(least)),
        depth=fixed(depth),
    )


def success(least: float, depth: int) -> Measure:
    return Measure(
        named("Success", least, depth),
        f"1 if a relevant document is in the first {depth}, else 0",
        relevance(least),
        lambda gains, ranked: (gains[..., :depth].sum(axis=-1) > 0).astype(np.float64),
        is_linear=False,
        depth=fixed(depth),
    )


def r_precision(least: float) -> Measure:
    return Measure(
        named("Rprec", least),
        "R is the number of relevant documents: relevant ones in the first R, divided by R",
        relevance(least),
        partial(_r_precision, least),
    )


def _r_precision(least: float, gains: Values, ranked: Ranked) -> Values:
    relevant = ranked.pool.relevant(least)
    counted = np.arange(gains.shape[-1]) < relevant[..., np.newaxis]
    return ratio((gains * counted).sum(axis=-1), relevant)


def average_precision(least: float, depth: int | None = None) -> Measure:
    return Measure(
        named("AP", least, depth),
        "mean over the relevant documents of the precision at their rank; unranked ones add 0",
        relevance(least),
        partial(_average_precision, least, depth),
        is_linear=False,
        depth=fixed(depth),
    )


def _average_precision(least: float, depth: int | None, gains: Values, ranked: Ranked) -> Values:
    gains = gains[..., :depth]
    precisions = np.cumsum(gains, axis=-1) / np.arange(1, gains.shape[-1] + 1)
    return ratio((precisions * gains).sum(axis=-1), ranked.pool.relevant(least))


def reciprocal_rank(least: float, depth: int | None = None) -> Measure:
    return Measure(
        named("RR", least, depth),
        f"1 / rank of the first relevant document{f' in the first {depth}' if depth else ''}, "
        "0 without one",
        relevance(least),
        lambda gains, ranked: first_reciprocal(gains, depth),
        is_linear=False,
        depth=fixed(depth),
    )


def first_reciprocal(gains: Values, depth: int | None) -> Values:
    """1 / the first rank with a gain within the depth, else 0."""
    hits = gains[..., :depth] > 0
    if not hits.shape[-1]:
        return np.zeros(hits.shape[:-1])
    return np.where(hits.any(axis=-1), 1 / (hits.argmax(axis=-1) + 1), 0.0)


def ndcg(depth: int | None = None) -> Measure:
    return Measure(
        named("nDCG", 1, depth),
        "sum of grade / log2(rank + 1), divided by the same sum for the best order",
        gain,
        lambda gains, ranked: discounted(depth, gains, ranked.pool.ideal),
        depth=fixed(depth),
    )


def ndcg_exp(depth: int | None = None) -> Measure:
    return Measure(
        f"nDCG(dcg='exp-log2'){f'@{depth}' if depth else ''}",
        "sum of (2^grade - 1) / log2(rank + 1), divided by the same sum for the best order",
        lambda ranked: np.exp2(ranked.gains) - 1,
        lambda gains, ranked: discounted(depth, gains, np.exp2(ranked.pool.ideal) - 1),
        depth=fixed(depth),
    )


def discounted(depth: int | None, gains: Values, ideal: Values) -> Values:
    """The sum of gains / log2(rank + 1) to the depth, divided by the same sum of the best order."""
    gains, ideal = gains[..., :depth], ideal[..., :depth]
    return ratio(gains @ log_discount(gains.shape[-1]), ideal @ log_discount(ideal.shape[-1]))


def judged(depth: int | None = None) -> Measure:
    return Measure(
        named("Judged", 1, depth),
        "share of the ranked documents that are judged",
        lambda ranked: (~np.isnan(ranked.values)).astype(np.float64),
        partial(_judged, depth),
        depth=fixed(depth),
    )


def _judged(depth: int | None, gains: Values, ranked: Ranked) -> Values:
    counted = gains[..., :depth]
    return ratio(counted.sum(axis=-1), np.float64(counted.shape[-1]))


def bpref(least: float) -> Measure:
    return Measure(
        named("Bpref", least),
        "how seldom judged documents that are not relevant stand above relevant ones; a negative "
        "grade is no judgment",
        relevance(least),
        partial(_bpref, least),
        is_linear=False,
    )


def _bpref(least: float, gains: Values, ranked: Ranked) -> Values:
    values, pool = ranked.values, ranked.pool.values
    # As trec_eval has it, a negative grade is no judgment here.
    against = (values >= 0) & (values < least)
    above = np.cumsum(against, axis=-1)
    relevant = ranked.pool.relevant(least)[..., np.newaxis]
    others = np.count_nonzero((pool >= 0) & (pool < least), axis=-1)[..., np.newaxis]
    bound = np.minimum(relevant, others)
    lost = np.minimum(above, relevant) / np.maximum(bound, 1)
    return ratio((gains * (1 - lost)).sum(axis=-1), relevant[..., 0])


def rbp(least: float, persistence: float, depth: int | None) -> Measure:
    return Measure(
        named("RBP", least, depth, p=persistence),
        f"(1 - p) times the sum of p^(rank - 1) over relevant documents, p = {persistence:g}",
        relevance(least),
        lambda gains, ranked: (
            (1 - persistence)
            * (gains[..., :depth] @ persistence ** np.arange(gains[..., :depth].shape[-1]))
        ),
        depth=fixed(depth),
    )
