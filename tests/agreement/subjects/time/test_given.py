"""Answers and decisions by time, on lists that can be counted by hand."""

from datetime import UTC, date, datetime

import numpy as np
import pytest

from agreement.subjects.time.given import DAY, Given, Period, Recent, periods_of, spent_of
from tests.factories.ratings import SKIPPED, ratings_of

MONDAY = datetime(2026, 3, 2, tzinfo=UTC).timestamp()
HOUR = 3600.0


def given_by_hand(*answers):
    """(who, seconds after that Monday began, active seconds) of each; whether they are live is
    found out."""
    who, when, seconds = zip(*answers, strict=True) if answers else ((), (), ())
    shape = (1, len(answers))
    ratings = ratings_of(
        [1] * len(answers),
        annotator=np.reshape(who, shape),
        given_at=MONDAY + np.reshape(when, shape),
        seconds=np.reshape(seconds, shape),
    )
    return Given.of_answers(ratings)


NOTHING = given_by_hand()


def by_day(*days, who=1):
    """An answer of a minute on each of these days after the Monday, an hour after the last."""
    return given_by_hand(*((who, day * DAY + n * HOUR, 60) for n, day in enumerate(days)))


# --- live or from a file -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seconds_between", "is_live"), [(0.0, False), (0.99, False), (1.0, True), (60.0, True)]
)
def test_two_answers_within_a_second_came_from_a_file(seconds_between, is_live):
    given = given_by_hand((1, 100.0, 0), (1, 100.0 + seconds_between, 0))

    assert given.is_live.tolist() == [is_live, is_live]


def test_answer_is_held_against_the_one_before_and_the_one_after():
    given = given_by_hand(*((1, when, 0) for when in (0.0, 10.0, 10.5, 20.0)))

    assert given.is_live.tolist() == [True, False, False, True]


def test_answers_of_two_people_at_one_moment_are_live():
    given = given_by_hand((1, 100.0, 0), (2, 100.0, 0))

    assert given.is_live.tolist() == [True, True]


def test_answers_are_told_apart_by_person_in_whatever_order_they_are_read():
    given = given_by_hand((2, 50.0, 0), (1, 100.2, 0), (2, 100.0, 0), (1, 100.0, 0))

    assert given.is_live.tolist() == [True, False, True, False]


def test_answer_with_a_recorded_time_is_live_however_close():
    given = given_by_hand((1, 100.0, 0.5), (1, 100.5, 0))

    assert given.is_live.tolist() == [True, False]


def test_answer_alone_is_live_and_of_nothing_nothing_is():
    assert given_by_hand((1, 100.0, 0)).is_live.tolist() == [True]
    assert NOTHING.is_live.tolist() == []


# --- time spent ----------------------------------------------------------------------------------


def test_time_is_of_answers_that_have_one_and_the_answers_are_all():
    spent = spent_of(np.array([10.0, 0.0, 20.0, 60.0]))

    assert (spent.answers, spent.timed, spent.untimed, spent.seconds) == (4, 3, 1, 90)
    assert (spent.mean_seconds, spent.median_seconds) == (30, 20)
    assert spent.hours == pytest.approx(0.025)
    assert spent.per_hour == pytest.approx(120)


def test_of_an_even_number_the_median_is_the_mean_of_the_middle_two():
    assert spent_of(np.array([10.0, 30.0, 40.0, 500.0])).median_seconds == 35


def test_half_a_second_is_a_recorded_time():
    assert (spent_of(np.array([0.5, 0.0])).timed, spent_of(np.array([0.5])).seconds) == (1, 0.5)


@pytest.mark.parametrize("seconds", [[], [0.0, 0.0]])
def test_without_a_recorded_time_there_is_neither_pace_nor_hours(seconds):
    spent = spent_of(np.array(seconds))

    assert spent.untimed == len(seconds)
    assert [spent.hours, spent.mean_seconds, spent.median_seconds, spent.per_hour] == [None] * 4


def test_cannot_judge_takes_time_and_an_unrated_pair_none():
    ratings = ratings_of([1, SKIPPED, None], seconds=np.array([[30.0, 20.0, np.nan]]))

    assert Given.of_answers(ratings).seconds.tolist() == [30, 20]


# --- pace by the day -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("days", "since", "until", "given"),
    [
        # A single day, and a day at each end of two weeks.
        ((0, 0, 0), date(2026, 3, 2), date(2026, 3, 2), 3),
        ((0, 13), date(2026, 3, 2), date(2026, 3, 15), 2),
        # One day more, and the first is not recent.
        ((0, 14), date(2026, 3, 3), date(2026, 3, 16), 1),
        ((0, 0, 100, 103), date(2026, 5, 31), date(2026, 6, 13), 2),
    ],
)
def test_pace_is_of_two_weeks_up_to_the_last_day_both_included(days, since, until, given):
    assert by_day(*days).recent == Recent(since, until, given)


def test_days_are_counted_with_both_ends_and_those_without_an_answer():
    recent = Recent(date(2026, 2, 27), date(2026, 3, 2), 6)

    assert (recent.days, recent.per_day) == (4, 1.5)
    assert Recent(date(2026, 3, 2), date(2026, 3, 2), 6).per_day == 6


@pytest.mark.parametrize(("seconds", "has_pace"), [(599, False), (600, True)])
def test_ten_minutes_of_answers_are_the_least_that_is_a_pace(seconds, has_pace):
    given = given_by_hand((1, 0.0, 5), (1, float(seconds), 5))

    assert (given.recent is not None) == has_pace


def test_answers_of_a_file_are_in_no_pace():
    given = given_by_hand(*((1, 30 * DAY, 0) for _ in range(9)), (1, 0.0, 0), (1, DAY + 1.0, 0))

    assert given.recent == Recent(date(2026, 3, 2), date(2026, 3, 3), 2)
    assert NOTHING.recent is None


def test_decisions_are_those_that_stand_by_who_made_them():
    ratings = ratings_of(
        [0, 0, 0, 0],
        [1, 1, 1, 0],
        origin=[2, 3, 0, 1],  # adjudicated, excluded; open; by consensus
        adjudicator=[7, 8, 0, 0],
        decided_at=[MONDAY, MONDAY + DAY, np.nan, np.nan],
    )

    decisions = Given.of_decisions(ratings)

    assert (decisions.person.tolist(), decisions.seconds.tolist()) == ([7, 8], [0, 0])
    assert decisions.is_live.tolist() == [True, True]
    assert decisions.recent == Recent(date(2026, 3, 2), date(2026, 3, 3), 2)


# --- periods -------------------------------------------------------------------------------------


def test_person_counts_once_in_a_period_whatever_they_gave():
    answers = given_by_hand((1, 0.0, 1800), (1, 60.0, 1800), (2, 120.0, 3600), (2, DAY + 1.0, 36))

    periods, by_week = periods_of(answers, NOTHING)

    assert not by_week
    assert periods == [
        Period(date(2026, 3, 2), 3, 2, 2.0, 0),
        Period(date(2026, 3, 3), 1, 1, 0.01, 0),
    ]


def test_days_end_at_midnight_utc():
    answers = given_by_hand((1, DAY - 2.0, 1), (1, DAY + 0.0, 1))

    assert [period.answers for period in periods_of(answers, NOTHING)[0]] == [1, 1]


def test_decisions_reach_over_days_without_an_answer():
    periods, _ = periods_of(by_day(2), by_day(0, 3, 3))

    assert [(period.answers, period.people, period.decisions) for period in periods] == [
        (0, 0, 1),
        (0, 0, 0),
        (1, 1, 0),
        (0, 0, 2),
    ]


@pytest.mark.parametrize(("last", "by_week", "periods"), [(91, False, 92), (92, True, 14)])
def test_three_months_are_the_most_that_is_shown_by_the_day(last, by_week, periods):
    of_study, weekly = periods_of(by_day(0, last), NOTHING)

    assert (weekly, len(of_study)) == (by_week, periods)
    assert sum(period.answers for period in of_study) == 2


@pytest.mark.parametrize(
    ("first", "monday"),
    [
        (0, date(2026, 3, 2)),
        (6, date(2026, 3, 2)),
        (7, date(2026, 3, 9)),
        (-1, date(2026, 2, 23)),
    ],
)
def test_week_begins_on_its_monday(first, monday):
    periods, by_week = periods_of(by_day(first, first + 100), NOTHING)

    assert by_week
    assert periods[0].start == monday
    assert all(period.start.weekday() == 0 for period in periods)


def test_decisions_too_are_counted_by_the_week():
    periods, by_week = periods_of(by_day(0, 100), by_day(6, 7, 8, 20))

    assert by_week
    assert [period.decisions for period in periods[:4]] == [1, 2, 1, 0]
    assert sum(period.decisions for period in periods) == 4


def test_what_came_from_a_file_is_in_no_period():
    of_file = given_by_hand((1, 0.0, 0), (1, 0.0, 0))
    live = by_day(40, 41)

    assert periods_of(of_file, NOTHING) == ([], False)
    assert periods_of(of_file, live)[0] == [
        Period(date(2026, 4, 11), 0, 0, 0.0, 1),
        Period(date(2026, 4, 12), 0, 0, 0.0, 1),
    ]
