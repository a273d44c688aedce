"""Bootstrap resamples of pairs, of topics, of queries with their topics, and of topics with pairs.

Drawing n pairs with replacement is one multinomial draw of how often each distinct combination of
ratings comes, so nothing here grows with the number of pairs; and drawing n topics is one of how
often each topic comes. Efron, B., Tibshirani, R. (1993). An introduction to the bootstrap. Both
levels: Davison, A. C., Hinkley, D. V. (1997). Bootstrap methods and their application, section 3.8
(topics first, then the pairs in each, both with replacement); whole clusters: the same section.
"""

from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from functools import partial

import numpy as np
import numpy.typing as npt

from agreement.statistics.arrays import Values
from agreement.statistics.evaluation import Family, over_topics
from agreement.statistics.figures import SummaryKind
from agreement.statistics.topics import RatedTopics

Counts = npt.NDArray[np.int_]
Progress = Callable[[int, int], None]
# So many resamples: {measure: its summarised value in each}.
Draw = Callable[[int], dict[str, Values]]

# How many counts are held at once: 32 MB, for a topic with as many combinations as pairs.
COUNTS_AT_ONCE = 4_000_000
# Resamples are drawn so many at a time, fewer where there are so many topics that a value of each
# in every one would take more than 4 MB for each measure.
RESAMPLES_AT_ONCE = 1000
VALUES_AT_ONCE = 500_000


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


class Resampler:
    """Draws resamples of rated topics; the same seed draws the same ones.

    ``progress`` is told how many topics are done, of how many in all resamples.
    """

    def __init__(
        self,
        topics: RatedTopics,
        *,
        over: Over,
        resamples: int,
        seed: int,
        progress: Progress | None = None,
    ) -> None:
        self.topics = topics
        self.over = over
        self.resamples = resamples
        self.random = np.random.default_rng(seed)
        self.progress = progress
        self._done = 0

    def values(self, families: Sequence[Family], kind: SummaryKind) -> dict[str, Values]:
        """{measure: its summarised value in each resample, (resamples,)}."""
        draw = (
            self._of_whole_topics(families, kind)
            if self._keeps_topics
            else partial(self._of_drawn_pairs, families, kind)
        )
        parts = [draw(number) for number in self._at_once()]
        return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}

    @property
    def _keeps_topics(self) -> bool:
        """Whether a topic that is drawn is the same in every resample."""
        return self.over in (Over.TOPICS, Over.QUERIES)

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
            self._report(self.topics.topics)
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
            self._report(1)
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
            self._report(1)
        return of_measures

    def _times_drawn(self, number: int) -> Counts:
        """For each topic, how often each of so many resamples has it: (topics, resamples)."""
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
            some = times[start : start + rows]
            yield self.random.multinomial(some * pairs, count / pairs).astype(np.float64)

    def _report(self, topics: int) -> None:
        self._done += topics
        if self.progress:
            self.progress(self._done, len(self._at_once()) * self.topics.topics)


def summary_of_drawn(figures: Values, times: Counts, kind: SummaryKind) -> Values:
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


def _running_number(times: Counts) -> Counts:
    """0, 1, ... within each run of so many: [2, 0, 3] gives [0, 1, 0, 1, 2]."""
    starts = np.cumsum(times) - times
    running: Counts = np.arange(times.sum()) - np.repeat(starts, times)
    return running
