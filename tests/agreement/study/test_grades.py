"""How pairs spread over the grades, and from which grade on they are relevant."""

import numpy as np
import pytest
from django.core.exceptions import BadRequest

from agreement.statistics import CannotJudge
from agreement.study.counted import progress_of
from agreement.study.grades import Relevance, gold_of, graded, places_of
from agreement.study.scales import Scale
from tests.factories.ratings import SKIPPED, facts, ratings_of

SCALE = Scale((0.0, 1.0, 2.0, 3.0))
NOBODY = np.empty(0, dtype=np.int64)


@pytest.mark.parametrize(
    ("values", "name"),
    [((0, 1, 2, 3), "2"), ((0, 1, 2), "1"), ((0, 1), "1"), ((0, 0.5, 2), "2"), ((1, 2, 9), "9")],
)
def test_relevant_is_the_upper_half_of_the_scale_where_nothing_is_said(values, name):
    assert Relevance.read(Scale(values), {}).name == name


def test_relevant_is_what_the_address_says_and_never_the_lowest_grade():
    relevance = Relevance.read(SCALE, {"relevant": "1"})

    assert (relevance.place, relevance.in_words) == (1, "a grade of 1 or more")
    assert Relevance.read(SCALE, {"relevant": "3"}).in_words == "a grade of 3"
    assert relevance.choices == [("1", "1 or more"), ("2", "2 or more"), ("3", "3")]
    for refused in ("0", "4", "x"):
        with pytest.raises(BadRequest, match="expected one of 1, 2, 3"):
            Relevance.read(SCALE, {"relevant": refused})


def test_pairs_are_counted_by_grade_with_those_that_are_relevant():
    of_topic = graded("q1", "Query", [0, 1, 1, 3], Relevance(SCALE, 1))

    assert of_topic.counts == (1, 2, 0, 1)
    assert of_topic.total == 4
    assert [share.count for share in of_topic.shares] == [1, 2, 0, 1]
    assert (of_topic.relevant.count, of_topic.relevant.of) == (3, 4)
    assert graded("q1", "Query", NOBODY, Relevance(SCALE, 1)).counts == (0, 0, 0, 0)


def test_relevant_is_one_label_alone_where_there_is_no_order():
    labels = Scale((0.0, 1.0, 2.0), is_ordinal=False, labels=("survey", "theory", "system"))

    of_topic = graded("q1", "Query", [0, 1, 1, 2], Relevance(labels, 1))

    assert (of_topic.relevant.count, of_topic.relevant.of) == (2, 4)


def test_values_have_places_on_their_scale():
    scale = Scale((0.0, 0.5, 2.0))

    assert places_of(np.array([2.0, 0.0, 0.5]), scale).tolist() == [2, 0, 1]


def test_gold_is_of_topics_that_are_wholly_decided():
    ratings = ratings_of(
        [1, 2, SKIPPED, 3],
        [1, 3, 2, 3],
        topics=[facts("q1"), facts("q2")],
        topic=[0, 0, 0, 1],
        gold=[1, np.nan, 2, np.nan],
        origin=[1, 3, 1, 0],  # consensus, excluded; nothing yet
    )

    progress = progress_of(ratings)
    gold = gold_of(ratings, progress, CannotJudge.DROP)

    assert gold.grades.tolist() == [1]
    assert (gold.excluded, gold.dropped) == (1, 1)
    assert [topic.key for topic in gold.decided] == ["q1"]
    assert [topic.key for topic in gold.not_yet] == ["q2"]
    assert gold.of_topic(0) == slice(0, 1)
    assert gold_of(ratings, progress, CannotJudge.LOWEST).grades.tolist() == [1, 2]


def test_two_facets_of_a_query_share_the_documents_that_both_have():
    topics = [
        facts("q1_background", "background", ("q1",)),
        facts("q1_method", "method", ("q1",)),
        facts("0", "", ("q1",)),
    ]
    ratings = ratings_of(
        [1] * 7,
        topics=topics,
        topic=[0, 0, 0, 1, 1, 1, 2],
        document=[7, 8, 9, 9, 6, 7, 8],
        gold=[1] * 7,
        origin=[1] * 7,
    )
    gold = gold_of(ratings, progress_of(ratings), CannotJudge.DROP)

    assert gold.topics_of_queries == {"q1": {"background": 0, "method": 1}}
    in_first, in_second = gold.shared(0, 1)
    assert ratings.document[in_first].tolist() == ratings.document[in_second].tolist() == [7, 9]
    assert (in_first.tolist(), in_second.tolist()) == ([0, 2], [5, 3])
