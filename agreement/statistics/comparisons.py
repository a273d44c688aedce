"""The four measures of CSFCube's agreement table, between raters and against gold.

Mysore, S., O'Gorman, T., McCallum, A., Zamani, H. (2021). CSFCube: a test collection of computer
science research articles for faceted query by example. NeurIPS Datasets and Benchmarks, Table 2.
"""

from collections.abc import Callable, Mapping
from itertools import combinations

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


def between_raters(ratings: Values) -> dict[str, Summary]:
    """Each measure before adjudication: first against second, by ordinal of the seats.

    With more than two seats it is the mean over every two of them. ``ratings`` is seats by pairs
    without NaN.
    """
    lists = list(combinations(ratings, 2))
    if not lists:
        nothing = single(Figure.undefined(Reason.NO_COMPARISON))
        return dict.fromkeys(MEASURES, nothing)
    return {
        name: mean(measure(first, second) for first, second in lists)
        for name, measure in MEASURES.items()
    }


def with_gold(ratings: Values, gold: Values) -> dict[str, Summary]:
    """Each measure after adjudication: the mean of (first, gold), (second, gold), ...

    The mean is formed within one query and per measure. A comparison that is undefined is left
    out of it and counted.
    """
    return {
        name: mean(measure(rated, gold) for rated in ratings) for name, measure in MEASURES.items()
    }
