"""The four measures of CSFCube's table, one list after the other, without stacks or counts; topics
from plain matrices, and counts of a single topic."""

from itertools import combinations

import numpy as np

from agreement.statistics import (
    REGISTRY,
    Figure,
    RatedTopics,
    Reason,
    disagreement_by_topic,
    mean,
    overruling_by_topic,
)
from agreement.statistics.arrays import as_ratings
from agreement.statistics.figures import single, summary_of
from agreement.statistics.measures import MEASURES


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


def mean_of_all(figures):
    """The mean of figures that belong together, undefined as soon as one of them is."""
    whole = mean(list(figures))
    return summary_of(None if whole.left_out else whole.figure.value, whole.defined, whole.left_out)


def rated_topics(topics, *, values=None, last=None, clusters=None):
    """From one matrix per topic (raters by pairs, NaN for a missing rating).

    Topics may differ in their number of raters; those with fewer have gaps. ``last`` is one
    more list per topic, such as its gold, which becomes the last column of every pattern.
    ``values`` is the scale; without it the values in use are. ``clusters`` has a number per
    topic; without it each is one by itself. ValueError if a rating lies outside the scale, or a
    list of ``last`` is of other pairs.
    """
    matrices = [as_ratings(topic) for topic in topics]
    raters = max((len(matrix) for matrix in matrices), default=0)
    matrices = [_padded(matrix, raters) for matrix in matrices]
    if last is not None:
        matrices = [
            np.vstack([matrix, np.asarray(gold, dtype=np.float64)[np.newaxis]])
            for matrix, gold in zip(matrices, last, strict=True)
        ]
    sizes = [matrix.shape[1] for matrix in matrices]
    columns = np.hstack(matrices) if matrices else np.empty((0, 0))
    return RatedTopics.of_columns(
        columns,
        np.repeat(np.arange(len(sizes)), sizes),
        topics=len(sizes),
        values=values,
        clusters=clusters,
    )


def _padded(matrix, raters):
    gaps = np.full((raters - len(matrix), matrix.shape[1]), np.nan)
    return np.vstack([matrix, gaps])


def disagreement(ratings):
    """Of all pairs (columns) as those of one topic."""
    [whole] = disagreement_by_topic(rated_topics([ratings]))
    return whole


def overruling(ratings, gold):
    """Of all pairs (columns) as those of one topic."""
    [whole] = overruling_by_topic(rated_topics([ratings], last=[gold]))
    return whole
