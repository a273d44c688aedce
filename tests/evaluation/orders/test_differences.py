"""Tests of the difference of two systems."""

import numpy as np
import pytest
from scipy.stats import ttest_1samp

from evaluation.orders import differences as module
from evaluation.orders.differences import (
    all_pairs,
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


def test_topics_without_a_value_count_for_neither_system():
    with_gap = np.array([0.1, np.nan, -0.2, 0.3])
    flips = sign_flips(4, flips=200)

    assert paired_t(with_gap) == paired_t(with_gap[[0, 2, 3]])
    assert randomisation(with_gap, flips) == randomisation(np.nan_to_num(with_gap), flips)
    assert [paired_t(np.array(values)).degrees for values in ([], [np.nan], [1.0])] == [0, 0, 0]
    assert paired_t(np.array([0.1, 0.1, 0.1])).degrees == 2


def test_signs_are_drawn_from_their_seed_as_said():
    expected = np.random.default_rng(7).choice([-1, 1], (10_000, 3))

    assert sign_flips(3).tolist() == expected.tolist()
    assert sign_flips(3, seed=8).tolist() != expected.tolist()
    assert set(np.unique(sign_flips(2, flips=20))) == {-1, 1}


def test_flips_and_rows_taken_in_parts_give_the_same_p(monkeypatch):
    random = np.random.default_rng(9)
    values = random.normal(0.1, 0.3, (2, 3, 6))
    flips = sign_flips(6, flips=107)
    p_values, verdicts = randomisation(values, flips), significant(values, flips, alpha=0.2)

    monkeypatch.setattr(module, "FLIPS_AT_ONCE", 10)
    monkeypatch.setattr(module, "PRODUCTS_AT_ONCE", 120)

    by_hand = [
        (1 + sum(abs(row @ flip) >= abs(row.sum()) - 1e-12 for flip in flips)) / 108
        for row in values.reshape(-1, 6)
    ]
    assert p_values.ravel().tolist() == by_hand
    assert randomisation(values, flips).tolist() == p_values.tolist()
    assert significant(values, flips, alpha=0.2).tolist() == verdicts.tolist()


def test_level_of_significance_bounds_the_corrected_p():
    """Of the four ways to sign 1, 1 two are as extreme, so p is 3 / 5."""
    flips = np.array([[1.0, 1], [1, -1], [-1, 1], [-1, -1]])
    values = np.array([[1.0, 1], [1, 0]])

    assert randomisation(values, flips).tolist() == [3 / 5, 1]
    assert significant(values[:1], flips, alpha=0.6).tolist() == [True]
    assert significant(values[:1], flips, alpha=0.59).tolist() == [False]
    # Of two tests the smaller p is doubled.
    assert significant(values, flips, alpha=0.6).tolist() == [False, False]


def test_a_test_at_its_bound_is_looked_at_further(monkeypatch):
    """After the first flip p is 2 / 5, which is the level; the last flip makes it 3 / 5."""
    monkeypatch.setattr(module, "FLIPS_AT_ONCE", 5)
    flips = np.array([[1.0, 1], [1, -1], [-1, 1], [-1, -1]])

    assert significant(np.array([[1.0, 1]]), flips, alpha=0.4).tolist() == [False]


def test_p_of_a_row_knows_nothing_of_the_rows_beside_it():
    row, flips = np.array([1e-7, 2e-7, -1e-7]), sign_flips(3, flips=50)
    beside = np.array([1e9, -1e9, 1e9])

    assert randomisation(np.stack([row, beside]), flips)[0] == randomisation(row, flips)


def test_p_values_are_corrected_row_by_row():
    rows = [[0.5, 0.01], [0.02, 0.04]]

    assert holm(rows) == pytest.approx(np.array([[0.5, 0.02], [0.04, 0.04]]))


def test_every_two_systems_stand_together_once():
    first, second = all_pairs(3)

    assert (first.tolist(), second.tolist()) == ([0, 0, 1], [1, 2, 2])
