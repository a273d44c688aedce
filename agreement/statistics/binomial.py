"""Exact intervals of a share: an audit's error rate, the part of one's disputes upheld.

Clopper, C. J., Pearson, E. S. (1934). The use of confidence or fiducial limits illustrated in the
case of the binomial. Biometrika 26(4), 404-413.
"""

from dataclasses import dataclass

from agreement.statistics.figures import LEVEL, Interval, Method, Reason


def binomial_interval(count: int, trials: int, *, level: float = LEVEL) -> Interval:
    """Shares, from 0 to 1, under which so many of so many trials are not too rare at either end.

    It covers the true share with at least the level's probability. Undefined without trials.

    >>> binomial_interval(0, 50).high
    0.07112173646419283
    """
    _check(count, trials, level)
    if trials == 0:
        return Interval(None, None, level, Method.EXACT, reason=Reason.NO_PAIRS)
    tail = (1 - level) / 2
    return Interval(_low(count, trials, tail), _high(count, trials, tail), level, Method.EXACT)


def binomial_upper_bound(count: int, trials: int, *, level: float = LEVEL) -> Interval:
    """From 0 to the share that the true one exceeds with a probability of 1 - level at most.

    >>> binomial_upper_bound(0, 59).high
    0.04950636831205206
    """
    _check(count, trials, level)
    if trials == 0:
        return Interval(None, None, level, Method.EXACT, reason=Reason.NO_PAIRS)
    return Interval(0.0, _high(count, trials, 1 - level), level, Method.EXACT)


@dataclass(frozen=True)
class Share:
    """`count` of `of`; neither value nor interval where there is nothing to have a share of."""

    count: int
    of: int

    @property
    def value(self) -> float | None:
        """From 0 to 1."""
        return self.count / self.of if self.of else None

    @property
    def interval(self) -> Interval | None:
        """The exact 95% binomial interval."""
        return binomial_interval(self.count, self.of) if self.of else None

    @property
    def ends(self) -> tuple[float | None, float | None]:
        interval = self.interval
        return (interval.low, interval.high) if interval else (None, None)


def _check(count: int, trials: int, level: float) -> None:
    if not 0 <= count <= trials:
        raise ValueError(f"{count} of {trials} is not a share.")
    if not 0 < level < 1:
        raise ValueError(f"The level is between 0 and 1, not {level}.")


def _low(count: int, trials: int, tail: float) -> float:
    from scipy.special import betaincinv

    return float(betaincinv(count, trials - count + 1, tail)) if count else 0.0


def _high(count: int, trials: int, tail: float) -> float:
    from scipy.special import betaincinv

    return float(betaincinv(count + 1, trials - count, 1 - tail)) if count < trials else 1.0
