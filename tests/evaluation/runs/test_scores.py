"""Ranks and cells of the table of runs."""

from types import SimpleNamespace

import numpy as np
import pytest

from evaluation.measures import parse
from evaluation.runs.ranked import SHADES, shade
from evaluation.runs.scores import (
    Cell,
    Row,
    Scores,
    _without_value,
    number,
    people_of,
    rank_words,
)

P5, AP = parse("P@5"), parse("AP")


def cell(measure=P5, *, value=0.5, judged=1.0):
    return Cell(measure, value, None, None, None, judged)


def scores(*rows):
    return Scores((P5, AP), P5, rows, 3)


@pytest.mark.parametrize(
    ("means", "words"),
    [
        ([0.3, 0.9, 0.5], ["3", "1", "2"]),
        ([0.5, 0.9, 0.5, 0.1], ["2=", "1", "2=", "4"]),
        # A run without a value has no rank, and takes none from others.
        ([np.nan, 0.5, 0.0, np.nan], ["", "1", "2", ""]),
        ([0.0, 0.0], ["1=", "1="]),
        ([], []),
    ],
)
def test_equal_runs_share_a_rank_and_the_next_is_skipped(means, words):
    assert rank_words(np.array(means, dtype=float)) == words


@pytest.mark.parametrize(("level", "elsewhere"), [("queries", None), ("topics", {"q1": {}})])
def test_people_rank_topics_by_their_own_judgments_alone(level, elsewhere):
    evaluation = SimpleNamespace(
        level=level, elsewhere=elsewhere, keep=lambda name, make: make(), judging=None
    )

    people = people_of(evaluation, P5)

    assert people.rows == ()
    assert people.why_none.startswith("People rank topics;")


def test_no_value_is_none():
    assert (number(np.float64(0.25)), number(np.nan)) == (0.25, None)


@pytest.mark.parametrize(
    ("undefined", "sentence"),
    [
        ([0, 0, 0], ""),
        ([0, 1, 0], "AP on 1 topics"),
        ([2, 1, 2], "AP on 1 topics; P@5, R@10 on 2 topics"),
    ],
)
def test_measures_without_a_value_are_named_by_the_number_of_topics(undefined, sentence):
    measured = SimpleNamespace(measures=(P5, AP, parse("R@10")), undefined=undefined)
    evaluation = SimpleNamespace(measured=measured, count_in_words=lambda count: f"{count} topics")

    assert _without_value(evaluation) == sentence


@pytest.mark.parametrize(
    ("judged", "is_thin"), [(None, False), (1.0, False), (0.9, False), (0.89, True), (0.0, True)]
)
def test_value_is_thinly_judged_below_nine_of_ten(judged, is_thin):
    assert cell(judged=judged).is_thinly_judged == is_thin


def test_table_is_wholly_judged_where_no_cell_lacks_a_judgment():
    whole = Row("a", "1", (cell(judged=1.0), cell(AP, judged=None)), 0)
    thin = Row("b", "2", (cell(judged=0.99), cell(AP)), 0)

    assert scores(whole).is_wholly_judged
    assert not scores(whole, thin).is_wholly_judged


def test_run_has_its_rank_and_a_cell_for_each_measure():
    first = Row("a", "1=", (cell(P5), cell(AP, value=0.1)), 0)
    second = Row("b", "1=", (cell(P5), cell(AP, value=0.2)), 0)

    assert scores(first, second).order == {"a": "1=", "b": "1="}
    assert second.cell(AP).value == 0.2


@pytest.mark.parametrize(
    ("grade", "highest", "place"),
    [
        (None, 3, 0),
        (0, 3, 0),
        (-1, 3, 0),
        (1, 3, 1),
        (2, 3, 2),
        (3, 3, 3),
        # However low, a grade above 0 has a shade; and none is beyond the darkest.
        (0.01, 3, 1),
        (5, 3, 3),
        (1, 1, 3),
    ],
)
def test_grade_is_darker_the_higher(grade, highest, place):
    assert shade(grade, highest) == SHADES[place]
