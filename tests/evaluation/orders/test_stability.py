"""What other values do to the order of systems: toys by hand, and the half of CSFCube."""

import numpy as np
import pytest

from evaluation.measures import Grades
from evaluation.orders.draws import grades_by_pair, seats_by_topic
from evaluation.orders.stability import Orders, Reference
from evaluation.protocols import Summary, shipped
from evaluation.results import Judged, Together, measure_runs
from tests.evaluation import csfcube

NAMES = ("a", "b", "c")


def reference_of(values, names=NAMES):
    values = np.array(values, dtype=float)
    together = Together.of(Summary.MEAN, [str(number) for number in range(values.shape[-1])])
    return Reference.of(names, values, together)


def test_identical_raters_keep_the_order_and_every_claim():
    values = np.random.default_rng(5).random((3, 20)) + np.array([[0.8], [0.4], [0.0]])
    reference = reference_of(values)

    orders = Orders(reference, np.stack([reference.values] * 4))

    assert orders.tau_b.tolist() == orders.tau_ap.tolist() == [1, 1, 1, 1]
    assert not orders.is_reversed.any()
    assert orders.count(orders.is_kept).tolist() == [reference.is_significant.sum()] * 4
    assert not orders.is_lost.any()
    assert not orders.is_new.any()


@pytest.mark.parametrize(("systems", "topics"), [(33, 50), (3, 5)])
def test_with_many_systems_or_few_topics_no_corrected_p_is_small(systems, topics):
    steps = np.arange(systems, 0.0, -1.0)
    reference = reference_of(np.repeat(steps[:, np.newaxis], topics, axis=1), tuple("a" * systems))

    assert reference.adjusted.min() == pytest.approx(reference.least_adjusted)
    assert reference.least_adjusted > 0.05
    assert not reference.is_significant.any()


def test_three_runs_with_one_known_swap():
    reference = reference_of([[3, 3], [2, 2], [1, 1]])

    orders = Orders(reference, np.array([[2.0, 2.0], [3.0, 3.0], [1.0, 1.0]]))

    assert int(orders.swaps) == 1
    assert orders.is_reversed.tolist() == [True, False, False]  # a over b, of ab, ac, bc
    assert orders.ranks.tolist() == [2, 1, 3]


def test_a_tie_is_no_reversal():
    reference = reference_of([[3], [2], [1]])

    assert int(Orders(reference, np.array([[2.0], [2.0], [2.0]])).swaps) == 0


def test_a_significant_difference_is_kept_lost_or_reversed():
    up, down = np.full(12, 1.0), np.zeros(12)
    reference = reference_of(np.stack([up, down]), ("a", "b"))

    values = np.stack([[up, down], [up, up], [down, up]])
    orders = Orders(reference, values)

    assert reference.is_significant.tolist() == [True]
    assert orders.is_kept[:, 0].tolist() == [True, False, False]
    assert orders.is_lost[:, 0].tolist() == [False, True, False]
    assert orders.is_turned[:, 0].tolist() == [False, False, True]


def test_shares_of_ranks_add_up_to_one_for_each_system():
    reference = reference_of([[3], [2], [1]])
    draws = np.random.default_rng(6).random((50, 3, 1))

    shares = Orders(reference, draws).rank_shares

    assert shares.sum(axis=1) == pytest.approx([1, 1, 1])


def test_the_same_seed_draws_the_same_raters():
    assert (seats_by_topic([2, 3, 2]) == seats_by_topic([2, 3, 2])).all()
    assert seats_by_topic([2, 3, 1]).max(axis=0).tolist() == [1, 2, 0]


def test_seats_and_raters_are_drawn_from_their_seed_as_said():
    expected = np.random.default_rng(7).integers(0, 2, (1000, 3))
    assert seats_by_topic([2, 2, 2]).tolist() == expected.tolist()
    of_each = np.random.default_rng(3).integers(0, [2, 3, 1], (4, 3))
    assert seats_by_topic([2, 3, 0], draws=4, seed=3).tolist() == of_each.tolist()

    by_seat = np.array([[1.0, 2, 3], [4, 5, 6]])
    drawn = grades_by_pair(by_seat, np.array([2, 2, 2]), np.random.default_rng(7), draws=5)
    seats = np.random.default_rng(7).integers(0, 2, (5, 3))
    assert drawn.tolist() == [[by_seat[row[pair], pair] for pair in range(3)] for row in seats]
    assert grades_by_pair(by_seat, np.array([2, 2, 2]), np.random.default_rng(7)).shape == (1000, 3)


def test_reference_stands_in_the_order_of_its_values():
    reference = reference_of([[1, 1], [3, 3], [1, 1]])

    assert reference.names == ("b", "a", "c")
    assert reference.values.tolist() == [[3, 3], [1, 1], [1, 1]]
    assert reference.means.tolist() == [3, 1, 1]
    assert reference.ranks.tolist() == [1, 2, 2]
    assert reference.differences.tolist() == [2, 2, 0]


def test_draws_are_counted_by_pair_of_systems_and_by_rank():
    reference = reference_of([[3], [2], [1]])
    orders = Orders(reference, np.array([[[3.0], [2], [1]], [[2], [3], [1]], [[1], [1], [1]]]))

    assert orders.differences.tolist() == [[1, 2, 1], [-1, 1, 2], [0, 0, 0]]
    assert orders.swaps.tolist() == [0, 1, 0]
    assert orders.reversed_shares == pytest.approx([1 / 3, 0, 0])
    assert orders.rank_shares == pytest.approx(np.array([[2, 1, 0], [2, 1, 0], [1, 0, 2]]) / 3)
    assert orders.ranks.tolist() == [[1, 2, 3], [2, 1, 3], [1, 1, 1]]


def test_pairs_that_are_equal_by_the_reference_are_never_reversed():
    reference = reference_of([[2], [2], [1]])

    assert Orders(reference, np.array([[1.0], [2], [3]])).is_reversed.tolist() == [
        False, True, True,
    ]  # fmt: skip


def test_difference_that_others_alone_find_is_new():
    up, down = np.full(12, 1.0), np.zeros(12)
    reference = reference_of(np.stack([up, up]), ("a", "b"))

    orders = Orders(reference, np.stack([[up, down], [down, up], [up, up]]))

    assert reference.is_significant.tolist() == [False]
    assert orders.is_new[:, 0].tolist() == [True, True, False]
    assert orders.count(orders.is_new).tolist() == [1, 1, 0]
    assert orders.kept_shares.tolist() == [0]
    assert not (orders.is_kept | orders.is_turned | orders.is_lost).any()


def test_share_of_draws_in_which_a_difference_is_kept():
    up, down = np.full(12, 1.0), np.zeros(12)
    reference = reference_of(np.stack([up, down]), ("a", "b"))

    orders = Orders(reference, np.stack([[up, down], [up, up], [down, up], [up, down]]))

    assert orders.kept_shares.tolist() == [0.5]
    assert orders.reversed_shares.tolist() == [0.25]


def test_significance_that_is_known_is_not_tested_again():
    reference = reference_of([[3, 3], [2, 2]], ("a", "b"))
    known = []

    def keep(values, test):
        known.append((values.shape, test().shape))
        return np.array([True])

    orders = Orders(reference, reference.values, keep)

    assert orders.is_significant.tolist() == [True]
    assert known == [((2, 2), (1,))]
    assert Orders(reference, np.empty((0, 2, 2))).is_significant.shape == (0, 1)


def half(folder, grades):
    expected = csfcube.expected(folder)
    protocol = shipped()["csfcube-topics"]
    measured = measure_runs(
        csfcube.topics(folder, grades),
        csfcube.rankings(folder, expected["sources"]["adjudicated"]),
        protocol,
        [protocol.measure("CSFCube NDCG%20")],
    )
    values = (
        np.moveaxis(measured.counted(protocol)[0], -1, 0)
        if measured.values.ndim > 3
        else (measured.counted(protocol)[0])
    )
    return measured.runs, values


@pytest.mark.parametrize("source", ["first", "second"])
def test_leaderboards_of_the_half_agree_as_expected(shared_data, source):
    number = {"first": 0, "second": 1}[source]
    runs, gold = half(shared_data, csfcube.by_gold)
    _, other = half(shared_data, lambda by_seat, adjudicated: by_seat[number])
    reference = reference_of(gold, runs)

    order = [runs.index(name) for name in reference.names]
    orders = Orders(reference, other[order])

    expected = csfcube.expected(shared_data)["leaderboards"]
    assert list(reference.names) == expected["adjudicated"]["order"]
    assert float(orders.tau_b) == pytest.approx(
        expected[source]["tau_b with adjudicated"], abs=1e-9
    )
    by_other = sorted(zip(-orders.means, reference.names, strict=True))
    assert [name for _, name in by_other] == expected[source]["order"]


def test_one_rater_for_each_pair_of_the_half_gives_a_share_of_reversals(shared_data):
    runs, gold = half(shared_data, csfcube.by_gold)
    reference = reference_of(gold, runs)
    random = np.random.default_rng(7)

    _, drawn = half(
        shared_data,
        lambda by_seat, adjudicated: grades_by_pair(
            by_seat, np.full(by_seat.shape[1], 2), random, draws=200
        ),
    )
    orders = Orders(reference, drawn[:, [runs.index(name) for name in reference.names]])

    assert 0.6 < float(np.mean(orders.tau_b)) < 0.85
    assert orders.reversed_shares[0] == pytest.approx(0.58, abs=0.1)


def test_a_topic_with_one_document_and_one_rater_can_be_drawn():
    grades = Grades(
        ("d",), grades_by_pair(np.array([[1.0]]), np.array([1]), np.random.default_rng(1), draws=5)
    )
    protocol = shipped()["trec"]

    measured = measure_runs([Judged("t", grades)], {"run": {"t": ["d"]}}, protocol)

    assert measured.values[0, 0, 0].tolist() == [1] * 5
