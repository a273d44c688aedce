"""The grades of pairs under every source, over ratings that can be counted on paper."""

from decimal import Decimal
from types import SimpleNamespace

import numpy as np
import pytest

from evaluation.protocols import Missing
from evaluation.sources.reading import Judging
from evaluation.sources.source import GOLD, Kind, Source, seat
from tests.factories.ratings import SKIPPED, facts, ratings_of

ALICE, BOB = 11, 12
OPEN, CONSENSUS, ADJUDICATED, EXCLUDED = range(4)
GAP = np.nan
FROM_ONE = {"quality": [1, 2, 3], "specificity": [0, 1]}


def judging_of(*seats, scales=None, rule="any_difference", **columns):
    """On a scale from 0 to 3, or of each facet those in `scales`."""

    def scale_of(facet):
        values = (scales or {}).get(facet, [0, 1, 2, 3])
        return SimpleNamespace(
            facet=facet if scales else "",
            values=[Decimal(value) for value in values],
            distance=Decimal(1),
        )

    scheme = SimpleNamespace(scale_of=scale_of, rule=rule)
    judging = Judging(SimpleNamespace(scheme=scheme), ratings_of(*seats, **columns), (), 0, False)
    vars(judging)["members"] = {"A-1": ALICE, "A-2": BOB}
    return judging


def assert_grades(judging, source, expected, missing=Missing.UNJUDGED):
    np.testing.assert_array_equal(judging.grades(source, missing), np.array(expected, dtype=float))


def combined(kind):
    return Source(kind)


# --- a seat, a person ----------------------------------------------------------------------------


def test_seat_has_its_ratings_and_a_later_one_that_there_is_not_has_none():
    judging = judging_of([1, SKIPPED, 3], [2, 0, None])

    assert_grades(judging, seat(1), [1, GAP, 3])
    assert_grades(judging, seat(2), [2, 0, GAP])
    assert_grades(judging, seat(3), [GAP] * 3)


def test_what_is_missing_is_the_lowest_grade_where_the_protocol_says_so():
    judging = judging_of([1, SKIPPED], [2, 0])

    assert_grades(judging, seat(1), [1, 0], Missing.LOWEST)


def test_lowest_grade_is_that_of_the_scale_of_each_topic():
    judging = judging_of(
        [SKIPPED, SKIPPED],
        [2, 1],
        scales=FROM_ONE,
        topics=[facts("q1", "quality"), facts("q2", "specificity")],
        topic=[0, 1],
    )

    assert_grades(judging, seat(1), [1, 0], Missing.LOWEST)


def test_rating_that_is_still_to_come_is_no_lowest_grade():
    judging = judging_of([None, None], [1, 1], is_finished=[True, False])

    assert_grades(judging, seat(1), [0, GAP], Missing.LOWEST)


def test_seat_that_a_pair_does_not_have_gives_no_lowest_grade():
    judging = judging_of([1, 1], [2, None], seats=[2, 1])

    assert_grades(judging, seat(2), [2, GAP], Missing.LOWEST)


def test_person_has_the_ratings_of_all_their_seats_and_no_others():
    judging = judging_of([1, 2, 3], [0, 0, SKIPPED], annotator=[[ALICE] * 3, [BOB, ALICE, BOB]])

    # Alice rated the second pair twice, after a seat changed hands: the highest of hers stands.
    assert_grades(judging, Source(Kind.MEMBER, "A-1"), [1, 2, 3])
    assert_grades(judging, Source(Kind.MEMBER, "A-2"), [0, GAP, GAP])
    assert_grades(judging, Source(Kind.MEMBER, "A-2"), [0, GAP, 0], Missing.LOWEST)


# --- seats put together --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "unjudged", "lowest"),
    [
        (Kind.MEDIAN, [1, 2.5, 3], [1, 2, 0]),
        (Kind.HIGHEST, [3, 3, 3], [3, 3, 3]),
        (Kind.LOWEST, [0, 2, 3], [0, 0, 0]),
        # An absence is no vote, whatever the protocol says of it.
        (Kind.MAJORITY, [GAP, GAP, GAP], [GAP, GAP, GAP]),
    ],
)
def test_sources_of_seats_take_the_lowest_grade_for_what_is_missing_where_they_are_told(
    kind, unjudged, lowest
):
    judging = judging_of([0, 2, 3], [1, 3, SKIPPED], [3, SKIPPED, SKIPPED])

    assert_grades(judging, combined(kind), unjudged)
    assert_grades(judging, combined(kind), lowest, Missing.LOWEST)


def test_majority_is_more_than_half_of_the_seats():
    judging = judging_of([1, 1, 0], [1, 1, 1], [2, SKIPPED, 2])

    assert_grades(judging, combined(Kind.MAJORITY), [1, 1, GAP], Missing.LOWEST)


# --- gold ----------------------------------------------------------------------------------------


def test_pair_that_is_excluded_has_no_grade_from_any_source():
    judging = judging_of([1, 2], [1, 2], gold=[1, GAP], origin=[CONSENSUS, EXCLUDED])

    for source in (GOLD, seat(1), combined(Kind.MEDIAN), Source(Kind.MEMBER, "A-1")):
        assert_grades(judging, source, [1, GAP], Missing.LOWEST)


def test_reading_grades_changes_none_of_them():
    judging = judging_of([1, 2], [1, 2], gold=[1, GAP], origin=[CONSENSUS, EXCLUDED])

    judging.grades(seat(1), Missing.UNJUDGED)
    judging.grades(GOLD, Missing.UNJUDGED)

    assert judging.ratings.values.tolist() == [[1, 2], [1, 2]]


@pytest.mark.parametrize(
    ("source", "counts"),
    [
        (GOLD, [True, False, False]),
        (seat(1), [True, True, False]),
        (combined(Kind.MEDIAN), [True, True, False]),
        # What was made elsewhere waits for nobody here.
        (Source(Kind.MACHINE, "1"), [True, True, True]),
        (Source(Kind.JUDGMENTS, "nist"), [True, True, True]),
    ],
)
def test_gold_speaks_once_all_is_decided_and_seats_once_all_are_handed_in(source, counts):
    judging = judging_of(
        [1, 0, 1],
        [1, 3, None],
        topics=[facts("q1"), facts("q2"), facts("q3")],
        topic=[0, 1, 2],
        gold=[1, GAP, GAP],
        origin=[CONSENSUS, OPEN, OPEN],
        is_finished=[True, True, False],
    )

    assert judging.counts(source) == counts


# --- without a person ----------------------------------------------------------------------------


def test_without_a_person_the_pairs_that_they_did_not_rate_keep_their_gold():
    judging = judging_of(
        [0, 1, 3],
        [1, 1, 3],
        [1, 2, 3],
        annotator=[[ALICE, 21, 21], [BOB] * 3, [13] * 3],
        gold=[1.0, 1.0, 3.0],
        origin=CONSENSUS,
        rule="majority",
    )

    assert judging.without(ALICE, Missing.UNJUDGED).tolist() == [1, 1, 3]
    # Without Bob the first pair's raters gave 0 and 1, the second's 1 and 2: no majority, and so
    # the median of the rest.
    assert judging.without(BOB, Missing.UNJUDGED).tolist() == [0.5, 1.5, 3]


def test_nothing_is_judged_where_there_are_no_pairs():
    judging = judging_of([], [], gold=[])

    assert judging.answers(Missing.LOWEST).shape == (2, 0)
    assert judging.grades(GOLD, Missing.LOWEST).tolist() == []
    assert judging.without(ALICE, Missing.UNJUDGED).tolist() == []
