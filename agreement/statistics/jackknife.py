"""The acceleration of BCa: how the figure's spread changes with its value, by leaving one out.

Efron, B., Tibshirani, R. (1993). An introduction to the bootstrap, equation 14.15. Where pairs are
resampled within several topics, each topic is a sample of its own, and their parts are added up:
Davison, A. C., Hinkley, D. V. (1997). Bootstrap methods and their application, equation 5.37.
"""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import numpy.typing as npt

from agreement.statistics.arrays import Values
from agreement.statistics.evaluation import Family, over_topics
from agreement.statistics.figures import Over, SummaryKind
from agreement.statistics.topics import RatedTopics

# Figures without one unit, and how many units there are that leave each of them.
Sample = tuple[Values, npt.NDArray[np.int_]]


def accelerations(
    topics: RatedTopics, families: Sequence[Family], *, kind: SummaryKind, over: Over
) -> dict[str, float]:
    """{measure: the acceleration of its figure}.

    Pairs are left out one at a time where pairs are resampled, whole topics where topics are, alone
    or as the outer of both levels, and whole queries where they are. What is undefined without a
    unit is left out.
    """
    cluster = topics.cluster if over is Over.QUERIES else np.arange(topics.topics)
    samples: dict[str, list[Sample]] = {}
    for family in families:
        left_out = (
            _without_each_pair(topics, family, kind)
            if over is Over.PAIRS
            else _without_each_cluster(topics, family, kind, cluster)
        )
        for name, sample in left_out:
            samples.setdefault(name, []).append(sample)
    return {name: _acceleration(parts) for name, parts in samples.items()}


def _acceleration(samples: Iterable[Sample]) -> float:
    third = second = 0.0
    for figures, units in samples:
        defined = ~np.isnan(figures)
        weights, defined_figures = units[defined].astype(np.float64), figures[defined]
        number = weights.sum()
        if number < 2:
            continue
        influence = (number - 1) * ((weights @ defined_figures) / number - defined_figures)
        third += float(weights @ influence**3) / number**3
        second += float(weights @ influence**2) / number**2
    return third / (6 * second**1.5) if second else 0.0


def _without_each_cluster(
    topics: RatedTopics, family: Family, kind: SummaryKind, cluster: npt.NDArray[np.int_]
) -> Iterator[tuple[str, Sample]]:
    sums = family.sums_by_topic(topics)
    numbers, of_topic = np.unique(cluster, return_inverse=True)
    once = np.ones(numbers.size, dtype=np.int_)
    is_in = of_topic[:, np.newaxis] == np.arange(numbers.size)  # topics by clusters
    if kind is SummaryKind.POOLED:
        of_cluster = np.einsum("ctf,tn->cnf", sums, is_in.astype(np.float64))
        remaining = sums.sum(axis=1, keepdims=True) - of_cluster
        for name, figures in family.evaluate(remaining, topics.values):
            yield name, (figures, once)
        return
    for name, figures in family.evaluate(sums, topics.values):
        others = np.where(is_in, np.nan, figures[:, np.newaxis])
        yield name, (over_topics(others, kind), once)


def _without_each_pair(
    topics: RatedTopics, family: Family, kind: SummaryKind
) -> Iterator[tuple[str, Sample]]:
    sums = family.sums_by_topic(topics)
    by_topic = dict(family.evaluate(sums, topics.values))
    total = sums.sum(axis=1, keepdims=True)
    for topic in range(topics.topics):
        pattern, count = topics.cells(topic)
        if not count.size:
            continue
        of_pattern = family.features(topics.patterns[pattern], topics.values)
        if kind is SummaryKind.POOLED:
            for name, figures in family.evaluate(total - of_pattern, topics.values):
                yield name, (figures, count)
            continue
        for name, without in family.evaluate(
            sums[:, topic, np.newaxis] - of_pattern, topics.values
        ):
            figures = np.tile(by_topic[name][:, np.newaxis], count.size)
            figures[topic] = without
            yield name, (over_topics(figures, kind), count)
