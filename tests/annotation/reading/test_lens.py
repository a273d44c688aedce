"""The lens: a text in runs, in reading order, what is about the topic in sight."""

import pytest

from annotation.reading.lens import lens
from annotation.reading.texts import Sentence


def text(labels, marked="R"):
    """A sentence for each letter; those of `marked` are marked."""
    names = {"B": "Background", "M": "Method", "R": "Result", ".": ""}
    return [
        Sentence(f"Sentence {number}.", tag=names[label], facet="", is_marked=label == marked)
        for number, label in enumerate(labels, 1)
    ]


def runs(labels):
    return [
        (run.place, run.start, len(run.sentences))
        for run in lens(text(labels), name="Result", nothing="Nothing").runs
    ]


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        ("BBR", [("before", 1, 2), ("marked", 3, 1)]),
        ("RRB", [("marked", 1, 2), ("after", 3, 1)]),
        (
            "BRMRM",
            [
                ("before", 1, 1),
                ("marked", 2, 1),
                ("between", 3, 1),
                ("marked", 4, 1),
                ("after", 5, 1),
            ],
        ),
        ("R", [("marked", 1, 1)]),
        ("BM", [("whole", 1, 2)]),
        ("", []),
    ],
)
def test_a_text_is_cut_where_marked_sentences_begin_and_end(labels, expected):
    assert runs(labels) == expected


@pytest.mark.parametrize("labels", ["BBRMR", "RRRR", "BM", "", "R.B"])
def test_no_sentence_is_moved_copied_or_left_out(labels):
    sentences = text(labels)

    view = lens(sentences, name="Result", nothing="Nothing")

    assert [sentence for run in view.runs for sentence in run.sentences] == sentences
    assert view.size == len(sentences)


def test_a_folded_run_says_how_many_sentences_of_which_labels():
    run = lens(text("BBM.R"), name="Result", nothing="").before

    assert run.words == "4 sentences before"
    assert run.labels == "2 Background, 1 Method"


def test_a_text_that_begins_with_the_facet_has_a_line_so_that_both_stay_level():
    assert (
        lens(text("RB"), name="Result", nothing="").line == "Result begins with the first sentence"
    )
    assert lens(text("BR"), name="Result", nothing="").line == ""


def test_where_nothing_is_marked_nothing_is_folded_and_the_line_says_so():
    view = lens(
        text("BM"), name="Result", nothing="No sentence is labelled Result: all 2 are shown"
    )

    assert not view.is_folded
    assert view.line == "No sentence is labelled Result: all 2 are shown"
