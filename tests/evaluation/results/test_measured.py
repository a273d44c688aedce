"""Runs measured on topics: draws, measures for some queries, and documents that do not count."""

import numpy as np
import pytest

from evaluation.measures import Grades, parse
from evaluation.protocols import Protocol, Undefined
from evaluation.results import Judged, measure_runs
from evaluation.results.measured import judged_at, left_out, without

ZERO = Protocol("toy", "Toy", ("P@2",))
LEFT_OUT = Protocol("toy", "Toy", ("P@2",), undefined=Undefined.LEFT_OUT)
BROAD = {"specificity": "0"}


def topic(key, values, *, query_paper="", tags=()):
    values = np.array(values, dtype=float)
    names = tuple("abcd"[: values.shape[-1]])
    return Judged(key, Grades(names, values, query_paper=query_paper), tags=dict(tags))


def test_draws_stand_behind_topics():
    topics = [topic("t1", [[1, 0], [0, 0], [1, 1]]), topic("t2", [[0, 1], [0, 0], [0, 0]])]
    rankings = {"x": {"t1": ["a"], "t2": ["a", "b"]}, "y": {"t2": ["b"]}}

    measured = measure_runs(topics, rankings, ZERO, [parse("P@1"), parse("R@1")])

    assert measured.values.shape == (2, 2, 2, 3)
    assert measured.values[0].tolist() == [[[1, 0, 1], [0, 0, 0]], [[0, 0, 0], [1, 0, 0]]]
    np.testing.assert_equal(measured.values[1, 0], [[1, np.nan, 0.5], [0, np.nan, np.nan]])
    assert measured.counted(ZERO)[1, 0].tolist() == [[1, 0, 0.5], [0, 0, 0]]
    np.testing.assert_equal(measured.counted(LEFT_OUT), measured.values)
    assert measured.undefined == [0, 2]
    assert measured.lacks.tolist() == [[False, False], [True, False]]
    assert (measured.number("x"), measured.number("y")) == (0, 1)


def test_measure_for_some_queries_has_no_value_on_others_even_without_a_ranking():
    topics = [topic("t1", [1], tags=BROAD), topic("t2", [1]), topic("t3", [0], tags=BROAD)]
    measures = [parse("LitSearch R@20 (broad)"), parse("P@2")]

    measured = measure_runs(topics, {"none": {}, "x": {"t3": ["a"]}}, ZERO, measures)

    assert measured.is_meant.tolist() == [[True, False, True], [True] * 3]
    np.testing.assert_equal(measured.values[:, 0], [[0, np.nan, np.nan], [0, 0, 0]])
    np.testing.assert_equal(measured.counted(ZERO)[0], [[0, np.nan, 0]] * 2)
    assert measured.undefined == [1, 0]
    np.testing.assert_equal(measured.judged[:, 1], [[np.nan, np.nan, 1]] * 2)


@pytest.mark.parametrize("name", ["R@5", "AP", "nDCG@5", "Rprec", "Bpref", "CSFCube NDCG%100"])
def test_run_without_a_ranking_counts_on_the_topics_on_which_others_count(name):
    topics = [topic("t1", [0, 0]), topic("t2", [0, 1])]
    rankings = {"some": {"t2": ["b", "a"]}, "all": {"t1": ["a", "b"], "t2": ["b", "a"]}}

    measured = measure_runs([*topics, topic("t3", [1])], rankings, LEFT_OUT, [parse(name)])

    np.testing.assert_equal(measured.counted(LEFT_OUT)[0, 0], [np.nan, 1, 0])
    assert np.isnan(measured.values[0, 1, 0])


def test_without_topics_nothing_is_measured():
    measured = measure_runs([], {"x": {}}, ZERO)

    assert measured.values.shape == (1, 1, 0)
    assert measured.measures == ZERO.parsed
    assert measured.undefined == [0]


@pytest.mark.parametrize(
    ("counts", "paper", "away"),
    [(True, "b", {"c"}), (False, "b", {"b", "c"}), (False, "", {"c"})],
)
def test_query_paper_is_left_out_where_the_protocol_says_so(counts, paper, away):
    protocol = Protocol("toy", "Toy", ("P@2",), query_paper_counts=counts, left_out=("c",))
    of_topic = topic("t", [1, 1, 1], query_paper=paper)

    assert left_out(protocol, of_topic) == away
    assert without(["d", "c", "b"], away) == [
        document for document in ["d", "c", "b"] if document not in away
    ]
    assert left_out(ZERO, of_topic) == set()


def test_paper_that_does_not_count_is_in_no_ranking_and_no_pool():
    protocol = Protocol("toy", "Toy", ("P@1",), query_paper_counts=False)
    of_topic = topic("t", [0, 1], query_paper="a")

    measured = measure_runs(
        [of_topic], {"x": {"t": ["a", "b"]}}, protocol, [parse("P@1"), parse("R@1")]
    )

    assert measured.values.ravel().tolist() == [1, 1]
    assert measured.judged.ravel().tolist() == [1, 1]


def test_share_of_judged_abstracts_is_to_a_tenth_of_those_that_are_judged():
    judged = Grades(tuple(f"d{place}" for place in range(20)), np.ones(20))

    short = judged.rank(["d1", "unknown", "d2"])

    assert judged_at(short, parse("DORIS-MAE NDCG10%")) == 0.5


def test_share_of_judged_documents_is_to_the_depth_of_the_measure():
    grades = Grades(("a", "b"), np.array([[1.0, np.nan], [1.0, 1.0]]))

    assert judged_at(grades.rank(["a", "b", "x"]), parse("P@2")) == 0.5
    assert judged_at(grades.rank(["a", "b", "x"]), parse("AP")) == pytest.approx(1 / 3)
    assert np.isnan(judged_at(grades.rank([]), parse("AP")))
