"""Few numbers for many: least, mean and greatest, and histograms with exact borders."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from evaluation.scores.values import SCALE


@dataclass(frozen=True)
class Spread:
    """Least, mean and greatest of whole numbers."""

    count: int
    least: int
    mean: Fraction
    greatest: int


def spread(numbers: Iterable[int]) -> Spread | None:
    """None where there are no numbers: nothing has no mean."""
    values = list(numbers)
    if not values:
        return None
    return Spread(len(values), min(values), Fraction(sum(values), len(values)), max(values))


@dataclass(frozen=True)
class Histogram:
    """Counts per step; step n runs from `borders[n]` to below `borders[n + 1]`, the last one
    including its upper border."""

    borders: tuple[Fraction, ...]
    counts: tuple[int, ...]


def histogram(
    totals: npt.ArrayLike, sizes: npt.ArrayLike, *, low: int, high: int, steps: int
) -> Histogram:
    """Normalised scores S / |Q| in equal steps over a scale.

    `totals` (S in thousandths) and `sizes` (|Q|) run parallel; `low` and `high` are the scale's
    lowest and highest value in thousandths. Borders are compared as whole numbers: a score on a
    border is in the step above it, whatever its fraction looks like as a double.
    """
    total, size = np.asarray(totals, dtype=np.int64), np.asarray(sizes, dtype=np.int64)
    if high <= low:
        raise ValueError("A histogram needs a scale with two values at least.")
    step = (total - low * size) * steps // ((high - low) * size) if total.size else total
    counts = np.bincount(np.clip(step, 0, steps - 1), minlength=steps)
    borders = (
        Fraction(low, SCALE) + Fraction(high - low, SCALE) * n / steps for n in range(steps + 1)
    )
    return Histogram(tuple(borders), tuple(int(count) for count in counts))
