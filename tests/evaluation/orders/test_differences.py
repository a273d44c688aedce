"""Tests of the difference of two systems."""

import numpy as np
import pytest
from scipy.stats import ttest_1samp

from evaluation.orders.differences import (
    holm,
    paired_t,
    randomisation,
    sign_flips,
    significant,
)


def test_paired_t_is_that_of_scipy():
    differences = np.array([0.1, -0.2, 0.3, 0.25, 0.0])

    theirs = ttest_1samp(differences, 0)

    outcome = paired_t(differences)
    assert (outcome.statistic, outcome.p) == pytest.approx((theirs.statistic, theirs.pvalue))
    assert outcome.degrees == 4


@pytest.mark.parametrize("differences", [[0.5], [0.1, 0.1, 0.1], [0.0, 0.0]])
def test_paired_t_of_differences_that_do_not_vary_has_no_value(differences):
    assert paired_t(np.array(differences)).p is None


def test_sign_flips_count_the_observed_order_as_one_of_them():
    """Of the eight ways to sign 1, 1, 1 two are as extreme as what was observed."""
    flips = np.array([[a, b, c] for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)], dtype=float)

    assert float(randomisation(np.ones(3), flips)) == (1 + 2) / (1 + 8)


def test_no_difference_has_a_p_of_1():
    assert float(randomisation(np.zeros(5), sign_flips(5))) == 1


def test_the_same_seed_gives_the_same_p():
    differences = np.random.default_rng(2).normal(0.1, 0.3, 20)

    assert randomisation(differences, sign_flips(20)) == randomisation(differences, sign_flips(20))


def test_holm_multiplies_by_what_is_left_and_never_falls():
    assert holm([0.01, 0.04, 0.03, 0.5]) == pytest.approx([0.04, 0.09, 0.09, 0.5])
    assert holm([0.6, 0.7]).tolist() == [1, 1]


def test_significance_found_early_is_that_of_all_flips():
    random = np.random.default_rng(4)
    differences = random.normal(0.12, 0.3, (40, 10, 12))
    flips = sign_flips(12, flips=2000)

    every = holm(randomisation(differences, flips)) <= 0.05

    assert significant(differences, flips).tolist() == every.tolist()
    assert 0 < every.sum() < every.size
