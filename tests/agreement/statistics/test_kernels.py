"""Kernels on whole stacks of counts give the figures of the plain functions on each one.

The tolerance is 1e-9: the kernels add the same terms in another order.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement.statistics import (
    REGISTRY,
    Comparing,
    Raters,
    Reason,
    by_topic,
)
from tests.agreement.statistics.plain import rated_topics

TOLERANCE = 1e-9
SCALE = [0.0, 0.5, 1.0, 3.0]

rating = st.sampled_from([*SCALE, None])
# Several topics of equally many raters, some without pairs or with few; None is a gap.
studies = st.integers(2, 4).flatmap(
    lambda raters: st.lists(
        st.lists(st.lists(rating, min_size=raters, max_size=raters), max_size=12),
        min_size=1,
        max_size=5,
    ).map(
        lambda topics: [
            np.array(topic, dtype=float).reshape(len(topic), raters).T for topic in topics
        ]
    )
)


def plain(measure, matrix):
    """The figure of a matrix by the measure's plain function; of two columns, those both rated."""
    if measure.raters is Raters.TWO:
        both = ~np.isnan(matrix).any(axis=0)
        return measure.function(*matrix[:, both])
    if measure.name in ("ac1", "ac2"):
        return measure.function(matrix, values=SCALE)
    return measure.function(matrix)


def assert_same(summary, figures, *, belong_together=False):
    """A comparison without pairs is none, unless there is no other."""
    compared = [figure for figure in figures if figure.reason != Reason.NO_PAIRS] or figures
    defined = [figure.value for figure in compared if figure.is_defined]
    assert summary.defined == len(defined)
    assert summary.undefined == len(compared) - len(defined)
    assert set(summary.left_out) == {figure.reason for figure in compared} - {None}
    if not defined or (belong_together and summary.undefined):
        assert summary.figure.value is None
    else:
        assert summary.figure.value == pytest.approx(np.mean(defined), abs=TOLERANCE)


@given(studies)
def test_every_measure_of_every_topic_equals_its_plain_function(topics):
    raters = len(topics[0])
    summaries = by_topic(rated_topics(topics, values=SCALE))

    assert list(summaries) == list(REGISTRY)
    for name, measure in REGISTRY.items():
        for matrix, summary in zip(topics, summaries[name], strict=True):
            if measure.raters is Raters.ANY:
                figures = [plain(measure, matrix)]
            else:
                figures = [
                    plain(measure, matrix[[first, second]])
                    for first in range(raters)
                    for second in range(first + 1, raters)
                ]
            assert_same(summary, figures)


@given(studies)
def test_every_measure_with_the_last_equals_its_plain_function(topics):
    raters = len(topics[0])
    summaries = by_topic(rated_topics(topics, values=SCALE), comparing=Comparing.WITH_LAST)

    for name, measure in REGISTRY.items():
        for matrix, summary in zip(topics, summaries[name], strict=True):
            figures = [plain(measure, both(matrix[[rater, -1]])) for rater in range(raters - 1)]
            assert_same(summary, figures, belong_together=True)


def both(two):
    """The pairs that both rated: a comparison with the last rests on them alone."""
    return two[:, ~np.isnan(two).any(axis=0)]


@pytest.mark.parametrize("measure", REGISTRY.values(), ids=list(REGISTRY))
def test_values_stay_in_the_range_that_the_registry_states(measure):
    random = np.random.default_rng(5)
    topics = rated_topics(random.choice(SCALE, size=(200, 2, 6)), values=SCALE)

    values = [summary.figure.value for summary in by_topic(topics, [measure.name])[measure.name]]

    width = SCALE[-1] - SCALE[0]
    lowest = -width if measure.lowest is None else measure.lowest
    highest = width if measure.highest is None else measure.highest
    assert all(lowest <= value <= highest for value in values if value is not None)
    assert sum(value is not None for value in values) > 150


@pytest.mark.parametrize("measure", REGISTRY.values(), ids=list(REGISTRY))
def test_a_large_study_keeps_its_precision(measure):
    random = np.random.default_rng(6)
    matrix = random.choice(SCALE, p=[0.7, 0.2, 0.07, 0.03], size=(2, 165_000))
    matrix[1] = np.where(random.random(165_000) < 0.6, matrix[0], matrix[1])

    [summary] = by_topic(rated_topics([matrix], values=SCALE), [measure.name])[measure.name]

    assert summary.figure.value == pytest.approx(plain(measure, matrix).value, abs=TOLERANCE)


@pytest.mark.parametrize("measure", REGISTRY.values(), ids=list(REGISTRY))
def test_stack_of_any_shape_answers_as_each_sum_alone(measure):
    random = np.random.default_rng(8)
    scale = np.array(SCALE)
    patterns = random.integers(-1, len(SCALE), size=(30, 2))
    features = measure.features(patterns, scale)
    sums = random.integers(0, 4, size=(6, 30)) @ features

    alone = [float(measure.kernel(row, scale)) for row in sums]

    assert not np.isnan(alone).any()
    for shape in ((6,), (2, 3), (1, 6), (3, 1, 2)):
        figures = measure.kernel(sums.reshape(*shape, -1), scale)
        assert figures.shape == shape
        assert figures.ravel().tolist() == pytest.approx(alone, abs=TOLERANCE)
