"""The four measures of CSFCube's table, one list after the other, without stacks or counts."""

from itertools import combinations

import numpy as np

from agreement.statistics import (
    MEASURES,
    REGISTRY,
    Figure,
    Reason,
    mean,
    mean_of_all,
    single,
)


def between_raters(*parts):
    """Each measure before adjudication: the mean over every two seats, by ordinal.

    A part is seats by pairs without NaN; several parts are pooled, those that have both seats of a
    comparison.
    """
    seats = max((len(part) for part in parts), default=0)
    lists = [
        [
            np.concatenate([part[seat] for part in parts if len(part) > second])
            for seat in (first, second)
        ]
        for first, second in combinations(range(seats), 2)
    ]
    if not lists:
        return dict.fromkeys(MEASURES, single(Figure.undefined(Reason.NO_COMPARISON)))
    return {
        name: mean(REGISTRY[name].function(first, second) for first, second in lists)
        for name in MEASURES
    }


def with_gold(*parts):
    """Each measure after adjudication: the mean of (first, gold), (second, gold), ...

    A part is ratings (seats by pairs) and one gold value per pair, without NaN; several parts are
    pooled. Undefined as soon as one comparison is.
    """
    seats = max((len(ratings) for ratings, _ in parts), default=0)
    lists = []
    for seat in range(seats):
        rated = [(ratings[seat], gold) for ratings, gold in parts if len(ratings) > seat]
        lists.append([np.concatenate(column) for column in zip(*rated, strict=True)])
    if not lists:
        return dict.fromkeys(MEASURES, single(Figure.undefined(Reason.NO_PAIRS)))
    return {
        name: mean_of_all(REGISTRY[name].function(rated, gold) for rated, gold in lists)
        for name in MEASURES
    }
