"""How far the ratings of a pair lie apart, in words."""

from dataclasses import dataclass

import pytest

from adjudication.gaps import Gap, apart, gap_of


@dataclass
class Steps:
    """A scale of 0 to 20."""

    is_ordinal: bool = True

    def steps(self, lowest, highest):
        return highest - lowest


def gap(*answers, is_ordinal=True):
    given = [answer for answer in answers if answer is not None]
    return gap_of(
        Steps(is_ordinal),
        lowest=min(given, default=None),
        highest=max(given, default=None),
        rating_count=len(answers),
        cannot_judge_count=len(answers) - len(given),
    )


@pytest.mark.parametrize(
    ("answers", "key", "words"),
    [
        ([0, 1, 1], "one", "One grade apart"),
        ([0, 2], "more", "Two grades apart"),
        ([0, 9], "more", "Nine grades apart"),
        ([0, 10], "more", "10 grades apart"),
        ([1, 1], "same", "The same grade"),
        ([None, None], "cannot-judge", "Nobody can judge"),
        ([None, 1, None], "cannot-judge", "Two cannot judge"),
        ([None, 3, 0], "cannot-judge", "One cannot judge"),
    ],
)
def test_gap_is_told_by_steps_or_by_who_cannot_judge(answers, key, words):
    assert gap(*answers) == Gap(key, words)


def test_labels_without_an_order_are_the_same_or_differ():
    assert gap(0, 3, is_ordinal=False) == Gap("differ", "Different grades")
    assert gap(3, 3, is_ordinal=False).key == "same"


def test_no_step_is_no_grade():
    assert apart(0) == "No grades apart"
