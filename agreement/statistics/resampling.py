"""Bootstrap resamples of pairs, of topics, and of both, as counts of combinations of ratings.

Drawing n pairs with replacement is one multinomial draw of how often each distinct combination of
ratings comes, so nothing here grows with the number of pairs. Efron, B., Tibshirani, R. (1993). An
introduction to the bootstrap. Both levels: Davison, A. C., Hinkley, D. V. (1997). Bootstrap methods
and their application, section 3.8 (topics first, then the pairs in each, both with replacement).
"""

from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

from agreement.statistics.evaluation import Family
from agreement.statistics.lists import Values
from agreement.statistics.topics import RatedTopics

Counts = npt.NDArray[np.int_]
Progress = Callable[[int, int], None]


class Over(StrEnum):
    """What is resampled, with replacement; the rest stays as it is.

    PAIRS: pairs within each topic; the interval speaks of these topics. TOPICS: whole topics; it
    speaks of topics like these. BOTH: topics, and then the pairs of each topic drawn.
    """

    PAIRS = "pairs within topics"
    TOPICS = "topics"
    BOTH = "topics, then pairs within them"


class Resampler:
    """Draws resamples of rated topics; the same seed draws the same ones.

    ``progress`` is told after every topic how many are done, of how many.
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

    def pooled(self, families: Sequence[Family]) -> dict[str, Values]:
        """{measure: its value in each resample, (resamples,)} over all pairs put together."""
        sums: dict[int, Values] = {}
        for topic, times in enumerate(self._times_drawn()):
            pattern, count = self.topics.cells(topic)
            drawn = self._counts(count, times)
            for number, family in enumerate(families):
                sums[number] = sums.get(number, 0.0) + self._sums(drawn, family, pattern)
            self._report(topic)
        return {
            name: values
            for number, family in enumerate(families)
            if number in sums
            for name, values in family.evaluate(sums[number], self.topics.values)
        }

    def by_topic(self, families: Sequence[Family]) -> dict[str, Values]:
        """{measure: (resamples, topics)}: its values in the topics that each resample consists of.

        Where topics are resampled, those of a resample are in no particular order.
        """
        found = {
            measure.name: np.full((self.resamples, self.topics.topics), np.nan)
            for family in families
            for measure in family.measures
        }
        taken = np.zeros(self.resamples, dtype=np.int_)
        for topic, times in enumerate(self._times_drawn()):
            resample = np.repeat(np.arange(self.resamples), times)
            place = taken[resample] + _running_number(times)
            pattern, count = self.topics.cells(topic)
            once = np.ones(resample.size, dtype=np.int_)
            # Pairs that stay as they are have the same value however often their topic is drawn.
            drawn = self._counts(count, once[:1] if self.over is Over.TOPICS else once)
            for family in families:
                sums = self._sums(drawn, family, pattern)
                for name, values in family.evaluate(sums, self.topics.values):
                    found[name][resample, place] = values
            taken += times
            self._report(topic)
        return found

    def _times_drawn(self) -> Iterable[Counts]:
        """For each topic, how often each resample has it: (topics, resamples)."""
        number = self.topics.topics
        if self.over is Over.PAIRS:
            return np.ones((number, self.resamples), dtype=np.int_)
        even = np.full(number, 1.0 / number)
        return self.random.multinomial(number, even, size=self.resamples).T

    def _counts(self, count: Counts, times: Counts) -> Values:
        """The counts of a topic's patterns in resamples that have it so many times: (draws, p)."""
        if self.over is Over.TOPICS:
            return np.outer(times, count).astype(np.float64)
        if count.size == 0:
            return np.zeros((times.size, 0))
        pairs = count.sum()
        return self.random.multinomial(times * pairs, count / pairs).astype(np.float64)

    def _sums(self, drawn: Values, family: Family, pattern: Counts) -> Values:
        """The features of the patterns added up by resample: (comparisons, draws, f)."""
        features = family.features(self.topics.patterns[pattern], self.topics.values)
        comparisons, patterns, width = features.shape
        # Most features are 0; and a dense product would wait for all cores, which have other work.
        sparse = csr_array(features.swapaxes(0, 1).reshape(patterns, comparisons * width))
        sums: Values = np.asarray(drawn @ sparse).reshape(-1, comparisons, width)
        return sums.swapaxes(0, 1)

    def _report(self, topic: int) -> None:
        if self.progress:
            self.progress(topic + 1, self.topics.topics)


def _running_number(times: Counts) -> Counts:
    """0, 1, ... within each run of so many: [2, 0, 3] gives [0, 1, 0, 1, 2]."""
    starts = np.cumsum(times) - times
    running: Counts = np.arange(times.sum()) - np.repeat(starts, times)
    return running
