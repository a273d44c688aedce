"""How values of topics are put together."""

import numpy as np
import pytest

from evaluation.protocols import Summary
from evaluation.results.summaries import (
    Together,
    bootstrap_mean,
    bootstrap_means,
    means,
    rows_of,
    standard_errors,
)


@pytest.mark.parametrize("count", [1, 2, 50, 65])
def test_bootstrap_draws_as_birco_does(count):
    """Its program takes `choice(n, n)` a thousand times from `RandomState(42)`."""
    values = np.random.default_rng(1).random(count)
    random = np.random.RandomState(42)
    drawn = [values[random.choice(count, count)].mean() for _ in range(1000)]

    assert bootstrap_means(np.append(values, np.nan)).tolist() == drawn


def test_mean_is_of_what_has_a_value():
    values = [[1.0, np.nan, 3.0], [np.nan] * 3]

    np.testing.assert_equal(means(np.array(values)), [2, np.nan])


def test_bootstrap_mean_and_error_are_those_of_each_row():
    values = np.random.default_rng(2).random((2, 2, 6))
    values[1, 1] = np.nan

    mean, error = bootstrap_mean(values), standard_errors(values)

    drawn = bootstrap_means(values[0, 1])
    assert mean.shape == error.shape == (2, 2)
    assert (mean[0, 1], error[0, 1]) == (drawn.mean(), drawn.std())
    assert np.isnan([mean[1, 1], error[1, 1]]).all()
    assert rows_of(np.empty((2, 3, 0))).shape == (6, 0)
    together = Together.of(Summary.BOOTSTRAP, list("abcdef"))
    np.testing.assert_equal(together(values), mean)


@pytest.mark.parametrize(
    ("facet", "parts"),
    [
        ("method", [[True, False, False], [False, True, False]]),
        ("", [[False, False, True]]),
        ("result", [[True, True, True]]),
    ],
)
def test_folds_are_those_of_the_facet_that_hold_a_topic(facet, parts):
    folds = {
        "method": {"1": ["a", "elsewhere"], "2": ["b"], "3": ["elsewhere"]},
        "all": {"1": ["c"], "2": []},
    }

    together = Together.of(Summary.FOLDS, ["a", "b", "c"], folds, facet)

    assert [part.tolist() for part in together.parts] == parts
    assert together.summary is (Summary.MEAN if facet == "result" else Summary.FOLDS)
    [everything] = Together.of(Summary.MEAN, ["a", "b", "c"], folds, facet).parts
    assert everything.all()
