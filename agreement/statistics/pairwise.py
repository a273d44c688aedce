"""Every two raters by themselves: the matrix of pairwise agreement."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from agreement.statistics.evaluation import pooled
from agreement.statistics.figures import Figure
from agreement.statistics.tables import MISSING
from agreement.statistics.topics import RatedTopics


@dataclass(frozen=True, slots=True)
class TwoRaters:
    """Two raters, by their columns, over the ``pairs`` that both rated."""

    first: int
    second: int
    pairs: int
    figures: dict[str, Figure]


def pairwise(topics: RatedTopics, measures: Iterable[str] | None = None) -> list[TwoRaters]:
    """Every two raters over all topics pooled, by all measures or those named.

    A measure of any number of raters is taken of the two alone.
    """
    names = None if measures is None else list(measures)
    number = np.bincount(topics.pattern, weights=topics.count, minlength=len(topics.patterns))
    every_two = []
    for first, second in combinations(range(topics.raters), 2):
        two = topics.of_raters([first, second])
        both = (two.patterns != MISSING).all(axis=1)
        figures = {name: summary.figure for name, summary in pooled(two, names).items()}
        every_two.append(TwoRaters(first, second, int(number[both].sum()), figures))
    return every_two
