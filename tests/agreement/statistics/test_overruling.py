from itertools import pairwise

import numpy as np
import pytest

from agreement.statistics import (
    Figure,
    Overruling,
    Reason,
    confusion,
    disagreement_by_topic,
    disagreement_in_all,
    overruling_by_topic,
    overruling_in_all,
)
from tests.agreement.statistics.plain import disagreement, overruling, rated_topics


def test_overruling_counts_gold_that_no_rater_gave():
    ratings = np.array([[0.0, 0, 0, 1, 1], [0, 1, 2, 1, 3]])
    gold = [0, 1, 1, 2, 0]

    # Pair 3 lies between the ratings, pair 4 above an agreed 1, pair 5 below both.
    assert overruling(ratings, gold) == Overruling(
        pairs=5, overruled=3, outside_range=2, against_agreement=1
    )
    assert overruling(ratings, gold).share == Figure(0.6)


def test_overruling_looks_at_every_seat():
    ratings = np.array([[0.0, 0], [2, 2], [1, 3]])

    assert overruling(ratings, [1, 1]).overruled == 1


def test_a_single_rater_is_not_an_agreement():
    assert overruling(np.array([[1.0, 1]]), [1, 2]) == Overruling(2, 1, 1, 0)


def test_overruling_of_no_pairs_is_undefined():
    assert overruling(np.empty((2, 0)), []).share == Figure.undefined(Reason.NO_PAIRS)


def test_overruling_refuses_missing_gold():
    with pytest.raises(ValueError, match="gold value is missing"):
        overruling(np.array([[0.0, 1], [1, 1]]), [0, np.nan])


def test_missing_rating_is_no_rating_that_gold_could_equal():
    gap = np.nan
    ratings = np.array([[0.0, 1, gap, 2], [gap, 1, gap, 2], [1, gap, gap, 2]])

    # Gold of the first is one of two ratings; of the second none of two that agree; the third pair
    # has no rating; all of the fourth agree with it.
    assert overruling(ratings, [1, 0, 3, 2]) == Overruling(3, 1, 1, 1)
    assert disagreement(ratings).by_distance == {0: 2, 1: 1}


def test_overruling_of_several_queries_adds_up():
    first, second = Overruling(5, 3, 2, 1), Overruling(10, 1, 0, 0)

    assert overruling_in_all([first, second]) == Overruling(15, 4, 2, 1)
    assert overruling_in_all([]) == Overruling(0, 0, 0, 0)


def test_disagreement_counts_pairs_by_their_widest_difference():
    ratings = np.array([[0.0, 0, 3, 1], [0, 1, 0, 1], [0, 2, 1, 1]])

    counted = disagreement(ratings)

    assert counted.by_distance == {0: 2, 2: 1, 3: 1}
    assert (counted.pairs, counted.differing) == (4, 2)


def test_equal_distances_of_decimals_are_one_distance():
    assert disagreement(np.array([[1.0, 1.1], [1.1, 1.2]])).by_distance == {0.1: 2}


def test_disagreement_of_nothing_is_empty():
    assert disagreement(np.empty((2, 0))).pairs == 0
    assert disagreement(np.empty((0, 0))).differing == 0


def test_disagreement_of_several_queries_adds_up():
    first = disagreement(np.array([[0.0, 0], [0, 1]]))
    second = disagreement(np.array([[0.0, 0, 3], [1, 1, 0]]))

    assert disagreement_in_all([first, second]).by_distance == {0: 1, 1: 3, 3: 1}


def test_confusion_has_the_first_list_in_rows_and_every_value_of_the_scale():
    counts = confusion([0, 0, 1, 3], [0, 1, 1, 0], values=[0, 1, 2, 3])

    assert counts.tolist() == [[1, 1, 0, 0], [0, 1, 0, 0], [0, 0, 0, 0], [1, 0, 0, 0]]


def test_confusion_refuses_a_value_outside_the_scale():
    with pytest.raises(ValueError, match="outside the scale"):
        confusion([0, 4], [0, 1], values=[0, 1, 2, 3])


def test_counts_of_topics_are_those_of_each_topic_alone():
    random = np.random.default_rng(5)
    ratings = random.choice([0.0, 1.0, 2.0, np.nan], size=(3, 60))
    gold = random.choice([0.0, 1.0, 2.0], size=60)
    parts = [(ratings[:, a:b], gold[a:b]) for a, b in pairwise([0, 10, 10, 35, 60])]
    matrices = [part for part, _ in parts]

    counts = overruling_by_topic(rated_topics(matrices, last=[final for _, final in parts]))

    assert counts == [overruling(part, final) for part, final in parts]
    alone = [disagreement(part) for part in matrices]
    assert disagreement_by_topic(rated_topics(matrices)) == alone
    assert overruling_in_all(counts) == overruling(ratings, gold)


def test_topics_without_pairs_at_the_end_have_counts_of_nothing():
    matrices = [np.array([[0.0, 1], [0, 2]]), np.empty((2, 0))]

    differing = disagreement_by_topic(rated_topics(matrices))
    assert [part.by_distance for part in differing] == [{0: 1, 1: 1}, {}]
    assert overruling_by_topic(rated_topics(matrices, last=[[3, 1], []])) == [
        Overruling(2, 1, 1, 1),
        Overruling(0, 0, 0, 0),
    ]


def test_pairs_with_one_rating_have_nothing_to_differ():
    gap = np.nan
    ratings = np.array([[0.0, 1, gap], [gap, 2, gap]])

    assert disagreement(ratings).by_distance == {1: 1}
    assert disagreement(ratings[:1]).by_distance == {}
    assert overruling(ratings, [1, 1, 0]) == Overruling(2, 1, 1, 0)
    assert overruling(ratings[:, 2:], [0]) == Overruling(0, 0, 0, 0)


def test_gold_within_differing_ratings_is_overruled_and_not_outside():
    assert overruling(np.array([[0.0], [2.0]]), [1]) == Overruling(1, 1, 0, 0)
