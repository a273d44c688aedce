"""Whether two systems differ: paired t, sign-flip randomisation, Holm's correction.

A difference is one number per topic. Smucker, Allan, Carterette (2007) compare the tests.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evaluation.measures import Values

FLIPS = 10_000
SEED = 7
ALPHA = 0.05
# Sums of the same numbers with other signs are equal up to this.
CLOSE = 1e-12
FLIPS_AT_ONCE = 500
# Few enough to stay in the processor's memory, and in one thread: several times as fast.
PRODUCTS_AT_ONCE = 250_000


@dataclass(frozen=True)
class PairedT:
    """Student's t of the mean difference; None where it has no value: fewer than two topics, or
    the same difference on all of them."""

    statistic: float | None
    degrees: int
    p: float | None


def paired_t(differences: Values) -> PairedT:
    differences = differences[~np.isnan(differences)]
    count = len(differences)
    spread = differences.std(ddof=1) if count > 1 else 0.0
    if spread <= CLOSE:
        return PairedT(None, max(count - 1, 0), None)
    # Imported by the first p-value: no other page waits for it.
    from scipy.special import stdtr

    statistic = float(differences.mean() / (spread / np.sqrt(count)))
    return PairedT(statistic, count - 1, float(2 * stdtr(count - 1, -abs(statistic))))


def sign_flips(topics: int, *, flips: int = FLIPS, seed: int = SEED) -> Values:
    """(flips, topics) of 1 and -1, the same for every pair of systems and every draw."""
    random = np.random.default_rng(seed)
    return np.asarray(random.choice([-1, 1], (flips, topics)), dtype=np.float64)


def randomisation(differences: Values, flips: Values) -> Values:
    """(..., topics) to (...): (1 + flips with at least the observed absolute mean) / (1 + flips).

    A topic without a value in one of the two systems counts for neither.
    """
    rows = _rows(differences)
    observed, extreme = _observed(rows), np.zeros(len(rows), dtype=np.int64)
    everything = np.arange(len(rows))
    for start in range(0, len(flips), FLIPS_AT_ONCE):
        part = flips[start : start + FLIPS_AT_ONCE]
        extreme += _extreme(rows, observed, everything, part)
    return _p_values(extreme, flips).reshape(differences.shape[:-1])


def _p_values(extreme: npt.NDArray[np.int64], flips: Values) -> Values:
    """What was observed counts as one of the flips."""
    return np.asarray((1 + extreme) / (1 + len(flips)))


def least_p(flips: Values) -> float:
    """The p of a difference that has the same sign on every topic: no other has a smaller one."""
    alike = np.count_nonzero(np.abs(flips.sum(axis=-1)) == flips.shape[-1])
    return float((1 + alike) / (1 + len(flips)))


def _rows(differences: Values) -> Values:
    return np.nan_to_num(differences, nan=0.0).reshape(-1, differences.shape[-1])


def _observed(rows: Values) -> Values:
    tolerance = CLOSE * np.maximum(1.0, np.abs(rows).sum(axis=-1))
    return np.asarray(np.abs(rows.sum(axis=-1)) - tolerance)


def _extreme(
    rows: Values, observed: Values, tests: npt.NDArray[np.int64], flips: Values
) -> npt.NDArray[np.int64]:
    """(chosen,): how many of the flips have at least the observed absolute sum of a row."""
    counts = np.zeros(len(tests), dtype=np.int64)
    size = max(1, PRODUCTS_AT_ONCE // max(1, flips.size))
    for start in range(0, len(tests), size):
        part = tests[start : start + size]
        sums = np.abs(rows[part] @ flips.T)
        counts[start : start + size] = np.count_nonzero(sums >= observed[part, np.newaxis], axis=1)
    return counts


def holm(p: npt.ArrayLike) -> Values:
    """(..., tests): sorted p-values times m, m - 1, ..., made monotone, at most 1. Holm (1979)."""
    values = np.asarray(p, dtype=np.float64)
    count = values.shape[-1]
    order = np.argsort(values, axis=-1, kind="stable")
    steps = np.take_along_axis(values, order, axis=-1) * np.arange(count, 0, -1)
    adjusted = np.minimum(np.maximum.accumulate(steps, axis=-1), 1.0)
    in_order = np.empty_like(adjusted)
    np.put_along_axis(in_order, order, adjusted, axis=-1)
    return in_order


def significant(
    differences: Values, flips: Values, *, alpha: float = ALPHA
) -> npt.NDArray[np.bool_]:
    """(..., tests, topics) to (..., tests): p by sign flips after Holm is at most alpha.

    The same answers as `holm(randomisation(...)) <= alpha`, sooner. Of m tests of which k may still
    be significant, none is whose p is above alpha / (m - k + 1). Once a test has too many extreme
    flips for that, no more of its flips are looked at, and k is one less.
    """
    tests = differences.shape[-2]
    rows = _rows(differences)
    observed, extreme = _observed(rows), np.zeros(len(rows), dtype=np.int64)
    going = np.arange(len(rows))
    start, size = 0, FLIPS_AT_ONCE // 5
    while start < len(flips) and len(going):
        extreme[going] += _extreme(rows, observed, going, flips[start : start + size])
        start, size = start + size, FLIPS_AT_ONCE
        tests_left = np.bincount(going // tests)
        bound = alpha / (tests - tests_left + 1)
        going = going[_p_values(extreme[going], flips) <= bound[going // tests]]
    return np.asarray(holm(_p_values(extreme, flips).reshape(differences.shape[:-1])) <= alpha)


def all_pairs(systems: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Every two systems once, the first before the second in the list."""
    first, second = np.triu_indices(systems, 1)
    return first, second
