"""The ratings of a pair without their authors: letters, shapes and times."""

from types import SimpleNamespace

import pytest

from adjudication.raters import Rater, nameless
from adjudication.scale import Scale


def rater(letter="A", seconds=0, **answer):
    rating = {"active_seconds": seconds, "note": "", "cannot_judge": ""} | answer
    return Rater(letter, SimpleNamespace(**rating), "2 · Similar")


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0, "0 s"), (99.4, "99 s"), (99.6, "1 min 40 s"), (100, "1 min 40 s"), (3600, "60 min 0 s")],
)
def test_time_is_told_in_seconds_up_to_a_hundred(seconds, words):
    assert rater(seconds=seconds).seconds == words


@pytest.mark.parametrize(
    ("letter", "shape"),
    [
        ("A", "round"),
        ("B", "square"),
        ("C", "arch"),
        ("D", "round"),
        ("1", "round"),
        ("5", "square"),
    ],
)
def test_shapes_take_turns_by_letter_and_by_number_of_the_seat(letter, shape):
    assert rater(letter).shape == shape


def test_words_are_a_note_or_the_reason_why_somebody_cannot_judge():
    assert not rater().has_words
    assert rater(note="Close.").has_words
    assert rater(cannot_judge="garbled").has_words


def test_ratings_of_the_pair_alone_are_shown_without_names(study, pair):
    scale = Scale(study.scheme, "method")

    raters = nameless(pair, study.carol, scale)

    assert [rater.letter for rater in raters] == ["A", "B"]
    assert sorted(rater.rating.option.value for rater in raters) == [0, 3]
    assert {rater.label for rater in raters} == {
        scale.label(study.option(0)),
        scale.label(study.option(3)),
    }
    assert nameless(pair, study.carol, scale) == raters
