"""Agreement over the course of the study: the pairs in the order in which they were last rated."""

from datetime import UTC, datetime

import numpy as np
import pytest

from agreement.statistics import CannotJudge
from agreement.study.counted import count
from agreement.study.scales import Scale
from agreement.subjects.overview.apart import course_of
from tests.factories.ratings import SKIPPED, facts, ratings_of

MONDAY = datetime(2026, 3, 2, tzinfo=UTC).timestamp()
DAY = 86400.0


def course(*seats, when, rule="lowest", **columns):
    """`when` is a day after the Monday for each pair, of all of its ratings or by seat."""
    days = np.broadcast_to(np.array(when, dtype=float), (len(seats), len(seats[0])))
    ratings = ratings_of(*seats, given_at=MONDAY + DAY * days, **columns)
    return course_of(count(ratings, CannotJudge(rule)))


def percents(course):
    return [part.figures["percent"].figure.value for part in course.parts]


def test_parts_follow_the_last_rating_of_a_pair_and_not_its_place():
    """Forty pairs; those at odd places, on which all agree, were rated after the others."""
    first, second = [0, 1] * 20, [1, 1] * 20
    when = [0 if place % 2 == 0 else 1 for place in range(40)]

    parts = course(first, second, when=when)

    assert percents(parts) == [0, 100]
    assert [(part.since.day, part.until.day) for part in parts.parts] == [(2, 2), (3, 3)]


def test_pair_was_last_rated_when_its_last_rater_did():
    early, late = [0] * 40, [9 if place < 20 else 1 for place in range(40)]

    parts = course([0] * 40, [1] * 20 + [0] * 20, when=[early, late])

    # The first twenty, which differ, came last.
    assert percents(parts) == [100, 0]
    assert parts.parts[1].since == datetime(2026, 3, 11, tzinfo=UTC)


def test_seat_that_a_pair_does_not_have_was_no_last_rating():
    seats = [0] * 40, [0] * 40, [None] * 40
    when = [list(range(40)), list(range(40)), [99] * 40]

    assert course(*seats, when=when).parts[-1].until.day == 10  # 39 days later, in April


@pytest.mark.parametrize(
    ("pairs", "parts"), [(40, 2), (59, 2), (60, 3), (199, 9), (200, 10), (500, 10)]
)
def test_part_has_twenty_pairs_at_least_and_there_are_ten_at_most(pairs, parts):
    sizes = [part.pairs for part in course([0] * pairs, [0] * pairs, when=range(pairs)).parts]

    assert (len(sizes), sum(sizes)) == (parts, pairs)
    assert min(sizes) >= 20
    assert max(sizes) - min(sizes) <= 1


@pytest.mark.parametrize("pairs", [0, 1, 39])
def test_fewer_than_forty_pairs_are_no_course(pairs):
    not_yet = course([0] * pairs, [0] * pairs, when=range(pairs))

    assert (not_yet.parts, not_yet.why_not) == ([], "Not yet: fewer than 40 pairs to compare.")


@pytest.mark.parametrize(("minutes", "is_shown"), [(9.9, False), (10, True)])
def test_ratings_of_about_one_time_are_no_course(minutes, is_shown):
    shown = course([0] * 40, [0] * 40, when=[0] * 39 + [minutes / (24 * 60)])

    assert bool(shown.parts) == is_shown
    assert ("about the same time" in shown.why_not) != is_shown


def test_rule_for_cannot_judge_applies_to_parts_too():
    first, second = [SKIPPED] * 10 + [1] * 40, [1] * 50

    counted = {rule: course(first, second, when=range(50), rule=rule) for rule in CannotJudge}

    assert {str(rule): percents(parts) for rule, parts in counted.items()} == {
        "lowest": [60, 100],  # 15 of the first 25
        "drop": [100, 100],
        "gaps": [100, 100],
    }
    assert [part.pairs for part in counted["drop"].parts] == [20, 20]


def test_undefined_figure_of_a_part_is_undefined_and_the_others_are_not():
    first = [1] * 20 + [0, 1] * 10

    parts = course(first, first, when=range(40)).parts

    assert [part.figures["rho"].figure.value for part in parts] == [None, pytest.approx(1)]
    assert parts[0].figures["percent"].figure.value == 100


def test_part_knows_its_topics_for_what_is_resampled():
    topic = [0] * 20 + [1] * 5 + [2] * 15
    facets = [facts("q1", "a", ("q1",)), facts("q2", "a", ("q2",)), facts("q1b", "b", ("q1",))]

    early, late = course([0] * 40, [0] * 40, when=range(40), topic=topic, topics=facets).parts

    assert (early.topics.topics, late.topics.topics) == (1, 2)
    assert (early.topics.pairs, late.topics.pairs) == (20, 20)


def test_labels_have_the_measures_of_labels():
    labels = Scale((0.0, 1.0), is_ordinal=False, labels=("survey", "theory"))

    part = course([0, 1] * 20, [0, 0] * 20, when=range(40), scale=labels, rule="drop").parts[0]

    assert list(part.figures) == ["alpha_nominal", "kappa", "percent"]
    assert part.figures["kappa"].figure.value == 0  # one list holds a single label
