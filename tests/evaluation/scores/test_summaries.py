"""How scores of queries are spread over their scale."""

from fractions import Fraction
from itertools import pairwise

import pytest

from evaluation.scores.summaries import Spread, histogram, spread


def test_spread_has_the_least_the_mean_and_the_greatest():
    assert spread([2, 7, 1]) == Spread(3, 1, Fraction(10, 3), 7)
    assert spread([]) is None


@pytest.mark.parametrize(
    ("totals", "sizes", "low", "counts"),
    [
        # A score on a border is in the step above it; the highest one is in the last.
        ([0, 500, 1000, 1500, 2000], [1, 1, 1, 1, 1], 0, [1, 1, 1, 2]),
        ([1000, 3000], [3, 2], 0, [1, 0, 0, 1]),
        ([-1000, -251, -250, 500, 2000], [1, 1, 1, 1, 1], -1000, [2, 1, 1, 1]),
        ([], [], 0, [0, 0, 0, 0]),
    ],
)
def test_scores_fall_into_equal_steps_of_their_scale(totals, sizes, low, counts):
    spread = histogram(totals, sizes, low=low, high=2000, steps=4)

    assert list(spread.counts) == counts
    first, last = Fraction(low, 1000), Fraction(2)
    assert (spread.borders[0], spread.borders[-1]) == (first, last)
    assert {after - before for before, after in pairwise(spread.borders)} == {(last - first) / 4}


@pytest.mark.parametrize("high", [0, 1])
def test_a_scale_of_one_value_has_no_steps(high):
    with pytest.raises(ValueError, match="two values at least"):
        histogram([1], [1], low=1, high=high, steps=4)
