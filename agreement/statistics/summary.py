"""One figure out of many: median or mean over queries, with what was left out."""

import statistics
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from agreement.statistics.figures import Figure, Reason


class SummaryKind(StrEnum):
    """Three different things under one heading; a table must say which it shows.

    MEDIAN and MEAN are taken over the figures of single queries, each query counting alike.
    POOLED is the statistic itself over the pairs of all queries put together, so that a query
    counts by its number of pairs.
    """

    MEDIAN = "median"
    MEAN = "mean"
    POOLED = "pooled"


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
    values, left_out = _split(figures)
    return summary_of(statistics.median(values) if values else None, len(values), left_out)


def mean(figures: Iterable[Figure]) -> Summary:
    """The arithmetic mean of the defined figures."""
    values, left_out = _split(figures)
    return summary_of(statistics.fmean(values) if values else None, len(values), left_out)


def single(figure: Figure) -> Summary:
    """A figure that summarises nothing but itself, as the pooled one does."""
    return mean([figure])


def mean_of_all(figures: Iterable[Figure]) -> Summary:
    """The mean of figures that belong together, undefined as soon as one of them is.

    So is a figure after adjudication, of which one half alone says something else than both.
    """
    values, left_out = _split(figures)
    whole = statistics.fmean(values) if values and not left_out else None
    return summary_of(whole, len(values), left_out)


def summary_of(value: float | None, defined: int, left_out: dict[Reason, int]) -> Summary:
    """A value that rests on so many figures; None where there is none, ``left_out`` says why."""
    if value is not None:
        return Summary(Figure(value), defined, left_out)
    # A single reason explains the summary as well as it explains each part.
    reason = next(iter(left_out)) if len(left_out) == 1 else Reason.NO_FIGURES
    return Summary(Figure.undefined(reason), defined, left_out)


def _split(figures: Iterable[Figure]) -> tuple[list[float], dict[Reason, int]]:
    values: list[float] = []
    left_out: Counter[Reason] = Counter()
    for figure in figures:
        if figure.value is not None:
            values.append(figure.value)
        elif figure.reason is not None:
            left_out[figure.reason] += 1
    return values, dict(left_out)
