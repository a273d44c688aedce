"""Hints about a query that is being written."""

import pytest

from datasets.hints import hints, near_duplicates, similarity, stem
from datasets.tree import Aspect

LONG_ENOUGH = " ".join(["word"] * 120)
TEXTS = {
    "1": "The paper detects faults in large rotating machines.",
    "2": "The method listens.",
    "3": "The method says how sure it is.",
    "4": "The data are public.",
}
TREE = (Aspect(1, "1", (Aspect(2, "2"),)), Aspect(3, "3"), Aspect(4, "4"))
SENTENCES = [{"text": "All of it.", "topics": ["1", "2", "3", "4"]}]


def test_a_query_as_the_published_ones_are_gets_no_hint():
    assert hints(LONG_ENOUGH, SENTENCES, TREE, TEXTS) == []


@pytest.mark.parametrize(("words", "is_told"), [(94, True), (95, False), (226, False), (227, True)])
def test_the_length_is_reported_outside_the_published_range(words, is_told):
    advice = hints(" ".join(["word"] * words), SENTENCES, TREE, TEXTS)

    assert advice == (
        [f"The query has {words} words; the published ones have 95 to 226."] * is_told
    )


def test_a_query_of_a_single_word_has_one_word():
    assert hints("Faults", SENTENCES, TREE, TEXTS) == [
        "The query has 1 word; the published ones have 95 to 226."
    ]


def test_an_aspect_without_sentences_and_a_sentence_of_no_aspect_are_reported():
    sentences = [{"text": "One.", "topics": ["1", "2", "3"]}, {"text": "Two.", "topics": []}]

    assert hints(LONG_ENOUGH, sentences, TREE, TEXTS) == [
        "Aspect C has no sentence of the query.",
        "Sentence 2 belongs to no aspect.",
    ]


def test_too_few_and_too_many_aspects_are_reported():
    texts = {str(n): f"Asks for thing{n}." for n in range(10)}
    sentences = [{"text": "All.", "topics": list(texts)}]
    ten = tuple(Aspect(n, n) for n in texts)

    assert hints(LONG_ENOUGH, sentences, ten[:1], texts) == ["There is 1 aspect; 3 to 9 are usual."]
    assert hints(LONG_ENOUGH, sentences, ten, texts) == ["There are 10 aspects; 3 to 9 are usual."]


@pytest.mark.parametrize(
    ("count", "expected"), [(6, []), (7, ["Aspect A has 7 sub-aspects; at most 6 are usual."])]
)
def test_more_sub_aspects_than_usual_are_reported(count, expected):
    texts = TEXTS | {f"s{n}": f"Part{n}." for n in range(count)}
    tree = (Aspect(1, "1", tuple(Aspect(f"s{n}", f"s{n}") for n in range(count))), *TREE[1:])
    sentences = [{"text": "All.", "topics": list(texts)}]

    assert hints(LONG_ENOUGH, sentences, tree, texts) == expected


def test_aspects_that_say_nearly_the_same_are_reported_by_number():
    texts = TEXTS | {"4": "The method should say how sure this is."}

    assert hints(LONG_ENOUGH, SENTENCES, TREE, texts) == ["Aspects B and C say nearly the same."]


def test_a_sub_aspect_as_long_as_its_aspect_is_reported():
    texts = TEXTS | {"2": "The paper detects loud faults in rotating machines."}

    assert hints(LONG_ENOUGH, SENTENCES, TREE, texts) == [
        "Sub-aspect A1 is as long as its aspect or longer. It should ask for no more."
    ]


def test_a_query_without_aspects_is_not_told_of_its_sentences():
    assert hints(LONG_ENOUGH, [{"text": "One.", "topics": []}], (), {}) == []


@pytest.mark.parametrize(
    ("text", "other_text", "expected"),
    [
        ("The model detects a fault.", "The paper detected faults.", 1.0),
        ("It works on sound.", "It is robust to noise.", 0.0),
        ("detect faults in engines", "detect faults in turbines", 0.5),
        ("", "", 0.0),
        ("the", "the", 1.0),
    ],
)
def test_similarity_is_the_share_of_common_stems(text, other_text, expected):
    assert similarity(text, other_text) == similarity(other_text, text) == expected


def test_stems_of_one_word_agree():
    assert len({stem(word) for word in ["annotate", "annotates", "annotated"]}) == 1
    assert len({stem(word) for word in ["query", "queries"]}) == 1
    assert (stem("is"), stem("sky"), stem("copy")) == ("is", "sky", "cop")


def test_near_duplicates_are_named_once():
    texts = {"a": "detect faults", "b": "detects a fault", "c": "something else"}

    assert near_duplicates(texts) == [("a", "b")]


def test_seven_words_of_ten_in_common_are_nearly_the_same_and_six_are_not():
    words = ["crack", "noise", "bearing", "turbine", "winter", "ocean", "signal"]
    texts = {"a": " ".join([*words, "left", "right"]), "b": " ".join([*words, "above"])}
    assert similarity(*texts.values()) == 0.7

    assert near_duplicates(texts) == [("a", "b")]
    assert near_duplicates(texts | {"b": texts["b"] + " below"}) == []
