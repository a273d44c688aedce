"""Correlation between orders of the same systems, for many compared orders at once.

An order is given by scores, the higher the better: `reference` (N,), `compared` (..., N). The
reference stands in the order of its scores, equal ones in the order of the list. Scores that differ
by less than 1e-12 are equal: they come from the same numbers added up differently. A system without
a score (NaN) stands last; where none has one, there is no order.
"""

import numpy as np
import numpy.typing as npt

from evaluation.measures import Values

CLOSE = 1e-12
PERSISTENCE = 0.9


def signs(scores: Values) -> npt.NDArray[np.int8]:
    """(..., N, N): 1 where the first is above the second, -1 below, 0 for equal scores, and where
    one has none."""
    apart = scores[..., :, np.newaxis] - scores[..., np.newaxis, :]
    return (apart >= CLOSE).astype(np.int8) - (apart <= -CLOSE).astype(np.int8)


def tau_b(reference: Values, compared: Values) -> Values:
    """Kendall's tau-b; NaN where an order has all systems equal.

    Kendall (1945). The treatment of ties in ranking problems.
    """
    first, second = signs(reference).astype(float), signs(compared).astype(float)
    alike = (first * second).sum(axis=(-2, -1))
    ordered = np.sqrt((first != 0).sum() * (second != 0).sum(axis=(-2, -1)).astype(float))
    result = np.full(alike.shape, np.nan)
    np.divide(alike, ordered, out=result, where=ordered > 0)
    return result


def order_of(scores: Values) -> npt.NDArray[np.int64]:
    """(N,): the systems, best first; equal ones in the order of the list."""
    return _sorted(scores, np.arange(scores.shape[-1]))


def _ordered(values: Values, compared: Values) -> Values:
    """The values of the compared orders, NaN for those in which no system has a score."""
    return np.where(np.isnan(compared).all(axis=-1), np.nan, values)


def _sorted(scores: Values, before: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """(..., N): best first; `before` is the place of each system where scores are equal."""
    rounded = np.round(scores / CLOSE) * CLOSE
    before = np.broadcast_to(before, scores.shape)
    return np.asarray(np.lexsort((before, -rounded), axis=-1))


def tau_ap(reference: Values, compared: Values) -> Values:
    """tau_AP of the compared orders with the reference: 1 for the same, -1 for the reverse.

    Errors at the top weigh more. Not symmetric. Ties in the compared order are broken as the
    reference has them. NaN for fewer than two systems. Yilmaz, Aslam, Robertson (2008).
    """
    systems = reference.shape[-1]
    if systems < 2:
        return np.full(compared.shape[:-1], np.nan)
    place = np.empty(systems, dtype=np.int64)
    place[order_of(reference)] = np.arange(systems)
    ranks = place[_sorted(compared, place)]
    above = np.tril(ranks[..., :, np.newaxis] > ranks[..., np.newaxis, :], -1).sum(axis=-1)
    shares = above[..., 1:] / np.arange(1, systems)
    return _ordered(2 * shares.sum(axis=-1) / (systems - 1) - 1, compared)


def rbo(reference: Values, compared: Values, persistence: float = PERSISTENCE) -> Values:
    """Rank-biased overlap, extrapolated, of two orders of the same systems; NaN for none.

    Webber, Moffat, Zobel (2010). Ties are broken as for tau_AP.
    """
    systems = reference.shape[-1]
    if not systems:
        return np.full(compared.shape[:-1], np.nan)
    place = np.empty(systems, dtype=np.int64)
    place[order_of(reference)] = np.arange(systems)
    ranks = place[_sorted(compared, place)]
    depths = np.arange(1, systems + 1)
    # A system is in both lists to a depth once that depth has reached both of its ranks.
    later = np.maximum(ranks, np.arange(systems))
    overlap = (later[..., np.newaxis, :] < depths[:, np.newaxis]).sum(axis=-1)
    weights = persistence**depths / depths
    summed = (overlap * weights).sum(axis=-1)
    last = overlap[..., -1] / systems * persistence**systems
    return _ordered(last + (1 - persistence) / persistence * summed, compared)


def ranks(scores: Values) -> npt.NDArray[np.int64]:
    """(..., N): 1 + the number of systems above; equal ones share a rank, as do those without a
    score. Scores are never below 0."""
    return np.asarray(1 + (signs(np.nan_to_num(scores, nan=-1.0)) < 0).sum(axis=-1))
