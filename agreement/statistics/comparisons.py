"""The four measures of CSFCube's agreement table, between raters and against gold.

Mysore, S., O'Gorman, T., McCallum, A., Zamani, H. (2021). CSFCube: a test collection of computer
science research articles for faceted query by example. NeurIPS Datasets and Benchmarks, Table 2.
"""

from collections.abc import Callable, Mapping
from itertools import combinations

import numpy as np
import numpy.typing as npt

from agreement.statistics.alpha import ordinal_alpha
from agreement.statistics.figures import Figure, Reason
from agreement.statistics.kappa import cohen_kappa
from agreement.statistics.lists import Values
from agreement.statistics.percent import percent_agreement
from agreement.statistics.rho import spearman_rho
from agreement.statistics.summary import Summary, mean, single

Measure = Callable[[npt.ArrayLike, npt.ArrayLike], Figure]

# In the order of the table's columns.
MEASURES: Mapping[str, Measure] = {
    "rho": spearman_rho,
    "alpha": ordinal_alpha,
    "kappa": cohen_kappa,
    "percent": percent_agreement,
}


def between_raters(*parts: Values) -> dict[str, Summary]:
    """Each measure before adjudication: first against second, by ordinal of the seats.

    With more than two seats it is the mean over every two of them. A part is seats by pairs
    without NaN; several parts are pooled, those that have both seats of a comparison.
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
        name: mean(measure(first, second) for first, second in lists)
        for name, measure in MEASURES.items()
    }


def with_gold(*parts: tuple[Values, Values]) -> dict[str, Summary]:
    """Each measure after adjudication: the mean of (first, gold), (second, gold), ...

    A part is ratings (seats by pairs) and one gold value per pair, without NaN; several parts are
    pooled. A comparison that is undefined is left out of the mean and counted.
    """
    seats = max((len(ratings) for ratings, _ in parts), default=0)
    lists = []
    for seat in range(seats):
        rated = [(ratings[seat], gold) for ratings, gold in parts if len(ratings) > seat]
        lists.append([np.concatenate(column) for column in zip(*rated, strict=True)])
    if not lists:
        return dict.fromkeys(MEASURES, single(Figure.undefined(Reason.NO_PAIRS)))
    return {
        name: mean(measure(rated, gold) for rated, gold in lists)
        for name, measure in MEASURES.items()
    }
