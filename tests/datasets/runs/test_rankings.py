"""Lines of a run in the order in which trec_eval reads them."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from datasets.runs.rankings import hash_of_columns, plain_number, read_rankings
from tests.factories.runs import run_of


def documents_of(*rows, **options):
    """The order of (document, rank, score) of one topic."""
    (ranked,) = read_rankings(run_of({"1": rows}), **options).lists
    return ranked.documents


def test_scores_decide_whatever_the_ranks_say():
    assert documents_of(("a", 1, 0.1), ("b", 2, 0.9)) == ["b", "a"]


def test_ties_are_broken_by_document_descending():
    assert documents_of(("9", 1, 2), ("10", 2, 2.0), ("b", 3, 2)) == ["b", "9", "10"]


def test_scores_that_single_precision_cannot_tell_apart_are_a_tie():
    assert documents_of(("a", 1, 0.99999999), ("b", 2, 0.99999998)) == ["b", "a"]


def test_ranks_decide_when_asked_for():
    assert documents_of(("a", 2, 0.9), ("b", 10, 0.5), ("c", 1, 0.1), by_rank=True) == [
        *("c", "a", "b")
    ]


def test_topics_stay_in_the_order_of_the_file():
    reading = read_rankings(run_of({"2": [("a", 7, 1.5)], "1": ["a", "b"]}))

    assert [ranked.columns() for ranked in reading.lists] == [
        ("2", "a", "1.5", "7"),
        ("1", "a\nb", "2\n1", "1\n2"),
    ]


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_number_reads_back_as_it_was(value):
    assert float(plain_number(value)) == value


def test_whole_numbers_are_written_without_a_point():
    values = (237.0, -3.0, 0.5, 2.0**53 - 1, 2.0**53, 1e300)
    assert [plain_number(value) for value in values] == [
        *("237", "-3", "0.5", "9007199254740991", "9007199254740992.0", "1e+300")
    ]


def test_ties_and_contradictions_are_counted_and_the_first_are_named():
    rows = [("a", 2, 5), ("b", 1, 4), ("c", 3, 3), ("d", 4, 3)]

    assert read_rankings(run_of({"1": rows})).report == {
        "lines": 4,
        "topics": 1,
        "ties": {"count": 1, "first": ["topic 1: d and c both have 3"]},
        "contradictions": {
            "count": 1,
            "first": ["topic 1: a has rank 2 and a higher score than b with rank 1"],
        },
    }


def test_equal_ranks_of_different_scores_are_a_contradiction():
    report = read_rankings(run_of({"1": [("a", 1, 5), ("b", 1, 4)]})).report

    assert report["contradictions"]["first"] == [
        "topic 1: a has rank 1 and a higher score than b with rank 1"
    ]


def test_of_many_ties_five_are_named():
    ties = read_rankings(run_of({"1": [(f"d{n}", n, 1) for n in range(8)]})).ties

    assert (ties.count, len(ties.first)) == (7, 5)


ROWS = st.lists(
    st.tuples(st.integers(-30, 30).map(lambda score: score / 10), st.integers(0, 99)),
    unique_by=lambda row: row[1],
    min_size=1,
)


@given(ROWS)
def test_order_is_that_of_trec_eval(rows):
    pytrec_eval = pytest.importorskip("pytrec_eval")
    scores = {str(document): score for score, document in rows}
    shuffled = [(document, 1, score) for document, score in scores.items()]
    random.Random(0).shuffle(shuffled)

    order = documents_of(*shuffled)

    for document in scores:
        evaluator = pytrec_eval.RelevanceEvaluator({"q": {document: 1}}, {"recip_rank"})
        rank = 1 / evaluator.evaluate({"q": scores})["q"]["recip_rank"]
        assert order.index(document) + 1 == round(rank)


def test_content_is_the_same_in_any_order_of_topics_and_differs_with_one_document():
    first, second = ("1", "a\nb", "2\n1"), ("2", "a", "1")

    assert hash_of_columns([first, second]) == hash_of_columns([second, first])
    assert hash_of_columns([first]) != hash_of_columns([("1", "a\nc", "2\n1")])
