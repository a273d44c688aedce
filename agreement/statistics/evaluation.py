"""Figures of many topics at once, per topic and pooled."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations

import numpy as np
import numpy.typing as npt

from agreement.statistics.arrays import MISSING, Positions, Values
from agreement.statistics.figures import Reason, Summary, SummaryKind, TopicMeans
from agreement.statistics.measures import REGISTRY, Mask, Measure, Raters
from agreement.statistics.topics import RatedTopics


class Comparing(StrEnum):
    """The lists that are compared with each other.

    BETWEEN_RATERS: a measure of two raters is the mean over every two raters, one of any number
    takes all of them at once. A comparison without a value is left out of the mean and counted.
    WITH_LAST: the mean over (first, last), (second, last), ..., where the last column is the gold
    or the majority. WITH_OTHERS: the columns are raters, and after them as many lists, one for each
    rater to be compared with, such as the majority of the others. These two means are of halves
    that belong together: without a value as soon as one of them has none.

    Each comparison rests on the pairs that both sides rated; without any it is none.
    """

    BETWEEN_RATERS = "between raters"
    WITH_LAST = "each rater with the last"
    WITH_OTHERS = "each rater with the others"


@dataclass(frozen=True, slots=True)
class Family:
    """Measures that share features and comparisons; a comparison is the columns it takes.

    ``belong_together`` says that a mean over comparisons needs all of them.
    """

    measures: tuple[Measure, ...]
    comparisons: tuple[tuple[int, ...], ...]
    belong_together: bool

    def features(self, patterns: Positions, values: Values) -> Values:
        """(comparisons, patterns, f)"""
        return np.stack(
            [self._of_columns(patterns, columns, values) for columns in self.comparisons]
        )

    def sums_by_topic(self, topics: RatedTopics) -> Values:
        """Features added up over the pairs of each topic: (comparisons, topics, f)."""
        # One comparison at a time: those of many raters would not fit into memory together.
        return np.stack(
            [
                topics.sums(self._of_columns(topics.patterns, columns, topics.values))
                for columns in self.comparisons
            ]
        )

    def _of_columns(self, patterns: Positions, columns: tuple[int, ...], values: Values) -> Values:
        compared = patterns[:, columns]
        if self.belong_together:
            # A gold of pairs that this seat never had says nothing of the two; Gwet's coefficients
            # would take it for what chance gives.
            lacks_one = (compared == MISSING).any(axis=1, keepdims=True)
            compared = np.where(lacks_one, MISSING, compared)
        return self.measures[0].features(compared, values)

    def evaluate(self, features: Values, values: Values) -> Iterator[tuple[str, Values]]:
        """Each measure's name and values (...) of sums of features (comparisons, ..., f)."""
        # Which comparisons hold anything is the same for all that share features.
        paired = self.measures[0].paired(features)
        for measure in self.measures:
            yield measure.name, self.mean(measure.kernel(features, values), paired)

    def mean(self, figures: Values, paired: Mask) -> Values:
        """The mean of figures (comparisons, ...) over those that hold any pair."""
        if not self.belong_together:
            return mean_of_defined(figures)
        lacking = (paired & np.isnan(figures)).any(axis=0)
        return np.where(lacking, np.nan, mean_of_defined(np.where(paired, figures, np.nan)))


def mean_of_defined(stack: Values) -> Values:
    """The mean over the first axis of what is not NaN; NaN where nothing is."""
    defined = ~np.isnan(stack)
    count = np.count_nonzero(defined, axis=0)
    total = np.where(defined, stack, 0.0).sum(axis=0)
    return np.where(count > 0, total / np.maximum(count, 1), np.nan)


def median_of_defined(stack: Values) -> Values:
    """The median over the first axis of what is not NaN; NaN where nothing is."""
    if not len(stack):
        return np.full(stack.shape[1:], np.nan)
    ordered = np.sort(stack, axis=0)  # NaN come last
    count = np.count_nonzero(~np.isnan(stack), axis=0)
    middle = np.stack([np.maximum(count - 1, 0) // 2, count // 2])
    return np.asarray(np.take_along_axis(ordered, middle, axis=0).mean(axis=0))


def over_topics(stack: Values, kind: SummaryKind) -> Values:
    """The mean or the median over the first axis, the topics."""
    return {SummaryKind.MEAN: mean_of_defined, SummaryKind.MEDIAN: median_of_defined}[kind](stack)


def summary_of_drawn(figures: Values, times: npt.NDArray[np.int_], kind: SummaryKind) -> Values:
    """The mean or median of figures (topics,) in resamples that have each so many times
    (resamples, topics), as of a list with every figure written as often; NaN is left out."""
    order = np.argsort(figures)[: np.count_nonzero(~np.isnan(figures))]  # NaN come last
    values, counts = figures[order], times[:, order]
    if not values.size:
        return np.full(len(times), np.nan)
    # The running number of each value's last copy.
    last = np.cumsum(counts, axis=1)
    number = last[:, -1]
    if kind is SummaryKind.MEAN:
        total = np.einsum("ij,j->i", counts.astype(np.float64), values)
        return np.where(number > 0, total / np.maximum(number, 1), np.nan)
    middle = [
        (last > place[:, np.newaxis]).argmax(axis=1) for place in ((number - 1) // 2, number // 2)
    ]
    return np.where(number > 0, (values[middle[0]] + values[middle[1]]) / 2, np.nan)


def families(
    topics: RatedTopics, measures: Iterable[str] | None, comparing: Comparing
) -> list[Family]:
    """The measures named (None for all) by what they share; ValueError for an unknown name."""
    names = list(REGISTRY) if measures is None else list(dict.fromkeys(measures))
    if unknown := [name for name in names if name not in REGISTRY]:
        raise ValueError(f"Unknown measure {unknown[0]!r}; there are {', '.join(REGISTRY)}.")
    groups: dict[object, list[Measure]] = {}
    for name in names:
        measure = REGISTRY[name]
        if not has_a_meaning(name, topics):
            continue
        groups.setdefault((measure.features, measure.raters), []).append(measure)
    of_measures = [
        Family(
            tuple(group),
            _comparisons(topics.raters, group[0].raters, comparing),
            belong_together=comparing is not Comparing.BETWEEN_RATERS,
        )
        for group in groups.values()
    ]
    return [family for family in of_measures if family.comparisons]


def has_a_meaning(measure: str, topics: RatedTopics) -> bool:
    """Labels can be equal or not, and nothing more."""
    return topics.is_ordered or REGISTRY[measure].level == "nominal"


def _comparisons(raters: int, takes: Raters, comparing: Comparing) -> tuple[tuple[int, ...], ...]:
    if comparing is Comparing.WITH_LAST:
        return tuple((rater, raters - 1) for rater in range(raters - 1))
    if comparing is Comparing.WITH_OTHERS:
        return tuple((rater, raters // 2 + rater) for rater in range(raters // 2))
    if takes is Raters.TWO:
        return tuple(combinations(range(raters), 2))
    return (tuple(range(raters)),) if raters > 1 else ()


def by_topic(
    topics: RatedTopics,
    measures: Iterable[str] | None = None,
    *,
    comparing: Comparing = Comparing.BETWEEN_RATERS,
) -> dict[str, list[Summary]]:
    """{measure: a figure per topic}, of all measures or those named.

    A figure is a ``Summary`` over its comparisons, one for a measure of any number of raters.
    Undefined, with the reason, where there are fewer than two lists.
    """
    means = means_by_topic(topics, measures, comparing=comparing)
    return {
        name: [of_measure.of_topic(topic) for topic in range(topics.topics)]
        for name, of_measure in means.items()
    }


def means_by_topic(
    topics: RatedTopics,
    measures: Iterable[str] | None = None,
    *,
    comparing: Comparing = Comparing.BETWEEN_RATERS,
) -> dict[str, TopicMeans]:
    """The same as ``by_topic``, before a figure is made of each."""
    names = list(REGISTRY) if measures is None else list(measures)
    means: dict[str, TopicMeans] = {}
    for family in families(topics, names, comparing):
        sums = family.sums_by_topic(topics)
        for measure in family.measures:
            means[measure.name] = _means(family, measure, sums, topics.values)
    for name in names:
        if name not in means:
            is_meant = has_a_meaning(name, topics)
            reason = Reason.NO_COMPARISON if is_meant else Reason.NO_ORDER
            means[name] = TopicMeans.without(reason, topics.topics)
    return {name: means[name] for name in names}


def pooled(
    topics: RatedTopics,
    measures: Iterable[str] | None = None,
    *,
    comparing: Comparing = Comparing.BETWEEN_RATERS,
) -> dict[str, Summary]:
    """{measure: its figure over the pairs of all topics put together}."""
    pooled_figures = by_topic(topics.as_one(), measures, comparing=comparing)
    return {name: figures[0] for name, figures in pooled_figures.items()}


def summarised(
    topics: RatedTopics,
    measures: Iterable[str] | None = None,
    *,
    kind: SummaryKind,
    comparing: Comparing = Comparing.BETWEEN_RATERS,
) -> dict[str, Summary]:
    """{measure: the median or mean over topics, or the pooled figure}."""
    if kind is SummaryKind.POOLED:
        return pooled(topics, measures, comparing=comparing)
    means = means_by_topic(topics, measures, comparing=comparing)
    every = range(topics.topics)
    return {name: of_measure.summary(kind, every) for name, of_measure in means.items()}


def _means(family: Family, measure: Measure, sums: Values, values: Values) -> TopicMeans:
    """A measure by topic, from sums of features (comparisons, topics, f)."""
    results, paired = measure.kernel(sums, values), measure.paired(sums)
    undefined = np.isnan(results)
    # A comparison without pairs, as of a seat that a topic does not have, is none; nothing is left
    # out with it, unless there is no other.
    counted = undefined & (paired | ~paired.any(axis=0))
    left_out: dict[int, dict[Reason, int]] = {}
    for comparison, topic in np.argwhere(counted).tolist():
        reasons = left_out.setdefault(topic, {})
        reason = measure.why(sums[comparison, topic])
        reasons[reason] = reasons.get(reason, 0) + 1
    defined = np.count_nonzero(~undefined, axis=0).tolist()
    return TopicMeans(family.mean(results, paired).tolist(), defined, left_out)
