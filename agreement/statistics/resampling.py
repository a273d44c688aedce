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

from agreement.statistics.evaluation import Family
from agreement.statistics.lists import Values
from agreement.statistics.topics import RatedTopics

Counts = npt.NDArray[np.int_]
Progress = Callable[[int, int], None]

# How many counts are held at once: 32 MB, for a topic with as many combinations as pairs.
COUNTS_AT_ONCE = 4_000_000


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
        sums: dict[Family, Values] = {}
        for topic, times in enumerate(self._times_drawn()):
            parts = self._sums(topic, times, families)
            for family, part in zip(families, parts, strict=True):
                sums[family] = sums.get(family, 0.0) + part
            self._report(topic)
        return {
            name: values
            for family, whole in sums.items()
            for name, values in family.evaluate(whole, self.topics.values)
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
            once = np.ones(resample.size, dtype=np.int_)
            # Pairs that stay as they are have the same value however often their topic is drawn.
            draws = once[:1] if self.over is Over.TOPICS else once
            for family, sums in zip(families, self._sums(topic, draws, families), strict=True):
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

    def _sums(self, topic: int, times: Counts, families: Sequence[Family]) -> list[Values]:
        """Each family's features of the topic, added up over pairs: (comparisons, draws, f).

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
        rows = max(1, COUNTS_AT_ONCE // max(1, count.size))
        sums: list[list[Values]] = [[] for _ in families]
        for start in range(0, max(1, times.size), rows):
            drawn = self._counts(count, times[start : start + rows])
            for parts, table in zip(sums, columns, strict=True):
                parts.append(np.asarray(drawn @ table))
        return [
            np.vstack(parts).reshape(-1, len(table), table.shape[-1]).swapaxes(0, 1)
            for parts, table in zip(sums, features, strict=True)
        ]

    def _counts(self, count: Counts, times: Counts) -> Values:
        """The counts of a topic's patterns in draws that have it so many times: (draws, p)."""
        if self.over is Over.TOPICS or count.size == 0:
            return np.outer(times, count).astype(np.float64)
        pairs = count.sum()
        return self.random.multinomial(times * pairs, count / pairs).astype(np.float64)

    def _report(self, topic: int) -> None:
        if self.progress:
            self.progress(topic + 1, self.topics.topics)


def _running_number(times: Counts) -> Counts:
    """0, 1, ... within each run of so many: [2, 0, 3] gives [0, 1, 0, 1, 2]."""
    starts = np.cumsum(times) - times
    running: Counts = np.arange(times.sum()) - np.repeat(starts, times)
    return running
