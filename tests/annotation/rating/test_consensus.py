from decimal import Decimal
from itertools import permutations

import pytest

from annotation.rating.consensus import RULES, in_words, judge


def values(*answers):
    return [None if answer is None else Decimal(answer) for answer in answers]


def consensus(rule, *answers, distance=None):
    """The value agreed on, or "disputed"; the same for every order of the seats."""
    verdicts = {
        judge(order, rule=rule, distance=distance) for order in permutations(values(*answers))
    }
    assert len(verdicts) == 1
    [verdict] = verdicts
    return verdict.value if verdict.agreed else "disputed"


@pytest.mark.parametrize(
    ("answers", "agreed"),
    [
        ([1, 1, 1], 1),
        ([1, 1, 2], "disputed"),
        ([1, 1, None], "disputed"),
        ([None, None], "disputed"),
        ([0], 0),
    ],
)
def test_any_difference_is_a_dispute(answers, agreed):
    assert consensus("any_difference", *answers) == agreed


def test_equal_values_agree_whatever_their_options_or_digits():
    assert consensus("any_difference", "1", "1.0") == 1


@pytest.mark.parametrize(
    ("answers", "agreed"),
    [
        ([1, 1, 2], 1),
        ([1, 2, 3], "disputed"),
        ([1, 1, 1, 2, 3], 1),
        ([0], 0),
    ],
)
def test_a_majority_agrees(answers, agreed):
    assert consensus("majority", *answers) == agreed


@pytest.mark.parametrize("answers", [[1, 2], [1, 1, 2, 2], [1, 1, 2, 3]])
def test_half_of_the_seats_is_no_majority(answers):
    assert consensus("majority", *answers) == "disputed"


@pytest.mark.parametrize(
    ("answers", "agreed"),
    [
        ([None, None, 1], "disputed"),
        ([None, None, None], "disputed"),
        ([1, None], "disputed"),
        ([1, 1, None, None], "disputed"),
        ([1, 1, None], 1),
    ],
)
def test_an_absence_is_never_the_majority_and_counts_as_a_seat(answers, agreed):
    assert consensus("majority", *answers) == agreed


@pytest.mark.parametrize(
    ("answers", "agreed"),
    [
        ([0, 1], 0),
        ([0, 2], "disputed"),
        ([0, 3], "disputed"),
        ([0, 1, 2], "disputed"),
        (["0.5", "2.25"], Decimal("0.5")),
    ],
)
def test_values_as_far_apart_as_the_distance_are_a_dispute(answers, agreed):
    assert consensus("difference_of_at_least", *answers, distance=Decimal(2)) == agreed


@pytest.mark.parametrize(
    ("answers", "median"),
    [([1, 2], 1), ([1, 2, 2], 2), ([1, 1, 2, 2], 1), ([1, 2, 2, 2], 2), ([1, 1, 1, 2], 1)],
)
def test_near_values_agree_on_the_lower_median(answers, median):
    assert consensus("difference_of_at_least", *answers, distance=Decimal(2)) == median


def test_near_values_beside_an_absence_are_a_dispute():
    assert consensus("difference_of_at_least", 1, 1, None, distance=Decimal(2)) == "disputed"


def test_a_rule_of_distance_does_not_judge_without_one():
    with pytest.raises(ValueError, match="needs a distance"):
        judge(values(1, 1), rule="difference_of_at_least")


@pytest.mark.parametrize("answers", [[1, 1, 1], [0], [None, None], [1, 2]])
def test_adjudicate_all_leaves_every_pair_to_an_adjudicator(answers):
    assert consensus("adjudicate_all", *answers) == "disputed"


@pytest.mark.parametrize("rule", RULES)
def test_no_answers_make_no_agreement(rule):
    with pytest.raises(ValueError, match="answers of all seats"):
        judge([], rule=rule, distance=Decimal(2))


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_has_a_sentence_with_its_distance(rule):
    words = in_words(rule, Decimal("2.50"))

    assert words.endswith(".")
    assert ("2.5 or more" in words) == (rule == "difference_of_at_least")


def test_scales_of_different_distances_are_told_with_each_of_them():
    rule = "difference_of_at_least"

    of_two = in_words(rule, Decimal(2), Decimal("0.50"))

    assert "the distance of their scale (2, 0.5) or more" in of_two
    assert "lie 2 or more" in in_words(rule, Decimal(2), Decimal("2.0"), None)
    assert "a set distance or more" in in_words(rule)
