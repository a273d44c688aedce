"""Scores of abstracts for a complex query: the sum of values over the query's aspects.

Pure functions on arrays, no Django. After Wang et al. 2023 (DORIS-MAE), arXiv:2310.04678: a query
has aspects, an aspect may have sub-aspects, and each of these is judged against each abstract of
the pool. With Q the distinct ids of a query,

    S(p|Q) = sum over q in Q of value(q, p),    normalised: S / |Q|,    relevant: S / |Q| >= 1.

The same holds for a sub-query, which is some of the aspects with all that stands below them.
"""

from evaluation.scores.queries import Aspect, ComplexQuery, Sentence
from evaluation.scores.ranking import Place, ranking
from evaluation.scores.scoring import Scores, as_float, normalised, score
from evaluation.scores.subqueries import (
    SUB_QUERY_SIZES,
    Rule,
    SubQuery,
    aspects_beyond,
    sub_queries,
    sub_query,
)
from evaluation.scores.summaries import Histogram, Spread, histogram, spread
from evaluation.scores.values import SCALE, ValueTable, scaled
