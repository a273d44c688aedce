"""Grades by raters drawn at random: one rater for a whole topic, or one for each pair.

numpy `default_rng(seed)`: per topic `integers(0, seats, topics)` for each draw; per pair
`integers(0, seats, (draws, pairs))` for each topic in order. The same seed draws the same.
"""

from collections.abc import Sequence
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from evaluation.measures import Ids, Values

DRAWS = 1000
SEED = 7


class Drawn(StrEnum):
    """The unit that one rater is drawn for."""

    TOPIC = "topic"
    PAIR = "pair"


def seats_by_topic(seats: Sequence[int], *, draws: int = DRAWS, seed: int = SEED) -> Ids:
    """(draws, topics): the seat whose ratings stand for a topic; `seats` is how many each has."""
    return _integers(np.random.default_rng(seed), np.asarray(seats), (draws, len(seats)))


def grades_by_pair(
    by_seat: Values, seats: Ids, random: np.random.Generator, *, draws: int = DRAWS
) -> Values:
    """(draws, pairs) of a topic from the grades by seat (seats, pairs)."""
    pairs = by_seat.shape[-1]
    drawn = _integers(random, seats, (draws, pairs))
    return np.asarray(by_seat[drawn, np.arange(pairs)])


def _integers(
    random: np.random.Generator, seats: npt.NDArray[np.int64], shape: tuple[int, int]
) -> Ids:
    """Whole numbers below the seats of each column."""
    most = np.unique(seats)
    if len(most) == 1:
        return np.asarray(random.integers(0, int(most[0]), shape))
    return np.asarray(random.integers(0, np.maximum(seats, 1), shape))
