"""Corpora as JSON lines: which files are some, and which of their documents are kept."""

import json

import pytest

from formats.assemble import Assembly
from formats.files import open_files
from formats.named_documents import add_row, first_row, is_corpus, read_corpus
from formats.reading import Options
from formats.records import Place, PoolEntry, Study

HERE = Place("corpus.jsonl", 3)


def study(*wanted):
    these = Assembly(Study("beir"), Options(judged_by="plain"))
    for document in wanted:
        these.add_pool(PoolEntry("q", None, document, (), None, "", "", HERE))
    return these


@pytest.fixture
def corpus(tmp_path):
    """A corpus of these lines, as readers get it."""

    def write(*lines):
        texts = (line if isinstance(line, str) else json.dumps(line) for line in lines)
        (tmp_path / "corpus.jsonl").write_text("".join(f"{text}\n" for text in texts))
        with open_files([tmp_path / "corpus.jsonl"]) as files:
            return files.all[0]

    return write


@pytest.mark.parametrize(
    ("row", "is_one"),
    [
        ({"_id": "d", "title": "T", "text": "One."}, True),
        ({"docno": "d", "contents": "One."}, True),
        ({"pid": 7, "passage": "One.", "docid": "whole"}, True),
        ({"corpusid": 7, "abstract": "One."}, True),
        ({"title": "T", "text": "One."}, False),
        ({"_id": "d", "title": "T"}, False),
        ({"_id": "q", "text": "What?", "query_id": "q"}, False),
        ({"id": 1, "query": "What?", "text": "One."}, False),
        ({"id": 1, "text": "What?", "specificity": 0}, False),
    ],
)
def test_a_corpus_has_an_id_and_a_text_in_its_first_line_and_no_query(corpus, row, is_one):
    assert is_corpus(corpus(row)) is is_one


@pytest.mark.parametrize("lines", [(), ("",), ("[1]",), ('{"_id"',), ("7",)])
def test_what_has_no_object_in_its_first_line_is_no_corpus(corpus, lines):
    file = corpus(*lines)

    assert first_row(file) == {}
    assert not is_corpus(file)


def test_the_first_line_that_is_not_empty_tells(corpus):
    assert first_row(corpus("", " ", {"_id": "d"}, {"_id": "e"})) == {"_id": "d"}


def test_documents_that_something_names_are_kept_and_the_others_counted(corpus):
    these = study("d", "7")
    lines = [
        {"_id": "d", "title": "T", "text": "One. Two.", "venue": "here", "award": None},
        "",
        {"_id": "e", "text": "Nobody named it."},
        {"_id": 7, "text": "A number.", "metadata": {"year": 1999, "venue": "there"}},
    ]

    read_corpus(these, corpus(*lines))

    assert [document[:6] for document in these.study.documents] == [
        ("d", "T", (("One.", None), ("Two.", None)), "One. Two.", {"venue": "here"},
         Place("corpus.jsonl", 1)),
        ("7", "", (("A number.", None),), "A number.", {"year": 1999, "venue": "there"},
         Place("corpus.jsonl", 4)),
    ]  # fmt: skip
    assert these.study.unpooled_documents == 1


def test_what_stands_beside_the_metadata_goes_before_them():
    these = study()

    add_row(these, {"_id": "d", "text": "One.", "metadata": {"a": 1, "b": 1}, "b": 2}, HERE, None)

    assert these.study.documents["d"].metadata == {"a": 1, "b": 2}


@pytest.mark.parametrize("metadata", ["1999", ["a"], None, 7])
def test_metadata_that_are_no_object_are_left_out(metadata):
    these = study()

    add_row(these, {"_id": "d", "text": "One.", "metadata": metadata}, HERE, None)

    assert these.study.documents["d"].metadata == {}


def test_keys_that_are_not_kept_are_left_out():
    these = study()

    add_row(these, {"id": "d", "text": "One.", "full": "Long.", "n": 1}, HERE, None, {"full"})

    assert these.study.documents["d"].metadata == {"n": 1}


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("[1]", "corpus.jsonl, line 2: this is a list; expected an object. Write one JSON object a "
         "line."),
        ('{"_id": "a b", "text": "x"}', "corpus.jsonl, line 2, column _id: the identifier 'a b' "
         "has white space"),
        ('{"_id": "", "text": "x"}', "corpus.jsonl, line 2, column _id: there is no identifier."),
        ('{"_id": 1.0, "text": "x"}', "corpus.jsonl, line 2: the identifier 1.0 is a decimal"),
        ('{"_id": "d", "text": ["x"]}', "corpus.jsonl, line 2: a list; expected text or a number."),
        ('{"_id": "d", "title": {}, "text": "x"}', "corpus.jsonl, line 2: an object; expected"),
        ('{"_id": "d"', "corpus.jsonl, line 3, column 1: broken JSON"),
        ('{"_id": "d", "text": "\\u0000"}', "corpus.jsonl, line 2: a NUL character"),
        ('{"_id": "d0", "text": "Another."}', "corpus.jsonl, line 2: the document d0 has another "
         "text in corpus.jsonl, line 1."),
    ],
)  # fmt: skip
def test_each_line_that_is_wrong_is_told_and_the_others_are_read(corpus, line, problem):
    these = study()

    read_corpus(
        these, corpus({"_id": "d0", "text": "One."}, line, {"_id": "d9", "text": "Nine."})
    )  # fmt: skip

    [told] = [str(problem) for problem in these.problems.first]
    assert told.startswith(problem)
    assert these.study.documents.ids == ["d0", "d9"]
