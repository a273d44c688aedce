"""BCa's acceleration, against leaving out one row, or one topic, at a time."""

import numpy as np
import pytest

from agreement.statistics import Comparing, Over, SummaryKind, mean
from agreement.statistics.evaluation import families
from agreement.statistics.figures import median
from agreement.statistics.jackknife import _acceleration, accelerations
from tests.agreement.statistics.plain import rated_topics, with_gold

# Raters and gold of each topic; without its last pair the first one has no rho.
TOPICS = [
    (np.array([[0.0, 0, 1], [0, 1, 2]]), np.array([0.0, 0, 2])),
    (np.array([[0.0, 1, 2, 3, 1, 0], [0, 1, 1, 3, 2, 0]]), np.array([0.0, 1, 2, 3, 1, 1])),
    (np.array([[3.0, 1, 2, 0], [2, 1, 1, 0]]), np.array([3.0, 1, 1, 0])),
    (np.array([[2.0, 1, 0, 3, 3], [2, 0, 0, 3, 1]]), np.array([2.0, 1, 0, 3, 2])),
    (np.array([[1.0, 1, 0, 2, 3, 0, 0], [0, 1, 2, 2, 1, 3, 0]]), np.array([1.0, 1, 0, 2, 2, 3, 0])),
]

QUERIES = [8, 5, 8, 5, 6]


def figure_of(topics, name, summary):
    if summary is SummaryKind.POOLED:
        return with_gold(*topics)[name].figure.value
    summarise = {SummaryKind.MEAN: mean, SummaryKind.MEDIAN: median}[summary]
    return summarise(with_gold(topic)[name].figure for topic in topics).figure.value


def without_each(over, name, summary):
    """Per sample, the figure without each of its units."""
    if over is Over.QUERIES:
        rests = [
            [
                topic
                for topic, query_of_topic in zip(TOPICS, QUERIES, strict=True)
                if query_of_topic != query
            ]
            for query in dict.fromkeys(QUERIES)
        ]
        yield [figure_of(rest, name, summary) for rest in rests]
        return
    if over is not Over.PAIRS:
        rests = [[t for t in TOPICS if t is not left_out] for left_out in TOPICS]
        yield [figure_of(rest, name, summary) for rest in rests]
        return
    for number, (ratings, gold) in enumerate(TOPICS):
        figures = []
        for pair in range(gold.size):
            rest = list(TOPICS)
            rest[number] = np.delete(ratings, pair, axis=1), np.delete(gold, pair)
            figures.append(figure_of(rest, name, summary))
        yield figures


@pytest.mark.parametrize("name", ["rho", "kappa"])
@pytest.mark.parametrize("summary", SummaryKind)
@pytest.mark.parametrize("over", Over)
def test_acceleration_equals_leaving_out_rows(over, summary, name):
    topics = rated_topics(
        [t for t, _ in TOPICS], last=[gold for _, gold in TOPICS], clusters=QUERIES
    )
    shared = families(topics, [name], Comparing.WITH_LAST)

    acceleration = accelerations(topics, shared, kind=summary, over=over)[name]

    third = second = 0.0
    for figures in without_each(over, name, summary):
        values = np.array([value for value in figures if value is not None])
        influence = (len(values) - 1) * (values.mean() - values)
        third += (influence**3).sum() / len(values) ** 3
        second += (influence**2).sum() / len(values) ** 2
    assert acceleration == pytest.approx(third / 6 / second**1.5, abs=1e-9)
    assert acceleration != 0


def test_acceleration_of_what_does_not_move_is_zero():
    topics = rated_topics([[[0, 1, 2], [0, 1, 2]]])
    shared = families(topics, ["percent"], Comparing.BETWEEN_RATERS)

    acceleration = accelerations(topics, shared, kind=SummaryKind.POOLED, over=Over.PAIRS)

    assert acceleration == {"percent": 0.0}


def test_acceleration_adds_up_samples_of_two_units_or_more():
    """By hand: influences of 1/2 and -1/2; of 2, 2 and -4; one unit alone has none."""
    two = (np.array([0.0, 1.0]), np.array([1, 1]))
    three = (np.array([0.0, 3.0, np.nan]), np.array([2, 1, 5]))
    sample = (np.array([7.0]), np.array([1]))

    third, of_three, of_two = (8 + 8 - 64) / 27, (4 + 4 + 16) / 9, (1 / 4 + 1 / 4) / 4

    assert _acceleration([three, sample]) == pytest.approx(third / (6 * of_three**1.5))
    both = of_three + of_two
    assert _acceleration([two, three]) == pytest.approx(third / (6 * both**1.5))
    assert _acceleration([two]) == _acceleration([sample]) == _acceleration([]) == 0
