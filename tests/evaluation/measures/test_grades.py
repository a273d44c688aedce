"""Grades of documents and rankings of them, counted by hand."""

import numpy as np
import pytest

from evaluation.measures import Grades, ranked_by
from evaluation.measures.grades import OUTSIDE, Ranked

NAN = float("nan")


def pool(values, **details):
    names = "abcdefgh"[: np.shape(values)[-1]]
    return Grades(tuple(names), np.array(values, dtype=float), **details)


def test_unjudged_documents_and_negative_grades_gain_nothing():
    grades = pool([2, NAN, -1, 0, 3])

    assert grades.gains.tolist() == [2, 0, 0, 0, 3]
    assert grades.ideal.tolist() == [3, 2, 0, 0, 0]
    assert int(grades.judged) == 4
    assert (int(grades.relevant(2)), int(grades.relevant(2.5))) == (2, 1)


def test_grades_without_some_documents_keep_all_else():
    grades = pool([[1, 2, 3], [4, 5, 6]], size=5, query_paper="c")

    fewer = grades.without({"b", "elsewhere"})

    assert fewer.documents == ("a", "c")
    assert fewer.values.tolist() == [[1, 3], [4, 6]]
    assert (fewer.size, fewer.query_paper) == (5, "c")
    assert grades.without({"elsewhere"}) is grades


def test_ranked_document_that_the_topic_lacks_is_unjudged():
    ranked = pool([1, 0]).rank(["x", "b", "a"])

    assert ranked.places.tolist() == [OUTSIDE, 1, 0]
    assert np.isnan(ranked.values[0])
    assert ranked.gains.tolist() == [0, 0, 1]
    assert ranked.relevant(0).tolist() == [0, 1, 1]
    assert ranked.is_judged.tolist() == [False, True, True]


def test_topic_without_documents_is_ranked_as_unjudged():
    ranked = pool([]).rank(["x", "y"])

    assert np.isnan(ranked.values).tolist() == [True, True]
    assert ranked.gains.tolist() == [0, 0]


def test_of_draws_the_first_says_what_is_judged():
    draws = pool([[[1, NAN]], [[NAN, 1]]])

    assert draws.rank(["b", "a"]).is_judged.tolist() == [False, True]


def test_best_order_of_a_ranking_has_the_ranked_documents_alone():
    grades = pool([1, 3, 2])

    assert grades.rank(["c", "a"]).ideal.tolist() == [2, 1]
    assert grades.rank(["a", "b", "c"]).ideal.tolist() == [3, 2, 1]
    # Three ranks, of which one document takes two.
    assert grades.rank(["a", "c", "a"]).ideal.tolist() == [2, 1, 1]
    assert grades.rank(["a", "x", "b"]).ideal.tolist() == [3, 1, 0]


def test_values_by_a_person_rank_in_groups_of_equal_ones():
    ranked = ranked_by(pool([0, 1, 2, 3, 0]), [1, 3, NAN, 1, 3])

    assert (ranked.places.tolist(), ranked.ties) == ([1, 4, 0, 3], (2, 2))
    assert ranked.averaged(np.array([4.0, 2.0, 1.0, 0.0])).tolist() == [3, 3, 0.5, 0.5]


def test_orders_by_chance_stay_within_their_groups():
    ranked = ranked_by(pool([0] * 6), [2, 2, 2, 1, 1, 1])

    orders = {tuple(places) for places in ranked.shuffled(30, seed=1).places.tolist()}

    assert len(orders) > 10
    assert all({*order[:3]} == {0, 1, 2} and {*order[3:]} == {3, 4, 5} for order in orders)


def test_ranking_without_groups_stays_as_it_is():
    ranked = Ranked(pool([1, 2]), np.array([1, 0]))

    assert ranked.averaged(np.array([5.0, 7.0])).tolist() == [5, 7]
    assert ranked.shuffled(2, seed=1).places.tolist() == [[1, 0], [1, 0]]
    assert ranked.size == 2


@pytest.mark.parametrize("draws", [(), (2,), (2, 3)])
def test_axes_of_sources_and_draws_stay(draws):
    ranked = pool(np.ones((*draws, 4))).rank(["d", "x"])

    assert ranked.values.shape == (*draws, 2)
    assert ranked.ideal.shape == (*draws, 2)
