"""Bootstrap intervals of any measure and summary, over pairs, topics, queries, or topics and pairs.

Efron, B. (1987). Better bootstrap confidence intervals. Journal of the American Statistical
Association 82(397), 171-185. Efron, B., Tibshirani, R. (1993). An introduction to the bootstrap,
chapters 13 (percentile) and 14 (BCa). Both levels: Davison, A. C., Hinkley, D. V. (1997). Bootstrap
methods and their application, section 3.8 (topics first, then the pairs in each, both with
replacement); whole clusters: the same section.

Drawing n pairs with replacement is one multinomial draw of how often each distinct combination of
ratings comes, so nothing here grows with the number of pairs; and drawing n topics is one of how
often each topic comes.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

import numpy as np
import numpy.typing as npt

from agreement.statistics.arrays import Values
from agreement.statistics.evaluation import (
    Comparing,
    Family,
    families,
    over_topics,
    summarised,
    summary_of_drawn,
)
from agreement.statistics.figures import LEVEL, Figure, Interval, Method, Over, Reason, SummaryKind
from agreement.statistics.jackknife import accelerations
from agreement.statistics.topics import RatedTopics

RESAMPLES = 1000

Counts = npt.NDArray[np.int_]
# So many resamples: {measure: its summarised value in each}.
Draw = Callable[[int], dict[str, Values]]

# How many counts are held at once: 32 MB, for a topic with as many combinations as pairs.
COUNTS_AT_ONCE = 4_000_000
# So many resamples are drawn at a time. With many topics they are fewer: the values of one measure,
# for every topic in every resample, take 4 MB at most.
RESAMPLES_AT_ONCE = 1000
VALUES_AT_ONCE = 500_000


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
) -> dict[str, Interval]:
    """{measure: its interval}, of all measures or those named, from the same resamples.

    The figure is that of ``summarised`` with the same arguments: pooled over all pairs, or the mean
    or median over topics; for a single topic pass that one alone, pooled, over pairs. To resample
    pairs without regard to topics pass ``topics.as_one()``.

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
    summaries = summarised(topics, measures, kind=summary, comparing=comparing)
    figures = {name: of_measure.figure for name, of_measure in summaries.items()}
    make = partial(Interval, level=level, method=method, over=over, resamples=resamples, seed=seed)
    if hindrance := _hindrance(topics, over):
        return {
            name: make(None, None, reason=figure.reason or hindrance)
            for name, figure in figures.items()
        }
    shared = families(topics, figures, comparing)
    resampler = Resampler(topics, over=over, resamples=resamples, seed=seed)
    drawn = resampler.values(shared, summary)
    skewness = {}
    if method is Method.BCA:
        skewness = accelerations(topics, shared, kind=summary, over=over)

    def computed(name: str, figure: Figure) -> Interval:
        if figure.value is None:
            return make(None, None, reason=figure.reason)
        defined = drawn[name][~np.isnan(drawn[name])]
        ends = _ends(defined, resamples, level, figure.value, skewness.get(name))
        low, high, reason = (None, None, ends) if isinstance(ends, Reason) else (*ends, None)
        return make(low, high, undefined=resamples - defined.size, reason=reason)

    return {name: computed(name, figure) for name, figure in figures.items()}


def _hindrance(topics: RatedTopics, over: Over) -> Reason | None:
    """Why these topics cannot be resampled: a sample of one is the same in every resample."""
    if over is Over.PAIRS:
        return None if (topics.pairs_by_topic() > 1).any() else Reason.ONE_PAIR
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


class Resampler:
    """Draws resamples of rated topics; the same seed draws the same ones."""

    def __init__(self, topics: RatedTopics, *, over: Over, resamples: int, seed: int) -> None:
        self.topics = topics
        self.over = over
        self.resamples = resamples
        self.random = np.random.default_rng(seed)

    def values(self, families: Sequence[Family], kind: SummaryKind) -> dict[str, Values]:
        """{measure: its summarised value in each resample, (resamples,)}."""
        if self.over in (Over.TOPICS, Over.QUERIES):  # a topic drawn is the same in all resamples
            draw = self._of_whole_topics(families, kind)
        else:
            draw = partial(self._of_drawn_pairs, families, kind)
        parts = [draw(number) for number in self._at_once()]
        return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}

    def _at_once(self) -> list[int]:
        most = max(1, min(RESAMPLES_AT_ONCE, VALUES_AT_ONCE // max(1, self.topics.topics)))
        remainder = self.resamples % most
        return [most] * (self.resamples // most) + [remainder] * bool(remainder)

    def _of_whole_topics(self, families: Sequence[Family], kind: SummaryKind) -> Draw:
        """The figures of topics, computed once, with the number of draws of each in every
        resample."""
        from scipy.sparse import csr_array

        values = self.topics.values
        sums = [family.sums_by_topic(self.topics) for family in families]
        figures = [
            list(family.evaluate(sums_of_topics, values))
            for family, sums_of_topics in zip(families, sums, strict=True)
        ]

        def draw(number: int) -> dict[str, Values]:
            times = self._times_drawn(number).T
            values_drawn: dict[str, Values] = {}
            for family, sums_of_topics, of_topics in zip(families, sums, figures, strict=True):
                if kind is SummaryKind.POOLED:
                    drawn = np.stack(
                        [np.asarray(times @ csr_array(table)) for table in sums_of_topics]
                    )
                    values_drawn |= dict(family.evaluate(drawn, values))
                else:
                    values_drawn |= {
                        name: summary_of_drawn(each, times, kind) for name, each in of_topics
                    }
            return values_drawn

        return draw

    def _of_drawn_pairs(
        self, families: Sequence[Family], kind: SummaryKind, number: int
    ) -> dict[str, Values]:
        if kind is SummaryKind.POOLED:
            return self._pooled(families, number)
        return {
            name: over_topics(figures.T, kind)
            for name, figures in self._by_topic(families, number).items()
        }

    def _pooled(self, families: Sequence[Family], number: int) -> dict[str, Values]:
        sums: dict[Family, Values] = {}
        for topic, times in enumerate(self._times_drawn(number)):
            parts = self._sums(topic, times, families)
            for family, part in zip(families, parts, strict=True):
                sums[family] = sums.get(family, 0.0) + part
        return {
            name: values
            for family, total in sums.items()
            for name, values in family.evaluate(total, self.topics.values)
        }

    def _by_topic(self, families: Sequence[Family], number: int) -> dict[str, Values]:
        """{measure: (resamples, topics)}: its values in the topics that each resample consists of,
        in no particular order."""
        of_measures = {
            measure.name: np.full((number, self.topics.topics), np.nan)
            for family in families
            for measure in family.measures
        }
        filled = np.zeros(number, dtype=np.int_)
        for topic, times in enumerate(self._times_drawn(number)):
            resample = np.repeat(np.arange(number), times)
            place = filled[resample] + _running_number(times)
            once = np.ones(resample.size, dtype=np.int_)
            for family, sums in zip(families, self._sums(topic, once, families), strict=True):
                for name, values in family.evaluate(sums, self.topics.values):
                    of_measures[name][resample, place] = values
            filled += times
        return of_measures

    def _times_drawn(self, number: int) -> Counts:
        """How often each of so many resamples has each topic: (topics, resamples)."""
        if self.over is Over.PAIRS:
            return np.ones((self.topics.topics, number), dtype=np.int_)
        cluster = np.arange(self.topics.topics)
        if self.over is Over.QUERIES:
            _, cluster = np.unique(self.topics.cluster, return_inverse=True)
        drawn = int(cluster.max()) + 1
        times: Counts = self.random.multinomial(drawn, np.full(drawn, 1.0 / drawn), size=number)
        return times.T[cluster]

    def _sums(self, topic: int, times: Counts, families: Sequence[Family]) -> list[Values]:
        """Each family's features of the topic, added up over drawn pairs: (comparisons, draws, f).

        A draw has the topic so many times.
        """
        from scipy.sparse import csr_array

        pattern, count = self.topics.cells(topic)
        features = [
            family.features(self.topics.patterns[pattern], self.topics.values)
            for family in families
        ]
        # Most features are 0; and a dense product would wait for all cores, which have other work.
        columns = [csr_array(np.hstack([*table])) for table in features]
        sums: list[list[Values]] = [[] for _ in families]
        for drawn in self._counts(count, times):
            for parts, table in zip(sums, columns, strict=True):
                parts.append(np.asarray(drawn @ table))
        return [
            np.vstack(parts).reshape(-1, len(table), table.shape[-1]).swapaxes(0, 1)
            for parts, table in zip(sums, features, strict=True)
        ]

    def _counts(self, count: Counts, times: Counts) -> Iterator[Values]:
        """The counts of a topic's patterns in draws that have it so many times: (draws, p), so many
        draws at once as memory allows."""
        if count.size == 0:
            yield np.empty((times.size, 0))
            return
        rows = max(1, COUNTS_AT_ONCE // count.size)
        pairs = count.sum()
        for start in range(0, max(1, times.size), rows):
            times_drawn = times[start : start + rows]
            yield self.random.multinomial(times_drawn * pairs, count / pairs).astype(np.float64)


def _running_number(times: Counts) -> Counts:
    """0, 1, ... within each run of so many: [2, 0, 3] gives [0, 1, 0, 1, 2]."""
    starts = np.cumsum(times) - times
    running: Counts = np.arange(times.sum()) - np.repeat(starts, times)
    return running
