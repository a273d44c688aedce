"""How far topics are, and the pairs that figures count under each rule for "cannot judge"."""

import numpy as np
import pytest

from agreement.statistics import CannotJudge
from agreement.study.counted import count, progress_of, rated_of
from agreement.study.scales import Scale
from tests.factories.ratings import SKIPPED, facts, ratings_of

GAP = np.nan
CONSENSUS, EXCLUDED = 1, 3


@pytest.mark.parametrize(
    ("rule", "values", "left_out"),
    [
        ("lowest", [[1, 0, 3], [2, 2, 0]], 0),
        ("drop", [[1], [2]], 2),
        ("gaps", [[1, GAP, 3], [2, 2, GAP]], 0),
    ],
)
def test_cannot_judge_counts_as_the_rule_says_and_is_never_a_vote(rule, values, left_out):
    counted = count(ratings_of([1, SKIPPED, 3], [2, 2, SKIPPED]), CannotJudge(rule))

    np.testing.assert_array_equal(counted.ratings.values, values)
    assert counted.left_out == left_out
    if rule != "drop":
        np.testing.assert_array_equal(counted.given, [[1, GAP, 3], [2, 2, GAP]])
    assert not counted.with_gold


def test_with_gold_pairs_without_any_are_left_out():
    ratings = ratings_of([1, 2, SKIPPED], [1, 3, 2], gold=[1, GAP, 2], origin=[1, 0, 2])

    counted = count(ratings, CannotJudge.DROP, with_gold=True)

    assert counted.ratings.pair.tolist() == [1]
    assert (counted.left_out, counted.with_gold) == (2, True)
    assert counted.topics.patterns.tolist() == [[1, 1, 1]]


def test_majorities_and_those_of_the_others_stand_as_last_columns():
    counted = count(ratings_of([1, 1], [1, 2], [2, 3]), CannotJudge.GAPS)

    # Positions on the scale; -1 where no value has more than half.
    assert counted.with_majority.patterns.tolist() == [[1, 1, 2, 1], [1, 2, 3, -1]]
    assert counted.with_majority_of_others.patterns.tolist() == [
        [1, 1, 2, -1, -1, 1],
        [1, 2, 3, -1, -1, -1],
    ]


def test_labels_without_an_order_stay_labels():
    ratings = ratings_of([0], [1], scale=Scale((0.0, 1.0), is_ordinal=False))

    assert not count(ratings, CannotJudge.GAPS).topics.is_ordered
    assert count(ratings_of([0], [1]), CannotJudge.GAPS).topics.is_ordered


@pytest.fixture
def of_two_overlaps():
    """Two pairs of two seats, and one of three in the second topic."""
    ratings = ratings_of(
        [1, 2, 3],
        [1, 1, SKIPPED],
        [None, None, 2],
        topics=[facts("q1"), facts("q2")],
        topic=[0, 0, 1],
        seats=[2, 2, 3],
    )
    return count(ratings, CannotJudge.GAPS)


def test_pairs_are_told_apart_by_how_many_seats_they_have(of_two_overlaps):
    two, three = of_two_overlaps.of_overlap(2), of_two_overlaps.of_overlap(3)

    assert of_two_overlaps.overlaps == {2: 2, 3: 1}
    assert two.ratings.values.tolist() == two.given.tolist() == [[1, 2], [1, 1]]
    assert [topic.key for topic in two.ratings.topics] == ["q1"]
    assert three.ratings.values.shape == three.given.shape == (3, 1)
    assert [topic.key for topic in three.ratings.topics] == ["q2"]


def test_topics_keep_their_pairs_and_what_was_given(of_two_overlaps):
    second = of_two_overlaps.of_topics([1])

    assert [of_two_overlaps.pairs_of(number) for number in (0, 1)] == [2, 1]
    assert second.ratings.pair.tolist() == [3]
    np.testing.assert_array_equal(second.given, [[3], [GAP], [2]])


def test_pairs_compared_are_those_that_both_seats_rated(of_two_overlaps):
    assert of_two_overlaps.pairs_compared() == {(1, 2): 2, (1, 3): 1}


def test_confusion_has_earlier_seats_in_rows_over_every_two(of_two_overlaps):
    every, first = of_two_overlaps.confusion(), of_two_overlaps.confusion([0])

    assert {(row, column) for row, column in np.argwhere(every)} == {(1, 1), (2, 1), (3, 2)}
    assert every.sum() == 3
    assert {(row, column) for row, column in np.argwhere(first)} == {(1, 1), (2, 1)}
    assert not of_two_overlaps.confusion([]).any()


def test_ratings_before_adjudication_are_of_topics_with_every_seat_handed_in():
    ratings = ratings_of(
        [1, 2],
        [1, None],
        topics=[facts("q1"), facts("q2")],
        topic=[0, 1],
        batch=[1, 2],
        is_finished=[True, False],
    )

    rated = rated_of(ratings, progress_of(ratings), CannotJudge.LOWEST)

    assert rated.ratings.pair.tolist() == [1]
    assert rated.left_out == 0


def test_topic_is_counted_by_where_its_pairs_stand():
    [topic] = progress_of(
        ratings_of([0, 1, SKIPPED, 2], [0, 2, 1, SKIPPED], origin=[CONSENSUS, 0, EXCLUDED, 0])
    )

    assert (topic.pairs, topic.undecided, topic.excluded, topic.cannot_judge) == (4, 2, 1, 2)
    assert topic.is_rated
    assert not topic.is_decided
    assert (topic.not_yet_rated, topic.not_yet_decided) == ("", "2 pairs to decide")


def test_topic_is_decided_with_the_gold_of_its_last_pair():
    [topic] = progress_of(ratings_of([0, 1], [0, 2], origin=[CONSENSUS, EXCLUDED]))

    assert topic.is_decided
    assert (topic.not_yet_rated, topic.not_yet_decided) == ("", "")


def test_topic_with_an_open_seat_tells_nothing_of_its_ratings():
    [topic] = progress_of(
        ratings_of(
            [SKIPPED, 1, 1],
            [0, 1, None],
            batch=[1, 1, 2],
            is_finished=[True, True, False],
            annotator=[[11, 11, 11], [12, 13, 0]],
            origin=[CONSENSUS, CONSENSUS, 0],
        )
    )

    assert (topic.unfinished, topic.cannot_judge, topic.mixed_seats) == (1, 0, 0)
    assert not topic.is_rated
    assert topic.not_yet_rated == topic.not_yet_decided == "1 pair with a seat not handed in"


def test_pairs_without_a_batch_wait_and_are_not_unfinished():
    [topic] = progress_of(
        ratings_of([None] * 1200, batch=0, is_finished=False, seats=0),
    )

    assert (topic.waiting, topic.unfinished, topic.undecided) == (1200, 0, 0)
    assert topic.not_yet_rated == "1,200 pairs in no batch"


def test_what_is_withheld_is_counted_and_nothing_else_is_told():
    [topic] = progress_of(
        ratings_of([1, 1], [SKIPPED, 1], is_withheld=[True, False], is_finished=[False, True])
    )

    assert (topic.pairs, topic.withheld) == (2, True)
    assert (topic.unfinished, topic.undecided, topic.cannot_judge) == (0, 0, 0)
    assert not topic.is_rated
    assert topic.not_yet_rated.startswith("left out while you hold or held a seat")


def test_topic_without_pairs_is_not_rated():
    first, empty = progress_of(ratings_of([1], [1], topics=[facts("q1"), facts("q2")]))

    assert first.is_rated
    assert (empty.number, empty.key, empty.pairs, empty.is_rated) == (1, "q2", 0, False)
    assert empty.not_yet_rated == "no pairs"


def test_seats_that_changed_hands_are_counted_once_for_each_topic():
    """The first seat of the first batch has two people; it rated in both topics."""
    topics = progress_of(
        ratings_of(
            [1, 1, 1, 1],
            [1, 1, 1, 1],
            topics=[facts("q1"), facts("q2"), facts("q3")],
            topic=[0, 0, 1, 2],
            batch=[1, 1, 1, 2],
            annotator=[[11, 13, 11, 13], [12, 12, 12, 12]],
        )
    )

    assert [topic.mixed_seats for topic in topics] == [1, 1, 0]
    [both] = progress_of(ratings_of([1, 1], [1, 1], annotator=[[11, 13], [12, 14]]))
    assert both.mixed_seats == 2
    [as_others] = progress_of(ratings_of([1, None], [1, 1], annotator=[[11, 0], [12, 12]]))
    assert as_others.mixed_seats == 0


def test_several_raters_are_three_of_a_pair_that_counts():
    assert count(ratings_of([1], [1], [2]), CannotJudge.DROP).has_several_raters
    assert not count(ratings_of([1], [1]), CannotJudge.DROP).has_several_raters
    assert not count(ratings_of([1], [1], [SKIPPED]), CannotJudge.DROP).has_several_raters
