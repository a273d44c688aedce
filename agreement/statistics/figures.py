"""The result of a statistic: a number, or "undefined" together with the reason.

Where a coefficient is 0/0, libraries return 1, 0 or NaN, or raise. Here that is an answer of its
own, so that it can be shown, stored as null and counted when it is left out of a median.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Self


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
