"""Lines of a run in the order in which trec_eval reads them."""

import random
from collections import namedtuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from datasets.runs.rankings import hash_of_columns, plain_number, read_rankings

Line = namedtuple("Line", "topic document rank score")


def lists(*lines, **options):
    reading = read_rankings([Line(*line) for line in lines], **options)
    return {ranked.external_id: list(ranked.documents) for ranked in reading.lists}


def test_scores_decide_whatever_the_ranks_say():
    assert lists(("1", "a", 1, 0.1), ("1", "b", 2, 0.9)) == {"1": ["b", "a"]}


def test_ties_are_broken_by_document_descending():
    assert lists(("1", "9", 1, 2.0), ("1", "10", 2, 2.0), ("1", "b", 3, 2.0)) == {
        "1": ["b", "9", "10"]
    }


def test_scores_that_single_precision_cannot_tell_apart_are_a_tie():
    assert lists(("1", "a", 1, 0.99999999), ("1", "b", 2, 0.99999998)) == {"1": ["b", "a"]}


def test_ranks_decide_when_asked_for():
    assert lists(("1", "a", 1, 0.1), ("1", "b", 2, 0.9), by_rank=True) == {"1": ["a", "b"]}


def test_topics_stay_in_the_order_of_the_file():
    assert list(lists(("2", "a", 1, 1.0), ("1", "a", 1, 1.0), ("2", "b", 2, 0.5))) == ["2", "1"]


def test_ties_and_contradictions_are_counted_and_the_first_are_named():
    reading = read_rankings(
        [
            *(Line("1", "a", 2, 5.0), Line("1", "b", 1, 4.0)),
            *(Line("1", "c", 3, 3.0), Line("1", "d", 4, 3.0)),
        ]
    )

    assert reading.report == {
        "lines": 4,
        "topics": 1,
        "ties": {"count": 1, "first": ["topic 1: d and c both have 3"]},
        "contradictions": {
            "count": 1,
            "first": ["topic 1: a has rank 2 and a higher score than b with rank 1"],
        },
    }


@given(st.lists(st.tuples(st.floats(-3, 3).map(lambda x: round(x, 1)), st.integers(0, 99)),
                unique_by=lambda row: row[1], min_size=1))  # fmt: skip
def test_order_is_that_of_trec_eval(rows):
    pytrec_eval = pytest.importorskip("pytrec_eval")
    scores = {str(document): score for score, document in rows}
    lines = [Line("q", document, 1, score) for document, score in scores.items()]
    random.Random(0).shuffle(lines)

    ranked = lists(*lines)["q"]

    for document in scores:
        evaluator = pytrec_eval.RelevanceEvaluator({"q": {document: 1}}, {"recip_rank"})
        rank = 1 / evaluator.evaluate({"q": scores})["q"]["recip_rank"]
        assert ranked.index(document) + 1 == round(rank)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_number_reads_back_as_it_was(value):
    assert float(plain_number(value)) == value


def test_whole_numbers_are_written_without_a_point():
    assert [plain_number(value) for value in (237.0, 0.5, 1e300)] == ["237", "0.5", "1e+300"]


def test_content_is_the_same_in_any_order_of_topics_and_differs_with_one_document():
    first, second = ("1", "a\nb", "2\n1"), ("2", "a", "1")

    assert hash_of_columns([first, second]) == hash_of_columns([second, first])
    assert hash_of_columns([first]) != hash_of_columns([("1", "a\nc", "2\n1")])
