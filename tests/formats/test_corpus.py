"""Reading documents in BEIR's shape."""

import json

import pytest

from formats.corpus import read_corpus
from formats.problems import BadInputError


def line(external_id="d1", **more):
    return json.dumps({"_id": external_id, "title": "A title", "text": "A text."} | more)


def problems(*lines):
    data = "\n".join(lines).encode()
    with pytest.raises(BadInputError) as raised:
        read_corpus(data, file="corpus.jsonl")
    return [str(problem) for problem in raised.value.problems]


def test_documents_come_in_the_order_of_their_lines():
    data = f"{line('d2')}\n\n{line('d1', metadata={'year': 2001}, venue='here')}\n".encode()

    first, second = read_corpus(data, file="corpus.jsonl")

    assert (first.external_id, first.title, first.text, first.line) == (
        "d2", "A title", "A text.", 1,
    )  # fmt: skip
    assert (second.external_id, second.line) == ("d1", 3)
    assert (second.metadata, second.extra) == ({"year": 2001}, {"venue": "here"})


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        ("[]", "line 2: this is a list; expected an object."),
        ('{"_id": "d", "title": "T"}', "the key 'text' is missing."),
        ('{"_id": "d", "text": "T"}', "the key 'title' is missing."),
        (line(5), "the identifier 5 is a number; expected text."),
        (line("a b"), "white space"),
        (line("d", text="  "), "the document 'd' has no text."),
        (line("d", title=""), "the document 'd' has no title."),
        (line("d", text=["x"]), "'text' is a list; expected text."),
        (line("d", metadata=1), "'metadata' is a number; expected an object."),
        (line("d0"), "the document 'd0' stands in line 1 already."),
        ('{"_id": "d",', "line 2, column"),
        ('{"_id": "d", "_id": "e", "title": "T", "text": "T"}', "occurs twice"),
        (line("d", text="\x00"), "NUL"),
    ],
)
def test_a_bad_line_is_named_with_what_is_wrong(bad, words):
    [problem] = problems(line("d0"), bad, line("d9"))

    assert problem.startswith("corpus.jsonl, line 2")
    assert words in problem


def test_every_bad_line_is_reported_and_the_first_hundred_listed():
    with pytest.raises(BadInputError) as raised:
        read_corpus(b"1\n" * 120, file="corpus.jsonl")

    assert raised.value.total == 120
    assert len(raised.value.problems) == 100


def test_a_file_that_is_no_text_is_recognised_by_its_content():
    with pytest.raises(BadInputError) as raised:
        read_corpus(b"PK\x03\x04rest", file="corpus.jsonl")

    assert "a zip archive" in str(raised.value.problems[0])


def test_a_file_without_documents_is_refused():
    assert problems("", "  ") == [
        "corpus.jsonl: the file has no document. Write one JSON object a line."
    ]


def test_bytes_that_are_not_utf_8_are_placed():
    with pytest.raises(BadInputError) as raised:
        read_corpus(line().encode() + b'\n{"_id": "\xff"}', file="corpus.jsonl")

    assert str(raised.value.problems[0]).startswith("corpus.jsonl, line 2, byte")
