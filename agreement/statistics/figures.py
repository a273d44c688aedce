"""The result of a statistic: a number, or "undefined" together with the reason; one figure out of
many; and the interval of a figure.

Where a coefficient is 0/0, libraries return 1, 0 or NaN, or raise. Here that is an answer of its
own, so that it can be shown, stored as null and counted when it is left out of a median.
"""

import math
import statistics
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Self

# The coverage of an interval.
LEVEL = 0.95


class Reason(StrEnum):
    """Why a statistic has no value; the text is what pages, CSV and JSON print."""

    NO_PAIRS = "no pairs to compare"
    ONE_PAIR = "fewer than two pairs"
    CONSTANT_LIST = "one list holds a single value"
    ONE_VALUE = "only one value is in use"
    NO_COMPARISON = "fewer than two lists of ratings"
    NO_FIGURES = "no figure to summarise"
    ONE_TOPIC = "fewer than two topics to resample"
    ONE_QUERY = "fewer than two queries to resample"
    FEW_DEFINED = "too few resamples have a value"
    NO_ORDER = "the grades have no order"
    OTHER_SCALE = "the values are on another scale"
    ONE_SIDED = "every resample lies on one side of the value"


@dataclass(frozen=True, slots=True)
class Figure:
    """A number or a reason, never both and never neither."""

    value: float | None = None
    reason: Reason | None = None

    def __post_init__(self) -> None:
        if (self.value is None) == (self.reason is None):
            raise ValueError("A figure is either a value or a reason why there is none.")
        # NaN is the one number that differs from itself; it must not pass as a value.
        if self.value is not None and self.value != self.value:
            raise ValueError("NaN is not a figure; say why it is undefined.")

    @classmethod
    def undefined(cls, reason: Reason) -> Self:
        return cls(reason=reason)

    @property
    def is_defined(self) -> bool:
        return self.value is not None


class SummaryKind(StrEnum):
    """Three different things under one heading; a table must say which it shows.

    MEDIAN and MEAN are taken over the figures of single queries, each query counting alike.
    POOLED is the statistic itself over the pairs of all queries put together, so that a query
    counts by its number of pairs.
    """

    MEDIAN = "median"
    MEAN = "mean"
    POOLED = "pooled"


CENTRES: dict[SummaryKind, Callable[[list[float]], float]] = {
    SummaryKind.MEDIAN: statistics.median,
    SummaryKind.MEAN: statistics.fmean,
}


@dataclass(frozen=True, slots=True)
class Summary:
    """A figure that rests on ``defined`` others; ``left_out`` counts undefined ones by reason.

    Where the figure itself is undefined, ``defined`` are those that have a value all the same: one
    of two halves.
    """

    figure: Figure
    defined: int
    left_out: dict[Reason, int]

    @property
    def undefined(self) -> int:
        return sum(self.left_out.values())


def median(figures: Iterable[Figure]) -> Summary:
    """The middle value; of an even number, the mean of the two in the middle."""
    return summary_over(SummaryKind.MEDIAN, *_split(figures))


def mean(figures: Iterable[Figure]) -> Summary:
    """The arithmetic mean of the defined figures."""
    return summary_over(SummaryKind.MEAN, *_split(figures))


def single(figure: Figure) -> Summary:
    """A figure that summarises nothing but itself, as the pooled one does."""
    return mean([figure])


def summary_over(kind: SummaryKind, values: list[float], left_out: dict[Reason, int]) -> Summary:
    """The median or mean of the values of figures, of which others have none."""
    value = CENTRES[kind](values) if values else None
    return summary_of(value, len(values), left_out)


def summary_of(value: float | None, defined: int, left_out: dict[Reason, int]) -> Summary:
    """A value that rests on so many figures; None where there is none, ``left_out`` says why."""
    figure = Figure.undefined(why_without(left_out)) if value is None else Figure(value)
    return Summary(figure, defined, left_out)


def why_without(left_out: dict[Reason, int]) -> Reason:
    """Why a summary has no value: a single reason explains it as well as it explains each part."""
    return next(iter(left_out)) if len(left_out) == 1 else Reason.NO_FIGURES


def _split(figures: Iterable[Figure]) -> tuple[list[float], dict[Reason, int]]:
    values: list[float] = []
    left_out: Counter[Reason] = Counter()
    for figure in figures:
        if figure.value is not None:
            values.append(figure.value)
        elif figure.reason is not None:
            left_out[figure.reason] += 1
    return values, dict(left_out)


@dataclass(frozen=True, slots=True)
class TopicMeans:
    """A measure of each topic: the mean over its comparisons. `defined` counts those that have a
    value; `left_out` has the topics with any that has none.

    Figures are made of it where they are needed: those of thousands of topics are slow to make.
    """

    means: list[float]  # NaN where undefined
    defined: list[int]
    left_out: dict[int, dict[Reason, int]]

    @classmethod
    def without(cls, reason: Reason, topics: int) -> Self:
        """The means of so many topics with no comparison at all."""
        left_out = {topic: {reason: 1} for topic in range(topics)}
        return cls([math.nan] * topics, [0] * topics, left_out)

    def of_topic(self, topic: int) -> Summary:
        mean = self.means[topic]
        left_out = self.left_out.get(topic, {})
        return summary_of(None if math.isnan(mean) else mean, self.defined[topic], left_out)

    def summary(self, kind: SummaryKind, topics: Iterable[int]) -> Summary:
        """The mean or median over the figures of these topics."""
        values: list[float] = []
        left_out: Counter[Reason] = Counter()
        for topic in topics:
            mean = self.means[topic]
            if math.isnan(mean):
                left_out[why_without(self.left_out.get(topic, {}))] += 1
            else:
                values.append(mean)
        return summary_over(kind, values, dict(left_out))


class FiguresOfTopic(Mapping[str, Summary]):
    """The measures of one topic. A figure is made when it is asked for."""

    def __init__(self, means: Mapping[str, TopicMeans], number: int) -> None:
        self._means, self._number = means, number

    def __getitem__(self, measure: str) -> Summary:
        return self._means[measure].of_topic(self._number)

    def __contains__(self, measure: object) -> bool:
        return measure in self._means

    def __iter__(self) -> Iterator[str]:
        return iter(self._means)

    def __len__(self) -> int:
        return len(self._means)

    @property
    def with_gaps(self) -> dict[str, Summary]:
        """The measures that some comparison has no value of."""
        return {
            measure: self[measure]
            for measure, means in self._means.items()
            if self._number in means.left_out
        }


class Over(StrEnum):
    """The units that are resampled, with replacement; the rest stays as it is.

    PAIRS: pairs within each topic; the interval speaks of these topics. TOPICS: whole topics; it
    speaks of topics like these. QUERIES: whole clusters of topics, such as queries with all of
    their aspects; it speaks of queries like these, and takes into account that the aspects of one
    are alike. BOTH: topics, and then the pairs of each topic drawn.
    """

    PAIRS = "pairs within topics"
    TOPICS = "topics"
    QUERIES = "queries with their topics"
    BOTH = "topics, then pairs within them"


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
