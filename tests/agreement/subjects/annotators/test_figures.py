"""Annotators held against each other and against gold, on ratings that can be counted on paper."""

from itertools import permutations

import numpy as np
import pytest

from agreement.statistics import REGISTRY, CannotJudge, Reason, binomial_interval
from agreement.study.scales import Scale
from agreement.subjects.annotators.figures import annotators_of, measures_between_two
from tests.factories.ratings import SKIPPED, facts, ratings_of

ALICE, BOB, ERIN = 11, 12, 13
EVERYBODY = (ALICE, BOB, ERIN)
CONSENSUS, ADJUDICATED, EXCLUDED = 1, 2, 3
LABELS = Scale((0.0, 1.0, 2.0), is_ordinal=False, labels=("survey", "theory", "tool"))
DAY = 86400.0


def people_of(*seats, rule="gaps", people=EVERYBODY, **columns):
    """{annotator: figures}"""
    report = annotators_of(
        ratings_of(*seats, **columns), CannotJudge(rule), measure="percent", people=people
    )
    return {annotator.pk: annotator for annotator in report.people}


def matrix_of(*seats, measure="percent", rule="gaps", **columns):
    return annotators_of(
        ratings_of(*seats, **columns), CannotJudge(rule), measure=measure, people=EVERYBODY
    ).matrix


# --- leniency ------------------------------------------------------------------------------------


def test_leniency_of_two_is_as_large_and_opposite():
    people = people_of([0, 1, 3], [1, 1, 1])

    # -1, 0 and 2 grades.
    assert people[ALICE].leniency == pytest.approx(1 / 3)
    assert people[BOB].leniency == pytest.approx(-1 / 3)


def test_leniency_is_against_the_mean_of_those_others_who_gave_a_value():
    people = people_of([3, 3, 3], [1, SKIPPED, None], [2, 0, None])

    # 3 less 1.5, 3 less 0; the last pair nobody else rated.
    assert (people[ALICE].shared, people[ALICE].leniency) == (2, 2.25)
    assert (people[BOB].shared, people[BOB].leniency) == (1, -1.5)
    assert (people[ERIN].shared, people[ERIN].leniency) == (2, (0 - 3) / 2)


def test_cannot_judge_is_a_value_to_compare_only_as_the_lowest():
    seats = [3, SKIPPED], [1, 2]

    counted = {rule: people_of(*seats, rule=rule)[ALICE] for rule in ("lowest", "drop", "gaps")}

    assert {rule: (p.shared, p.leniency) for rule, p in counted.items()} == {
        "lowest": (2, 0),
        "drop": (1, 2),
        "gaps": (1, 2),
    }
    # The skip itself is counted whatever the rule.
    assert [p.skips for p in counted.values()] == [1, 1, 1]


def test_annotator_who_shares_no_pair_has_no_leniency():
    people = people_of([1, None], [None, 2])

    assert [(p.answers, p.shared, p.leniency) for p in people.values()] == [(1, 0, None)] * 2


def test_labels_have_no_leniency_and_are_shared_all_the_same():
    people = people_of([0, 2], [1, 2], scale=LABELS, rule="drop")

    assert [(p.shared, p.leniency) for p in people.values()] == [(2, None)] * 2


def test_people_of_one_seat_keep_their_own_values():
    """Bob took over Alice's seat after the first pair; Erin holds the other."""
    people = people_of([3, 0], [1, 1], annotator=[[ALICE, BOB], [ERIN, ERIN]])

    assert people[ALICE].leniency == 2
    assert people[BOB].leniency == -1
    assert people[ERIN].leniency == (-2 + 1) / 2


def test_people_come_in_the_order_that_is_given_and_only_those_who_answered():
    ratings = ratings_of([1], [None], [SKIPPED])

    report = annotators_of(
        ratings, CannotJudge.DROP, measure="percent", people=(99, ERIN, BOB, ALICE)
    )

    assert report.present == [ERIN, ALICE]
    assert report.left_out == 1


def test_pairs_of_unfinished_batches_are_counted_as_answers_and_compared_with_nothing():
    people = people_of([3, 3], [1, 1], is_finished=[True, False], rule="drop")

    assert (people[ALICE].answers, people[ALICE].shared, people[ALICE].leniency) == (2, 1, 2)


# --- upheld --------------------------------------------------------------------------------------


def test_upheld_are_the_decided_differences_in_which_gold_is_the_own_value():
    people = people_of(
        [0, 0, 0, 2, 1, 0],
        [2, 2, 2, 2, 3, 1],
        origin=[2, 2, 2, 2, 3, 0],  # five by Carol, of which one is excluded; one is open
        gold=[0, 2, 1, 3, np.nan, np.nan],
    )

    # Of three decided differences Alice's value stood once, Bob's once; both agreed on the fourth.
    assert (people[ALICE].upheld.upheld, people[ALICE].upheld.pairs) == (1, 3)
    assert (people[BOB].upheld.upheld, people[BOB].upheld.pairs) == (1, 3)
    assert people[ALICE].upheld.share == pytest.approx(1 / 3)
    assert people[ALICE].upheld.interval == binomial_interval(1, 3)


def test_what_the_rule_settled_upholds_nobody():
    people = people_of([0], [0], [1], origin=CONSENSUS, gold=0.0)

    upheld = people[ALICE].upheld
    assert (upheld.pairs, upheld.share, upheld.interval) == (0, None, None)


def test_several_of_three_raters_may_be_upheld_on_one_pair():
    people = people_of([1], [1], [2], origin=ADJUDICATED, gold=1.0)

    assert {pk: person.upheld.upheld for pk, person in people.items()} == {
        ALICE: 1,
        BOB: 1,
        ERIN: 0,
    }


# --- times, skips, flags -------------------------------------------------------------------------


def test_quartiles_are_of_recorded_times_alone():
    people = people_of([1, 1, 1, 1, SKIPPED, None], seconds=[[0.5, 20.0, 0.0, 30.0, 40.0, np.nan]])

    times = people[ALICE].times
    assert (times.ratings, times.lower, times.median, times.upper) == (4, 15.125, 25, 32.5)


def test_flags_are_those_of_the_persons_own_answers():
    people = people_of([1, 1], [1, SKIPPED], is_flagged=[[True, False], [True, True]])

    assert [(p.flags, p.skips) for p in people.values()] == [(1, 0), (2, 1)]


# --- drift ---------------------------------------------------------------------------------------


def drift(same, when, **columns):
    """Alice's tenths, whose ratings of 1 are the gold value where `same` says so."""
    gold = np.where(same, 1.0, 0.0)
    given_at = np.array(when, dtype=float)
    ones = [1] * len(gold)
    usual = {"gold": gold, "origin": ADJUDICATED, "given_at": np.stack([given_at, 0 * given_at])}
    return people_of(ones, ones, **usual | columns)[ALICE]


def test_tenths_follow_the_order_in_which_somebody_rated():
    # The first half of fifty was right, and was rated last.
    alice = drift([True] * 25 + [False] * 25, [DAY * (50 - number) for number in range(50)])

    assert [tenth.ratings for tenth in alice.tenths] == [5] * 10
    assert [tenth.share for tenth in alice.tenths] == [0] * 5 + [1] * 5
    assert alice.no_drift == ""


def test_tenths_of_a_number_that_ten_does_not_divide_hold_all_ratings():
    alice = drift([True] * 53, np.arange(53) * DAY)

    assert [tenth.ratings for tenth in alice.tenths] == [6, 6, 6, 5, 5, 5, 5, 5, 5, 5]


def test_of_ratings_of_one_moment_the_order_of_the_pairs_is_kept():
    when = [0.0] * 499 + [DAY]

    alice = drift([True] * 250 + [False] * 250, when)

    assert [tenth.same for tenth in alice.tenths] == [50] * 5 + [0] * 5


@pytest.mark.parametrize(
    ("pairs", "last", "why"),
    [
        (49, DAY, "fewer than 50 ratings with gold"),
        (50, 599, "all ratings carry one time"),
        (50, 600, ""),
    ],
)
def test_drift_takes_fifty_ratings_over_ten_minutes(pairs, last, why):
    alice = drift([True] * pairs, [0] * (pairs - 1) + [last])

    assert (alice.no_drift, len(alice.tenths)) == (why, 0 if why else 10)


def test_rating_without_gold_is_in_no_tenth():
    gold = np.where(np.arange(60) < 50, 1.0, np.nan)

    alice = drift([True] * 60, np.arange(60) * DAY, gold=gold)

    assert sum(tenth.ratings for tenth in alice.tenths) == 50


# --- every two -----------------------------------------------------------------------------------


def test_every_two_are_compared_over_the_pairs_that_both_rated():
    matrix = matrix_of([0, 1, 2, None], [0, 1, None, 3], [0, 2, 2, 3])

    assert {two: (cell.pairs, cell.figure.value) for two, cell in matrix.items()} == {
        (ALICE, BOB): (2, 100),
        (BOB, ALICE): (2, 100),
        (ALICE, ERIN): (3, pytest.approx(200 / 3)),
        (ERIN, ALICE): (3, pytest.approx(200 / 3)),
        (BOB, ERIN): (3, pytest.approx(200 / 3)),
        (ERIN, BOB): (3, pytest.approx(200 / 3)),
    }


def test_two_who_met_in_different_seats_are_one_two():
    """Alice holds the first seat of one batch and the second of another."""
    matrix = matrix_of(
        [0, 3], [1, 3], annotator=[[ALICE, BOB], [BOB, ALICE]], batch=[1, 2], measure="kappa"
    )

    assert list(matrix) == [(ALICE, BOB), (BOB, ALICE)]
    assert matrix[ALICE, BOB].pairs == 2
    # Alice 0 3, Bob 1 3: half is observed, a quarter expected.
    assert matrix[ALICE, BOB].figure.value == pytest.approx(1 / 3)


def test_undefined_figure_of_two_says_why():
    matrix = matrix_of([1, 1], [0, 2], measure="rho")

    assert matrix[ALICE, BOB].figure.reason == Reason.CONSTANT_LIST
    assert matrix[ALICE, BOB].pairs == 2


@pytest.mark.parametrize("seats", [[[1, 2]], [[1, None], [None, 2]]])
def test_whoever_shares_no_pair_is_in_no_cell(seats):
    assert matrix_of(*seats) == {}


@pytest.mark.parametrize("measure", ["kappa", "rho", "kappa_quadratic", "macro_f1"])
def test_matrix_is_that_of_the_lists_of_each_two(measure):
    """Twenty people in four seats, as they come; the lists of each two by hand."""
    random = np.random.default_rng(4)
    people = np.array([random.permutation(20)[:4] + 11 for _ in range(300)]).T
    seats = random.integers(0, 4, size=(4, 300)).tolist()
    lists = {}
    for column in range(300):
        for first, second in permutations(range(4), 2):
            x, y = lists.setdefault((people[first, column], people[second, column]), ([], []))
            x.append(float(seats[first][column]))
            y.append(float(seats[second][column]))

    matrix = matrix_of(*seats, annotator=people, measure=measure)

    assert matrix.keys() == lists.keys()
    for two, (x, y) in lists.items():
        assert matrix[two].pairs == len(x)
        assert matrix[two].figure == REGISTRY[measure].function(np.array(x), np.array(y))


def test_labels_have_measures_without_order_alone():
    of_labels = measures_between_two(LABELS)

    assert set(of_labels) < set(measures_between_two(Scale((0.0, 1.0))))
    assert {"kappa", "percent"} <= set(of_labels)
    assert not {"rho", "kappa_linear", "kappa_quadratic"} & set(of_labels)


def test_two_topics_are_put_together():
    matrix = matrix_of([0, 1], [0, 2], topics=[facts("q1"), facts("q2")], topic=[0, 1])

    assert (matrix[ALICE, BOB].pairs, matrix[ALICE, BOB].figure.value) == (2, 50)
