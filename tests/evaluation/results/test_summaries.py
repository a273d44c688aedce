"""How values of topics are put together."""

import numpy as np
import pytest

from evaluation.results.summaries import bootstrap_means


@pytest.mark.parametrize("count", [1, 2, 50, 65])
def test_bootstrap_draws_as_birco_does(count):
    """Its program takes `choice(n, n)` a thousand times from `RandomState(42)`."""
    values = np.random.default_rng(1).random(count)
    random = np.random.RandomState(42)
    drawn = [values[random.choice(count, count)].mean() for _ in range(1000)]

    assert bootstrap_means(np.append(values, np.nan)).tolist() == drawn
