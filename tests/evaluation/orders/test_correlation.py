"""tau-b, tau_AP and RBO against implementations that read like their definitions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau

from evaluation.orders.correlation import order_of, ranks, rbo, signs, tau_ap, tau_b

scores = st.integers(3, 9).flatmap(
    lambda size: st.tuples(
        *[st.lists(st.integers(0, 5), min_size=size, max_size=size) for _ in range(2)]
    )
)


def arrays(case):
    return (np.array(values, dtype=float) for values in case)


def lists_of(reference, compared):
    """Both orders as lists, equal systems in the order that the reference has them."""
    systems = range(len(reference))
    first = sorted(systems, key=lambda system: (-reference[system], system))
    return first, sorted(systems, key=lambda system: (-compared[system], first.index(system)))


@given(scores)
def test_tau_b_is_that_of_scipy(case):
    reference, compared = arrays(case)

    theirs = kendalltau(reference, compared, variant="b").statistic

    assert float(tau_b(reference, compared)) == pytest.approx(theirs, nan_ok=True)


@given(scores)
def test_tau_ap_counts_systems_above_each_rank(case):
    reference, compared = arrays(case)
    first, second = lists_of(reference, compared)

    total = 0.0
    for rank in range(2, len(second) + 1):
        system = second[rank - 1]
        rightly_above = [
            higher for higher in second[: rank - 1] if first.index(higher) < first.index(system)
        ]
        total += len(rightly_above) / (rank - 1)
    expected = 2 / (len(second) - 1) * total - 1

    assert float(tau_ap(reference, compared)) == pytest.approx(expected)


@given(scores)
def test_rbo_extrapolates_the_overlap_at_every_depth(case):
    reference, compared = arrays(case)
    first, second = lists_of(reference, compared)
    p, size = 0.9, len(first)

    overlap = [len(set(first[:depth]) & set(second[:depth])) for depth in range(1, size + 1)]
    summed = sum(common / depth * p**depth for depth, common in enumerate(overlap, start=1))
    expected = overlap[-1] / size * p**size + (1 - p) / p * summed

    assert float(rbo(reference, compared)) == pytest.approx(expected)


@given(scores)
def test_the_same_order_agrees_wholly(case):
    reference, _ = arrays(case)

    assert float(tau_ap(reference, reference)) == 1
    assert float(rbo(reference, reference)) == pytest.approx(1)


def test_the_reverse_order_has_tau_and_tau_ap_of_minus_1():
    reference = np.array([4.0, 3.0, 2.0, 1.0])

    assert float(tau_b(reference, -reference)) == -1
    assert float(tau_ap(reference, -reference)) == -1


@pytest.mark.filterwarnings("error")
def test_a_run_without_a_score_stands_neither_above_nor_below():
    assert signs(np.array([2.0, np.nan, 1.0])).tolist() == [[0, 0, 1], [0, 0, 0], [-1, 0, 0]]


def test_one_known_swap_of_three_runs():
    reference, compared = np.array([3.0, 2.0, 1.0]), np.array([2.0, 3.0, 1.0])

    assert float(tau_b(reference, compared)) == pytest.approx(1 / 3)
    # Rank 2 has nobody rightly above it, rank 3 has both: 2 / 2 * (0 + 1) - 1.
    assert float(tau_ap(reference, compared)) == 0


def test_equal_scores_share_a_rank_and_the_next_is_skipped():
    assert ranks(np.array([0.1 + 0.2, 0.3, 0.5])).tolist() == [2, 2, 1]
    assert order_of(np.array([0.1 + 0.2, 0.3, 0.5])).tolist() == [2, 0, 1]


def test_many_compared_orders_are_as_each_alone():
    random = np.random.default_rng(1)
    reference, compared = random.integers(0, 4, 6) * 1.0, random.integers(0, 4, (5, 6)) * 1.0

    for measure in (tau_b, tau_ap, rbo):
        alone = [measure(reference, order) for order in compared]
        np.testing.assert_allclose(measure(reference, compared), alone)


def test_orders_of_one_system_or_of_none_are_not_compared():
    for count in (0, 1):
        reference, compared = np.arange(count) * 1.0, np.ones((2, count))
        assert np.isnan(tau_ap(reference, compared)).tolist() == [True, True]
    assert np.isnan(rbo(np.empty(0), np.empty((2, 0)))).tolist() == [True, True]
    assert float(rbo(np.array([1.0]), np.array([5.0]))) == pytest.approx(1)


def test_two_systems_agree_wholly_or_not_at_all():
    reference = np.array([2.0, 1.0])

    assert tau_ap(reference, np.array([[5.0, 3.0], [3.0, 5.0]])).tolist() == [1, -1]


def test_order_with_all_systems_equal_has_no_tau():
    orders = np.array([[1.0, 1, 1], [1, 2, 3]])

    assert np.isnan(tau_b(np.array([3.0, 2, 1]), orders)).tolist() == [True, False]
    assert np.isnan(tau_b(np.ones(3), orders)).all()


def test_system_without_a_score_stands_last_and_none_with_one_is_no_order():
    reference, compared = np.array([3.0, 2, 1]), np.array([[np.nan, 2, 1], [np.nan] * 3])

    assert ranks(compared).tolist() == [[3, 1, 2], [1, 1, 1]]
    assert order_of(compared[0]).tolist() == [1, 2, 0]
    assert tau_ap(reference, compared) == pytest.approx([0, np.nan], nan_ok=True)
    assert np.isnan(rbo(reference, compared)).tolist() == [False, True]


def test_scores_that_differ_in_the_last_bits_are_equal():
    reference, compared = np.array([0.3, 0.1 + 0.2, 0.1]), np.array([0.7, 0.6, 0.5])

    assert reference[0] != reference[1]
    assert order_of(reference).tolist() == [0, 1, 2]
    assert ranks(reference).tolist() == [1, 1, 3]
    assert float(tau_b(reference, compared)) == pytest.approx(2 / 6**0.5)
    assert float(tau_ap(reference, compared)) == 1


def test_overlap_at_the_top_weighs_as_much_as_its_persistence_says():
    reference, compared = np.array([3.0, 2, 1]), np.array([2.0, 3, 1])

    # Nothing in common at depth 1, then both, then all three; extrapolated: all.
    expected = 0.5 * (0 + 0.5 + 0.25) + 0.125
    assert float(rbo(reference, compared, 0.5)) == pytest.approx(expected)
