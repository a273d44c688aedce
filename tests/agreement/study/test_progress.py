"""How far topics are, and the sentences about those without figures yet."""

from agreement.study.progress import progress_of
from tests.factories.ratings import SKIPPED, facts, ratings_of

CONSENSUS, EXCLUDED = 1, 3


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
