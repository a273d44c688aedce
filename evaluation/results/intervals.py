"""Percentile bootstrap intervals over topics. Efron, Tibshirani (1993), chapter 13."""

from dataclasses import dataclass

import numpy as np

from evaluation.measures import Values
from evaluation.results.summaries import Together, rows_of

RESAMPLES = 10_000
SEED = 7
LEVEL = 95
# Resamples at a time: all of 1,500 topics would take half a gigabyte.
AT_A_TIME = 1_000


@dataclass(frozen=True, eq=False)
class Interval:
    """The ends of 95% of the resamples, each (...)."""

    low: Values
    high: Values


def bootstrap(
    values: Values, together: Together, *, resamples: int = RESAMPLES, seed: int = SEED
) -> Interval:
    """The interval of what `together` makes of (..., topics); NaN without a value. Topics are drawn
    within each fold, and all rows are resampled alike, so that differences can be taken."""
    rows = rows_of(values)
    random = np.random.default_rng(seed)
    resampled = np.mean(
        [_means(rows[:, part], random, resamples) for part in together.parts], axis=0
    )
    tail = (100 - LEVEL) / 2
    defined = ~np.isnan(resampled).any(axis=-1)
    ends = np.full((2, len(rows)), np.nan)
    if defined.any():
        ends[:, defined] = np.percentile(resampled[defined], [tail, 100 - tail], axis=-1)
    low, high = ends.reshape(2, *values.shape[:-1])
    return Interval(low, high)


def _means(rows: Values, random: np.random.Generator, resamples: int) -> Values:
    """(rows, resamples): the mean of each resample. One without any value is left to the others:
    it has the mean of the row, which changes no percentile of note."""
    topics = rows.shape[-1]
    if not topics:
        return np.full((len(rows), resamples), np.nan)
    defined = ~np.isnan(rows)
    filled, ones = np.where(defined, rows, 0.0), defined.astype(np.float64)
    sum_parts, count_parts = [], []
    for start in range(0, resamples, AT_A_TIME):
        times = _times(random, topics, min(AT_A_TIME, resamples - start))
        sum_parts.append(filled @ times.T)
        count_parts.append(ones @ times.T)
    sums, counts = np.hstack(sum_parts), np.hstack(count_parts)
    if defined.all():
        return np.asarray(sums / topics)
    averages = np.divide(sums, counts, out=np.full(sums.shape, np.nan), where=counts > 0)
    has_value = defined.any(axis=-1, keepdims=True)
    overall = np.divide(
        filled.sum(axis=-1, keepdims=True),
        np.maximum(defined.sum(axis=-1, keepdims=True), 1),
    )
    return np.asarray(np.where(np.isnan(averages) & has_value, overall, averages))


def _times(random: np.random.Generator, topics: int, resamples: int) -> Values:
    """(resamples, topics): how often each topic is drawn in each resample."""
    drawn = random.integers(0, topics, (resamples, topics))
    places = drawn + topics * np.arange(resamples)[:, np.newaxis]
    times = np.bincount(places.ravel(), minlength=resamples * topics)
    return times.reshape(resamples, topics).astype(np.float64)
