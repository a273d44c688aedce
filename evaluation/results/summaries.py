"""Topics put together as a protocol says: a mean, the mean of two folds, a mean of means."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evaluation.measures import Values
from evaluation.protocols import Summary

RESAMPLES = 1000
SEED = 42

# {facet, or "all": {fold: ids of topics}}
Folds = Mapping[str, Mapping[str, Sequence[str]]]


@dataclass(frozen=True, eq=False)
class Together:
    """A way of reducing topics to one value. `parts` are masks of topics, one for each fold, or one
    mask of all topics. The topics stay in their order, which BIRCO's draws depend on."""

    summary: Summary
    parts: tuple[npt.NDArray[np.bool_], ...]

    @classmethod
    def of(
        cls, summary: Summary, ids: Sequence[str], folds: Folds | None = None, facet: str = ""
    ) -> "Together":
        """Folds are those of the facet, or of all. Without folds of these topics it is a mean."""
        everything = np.ones(len(ids), dtype=bool)
        if summary is not Summary.FOLDS:
            return cls(summary, (everything,))
        facet_folds = (folds or {}).get(facet or "all", {})
        masks = [np.isin(ids, list(fold)) for fold in facet_folds.values()]
        masks = [mask for mask in masks if mask.any()]
        return cls(Summary.FOLDS, tuple(masks)) if masks else cls(Summary.MEAN, (everything,))

    def __call__(self, values: Values) -> Values:
        """(..., topics) to (...): NaN where no topic has a value."""
        if self.summary is Summary.BOOTSTRAP:
            return bootstrap_mean(values)
        of_parts = [means(values[..., part]) for part in self.parts]
        return np.asarray(np.mean(of_parts, axis=0))


def means(values: Values) -> Values:
    """The mean over the last axis of what has a value; NaN where nothing has."""
    defined = ~np.isnan(values)
    count = np.count_nonzero(defined, axis=-1)
    total = np.where(defined, values, 0.0).sum(axis=-1)
    return np.where(count > 0, total / np.maximum(count, 1), np.nan)


def bootstrap_means(values: Values) -> Values:
    """(topics,) to (RESAMPLES,): BIRCO's draws, numpy's `RandomState(42)` and `choice(n, n)` so
    many times over the topics with a value, in their order. Empty where none has one."""
    defined = values[~np.isnan(values)]
    if not len(defined):
        return np.empty(0)
    # One call gives the numbers of so many `choice`, which would take ten times as long.
    drawn = np.random.RandomState(SEED).randint(0, len(defined), (RESAMPLES, len(defined)))
    return np.asarray(defined[drawn].mean(axis=-1))


def rows_of(values: Values) -> Values:
    """(..., topics) as (rows, topics), also without a topic."""
    return values.reshape(int(np.prod(values.shape[:-1])), values.shape[-1])


def bootstrap_mean(values: Values) -> Values:
    """(..., topics) to (...): the mean of the bootstrap means."""
    rows = rows_of(values)
    averages = [drawn.mean() if len(drawn) else np.nan for drawn in map(bootstrap_means, rows)]
    return np.array(averages).reshape(values.shape[:-1])


def standard_errors(values: Values) -> Values:
    """(..., topics) to (...): the standard deviation of 1,000 bootstrap means over topics."""
    rows = rows_of(values)
    errors = [drawn.std() if len(drawn) else np.nan for drawn in map(bootstrap_means, rows)]
    return np.array(errors).reshape(values.shape[:-1])
