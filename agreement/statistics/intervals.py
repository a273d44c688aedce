"""Bootstrap intervals of any measure and summary.

Efron, B. (1987). Better bootstrap confidence intervals. Journal of the American Statistical
Association 82(397), 171-185. Efron, B., Tibshirani, R. (1993). An introduction to the bootstrap,
chapters 13 (percentile) and 14 (BCa).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import partial

import numpy as np

from agreement.statistics.arrays import Values
from agreement.statistics.evaluation import Comparing, families, summarised
from agreement.statistics.figures import Reason, SummaryKind
from agreement.statistics.jackknife import accelerations
from agreement.statistics.resampling import Over, Progress, Resampler
from agreement.statistics.topics import RatedTopics

RESAMPLES = 1000
LEVEL = 0.95


class Method(StrEnum):
    """The way from the resamples' values to the ends of an interval.

    PERCENTILE: the percentiles that leave out the same share at both ends. BCA: percentiles moved
    for bias and skew. EXACT: no resamples, from the binomial distribution.
    """

    PERCENTILE = "percentile"
    BCA = "BCa"
    EXACT = "exact binomial"


@dataclass(frozen=True, slots=True)
class Interval:
    """``low`` to ``high``, or the reason why there is none; with what it takes to say it in print.

    ``level`` is its coverage, 0.95 by default. ``undefined`` of the ``resamples`` had no value and
    were left out. ``over`` and ``seed`` are None for an exact interval.
    """

    low: float | None
    high: float | None
    level: float
    method: Method
    over: Over | None = None
    resamples: int = 0
    undefined: int = 0
    seed: int | None = None
    reason: Reason | None = None

    def __post_init__(self) -> None:
        if (self.low is None) != (self.high is None) or (self.low is None) == (self.reason is None):
            raise ValueError("An interval has both ends, or a reason why it has none.")

    @property
    def is_defined(self) -> bool:
        return self.low is not None


def intervals(
    topics: RatedTopics,
    measures: Iterable[str] | None = None,
    *,
    summary: SummaryKind,
    over: Over,
    comparing: Comparing = Comparing.BETWEEN_RATERS,
    method: Method = Method.PERCENTILE,
    level: float = LEVEL,
    resamples: int = RESAMPLES,
    seed: int = 0,
    progress: Progress | None = None,
) -> dict[str, Interval]:
    """{measure: its interval}, of all measures or those named, from the same resamples.

    The figure is that of ``summarised`` with the same arguments: pooled over all pairs, or the mean
    or median over topics; for a single topic pass that one alone, pooled, over pairs. To resample
    pairs without regard to topics pass ``topics.as_one()``. ``progress`` is called now and then
    with the number of topics done and the number of all, each as often as resamples are drawn in
    parts.

    A resample without a value is left out and counted. An interval is undefined when the figure is;
    when there are fewer than two topics or queries, or no topic with two pairs, to resample; when
    fewer than half of the resamples have a value, or too few to leave one out at each end; for BCa
    also when all values lie on one side of the figure. Where all values are the same, the ends are
    that value: the bootstrap cannot tell more than the data, as with 100 percent agreement.
    """
    if method is Method.EXACT:
        raise ValueError("An exact interval is that of a count: binomial_interval.")
    if not 0 < level < 1 or resamples < 1:
        raise ValueError("The level is between 0 and 1, and there is at least one resample.")
    figures = {
        name: of_measure.figure
        for name, of_measure in summarised(
            topics, measures, kind=summary, comparing=comparing
        ).items()
    }
    make = partial(Interval, level=level, method=method, over=over, resamples=resamples, seed=seed)
    if hindrance := _hindrance(topics, over):
        return {
            name: make(None, None, reason=figure.reason or hindrance)
            for name, figure in figures.items()
        }
    shared = families(topics, figures, comparing)
    resampler = Resampler(topics, over=over, resamples=resamples, seed=seed, progress=progress)
    drawn = resampler.values(shared, summary)
    skewness = (
        accelerations(topics, shared, kind=summary, over=over) if method is Method.BCA else {}
    )
    computed = {}
    for name, figure in figures.items():
        if figure.value is None:
            computed[name] = make(None, None, reason=figure.reason)
            continue
        defined = drawn[name][~np.isnan(drawn[name])]
        ends = _ends(defined, resamples, level, figure.value, skewness.get(name))
        low, high, reason = (None, None, ends) if isinstance(ends, Reason) else (*ends, None)
        computed[name] = make(low, high, undefined=resamples - defined.size, reason=reason)
    return computed


def _hindrance(topics: RatedTopics, over: Over) -> Reason | None:
    """Why these topics cannot be resampled: a sample of one is the same in every resample."""
    if over is Over.PAIRS:
        enough = bool((topics.pairs_by_topic() > 1).any())
        return None if enough else Reason.ONE_PAIR
    if topics.topics < 2:
        return Reason.ONE_TOPIC
    return Reason.ONE_QUERY if over is Over.QUERIES and topics.clusters < 2 else None


def _ends(
    values: Values, resamples: int, level: float, figure: float, skewness: float | None
) -> tuple[float, float] | Reason:
    from scipy.special import ndtr, ndtri

    if 2 * values.size < resamples or values.size * (1 - level) < 2:
        return Reason.FEW_DEFINED
    shares = np.array([(1 - level) / 2, (1 + level) / 2])
    if skewness is not None:
        # Resamples that hold the very data may differ from the figure in the last bits.
        rounded, middle = values.round(12), round(figure, 12)
        below = (np.mean(rounded < middle) + np.mean(rounded <= middle)) / 2
        if below in (0.0, 1.0):
            return Reason.ONE_SIDED
        bias = ndtri(below)
        moved = bias + ndtri(shares)
        shares = ndtr(bias + moved / (1 - skewness * moved))
    low, high = np.quantile(values, shares).tolist()
    return low, high
