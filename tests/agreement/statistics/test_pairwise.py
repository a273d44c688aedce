"""Every two raters by themselves, over the pairs that both rated."""

import numpy as np
import pytest

from agreement.statistics import REGISTRY, pairwise
from tests.agreement.statistics.plain import rated_topics

GAP = np.nan
# Two pairs are rated alike, so that they are one combination that counts twice.
TOPICS = rated_topics(
    [[[0, 0, 1], [0, 0, 2], [GAP, GAP, 1]], [[GAP, 1], [1, 0], [1, 1]]], values=[0, 1, 2]
)


def test_every_two_raters_have_the_pairs_that_both_rated():
    every_two = pairwise(TOPICS, iter(["percent"]))

    assert [(two.first, two.second, two.pairs) for two in every_two] == [
        (0, 1, 4),
        (0, 2, 2),
        (1, 2, 3),
    ]
    assert [two.figures["percent"].value for two in every_two] == pytest.approx([50, 100, 100 / 3])
    assert all(list(two.figures) == ["percent"] for two in every_two)


def test_without_names_all_measures_are_taken():
    assert list(pairwise(TOPICS)[0].figures) == list(REGISTRY)
    assert pairwise(TOPICS.of_raters([0])) == []
