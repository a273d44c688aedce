"""Guessing the sentences of a query's text."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from datasets.sentences import split_sentences


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("I read one text. I need another one.", ["I read one text.", "I need another one."]),
        ("Is it so? It is! Good… Then go on.", ["Is it so?", "It is!", "Good…", "Then go on."]),
        (
            "Some methods, e.g. BM25, i.e. weights, help. So do others.",
            ["Some methods, e.g. BM25, i.e. weights, help.", "So do others."],
        ),
        ("As Doe et al. Showed it.", ["As Doe et al. Showed it."]),
        ("See Fig. 3 and Eq. 4. Then stop.", ["See Fig. 3 and Eq. 4.", "Then stop."]),
        ("It has version 3.5 of it. 40 papers do.", ["It has version 3.5 of it.", "40 papers do."]),
        ("I say no. Others say yes, as in no. 5.", ["I say no.", "Others say yes, as in no. 5."]),
        ("J. Smith wrote it. Others read.", ["J. Smith wrote it.", "Others read."]),
        ("The work of Anna B. Smith is old.", ["The work of Anna B. Smith is old."]),
        ("They lack vitamin C. The rest is fine.", ["They lack vitamin C.", "The rest is fine."]),
        ("So do I. You too.", ["So do I.", "You too."]),
        (
            'He said "stop." (It was late.) Then he left.',
            ['He said "stop."', "(It was late.)", "Then he left."],
        ),
        ("A heading\n\nand its text.", ["A heading", "and its text."]),
        ("One line\nwrapped by hand.", ["One line\nwrapped by hand."]),
        ("one. two, in lower case.", ["one. two, in lower case."]),
        ("It is so。", ["It is so。"]),
        ("  \n ", []),
        ("", []),
    ],
)
def test_sentences_end_where_a_reader_says(text, sentences):
    assert split_sentences(text) == sentences


@given(st.text(alphabet="ab A.?! \n'\"(1é", max_size=60))
def test_no_word_is_lost_or_moved(text):
    assert " ".join(split_sentences(text)).split() == text.split()


def test_the_sentences_of_the_published_queries_are_found(shared_data):
    file = shared_data / "doris-mae-sample" / "DORIS-MAE_dataset_v1.json"
    queries = json.loads(file.read_text(encoding="utf-8"))["Query"]

    found = [split_sentences(query["query_text"]) for query in queries]

    assert found == [[text.strip() for text in query["sent2aspect_id"]] for query in queries]
