"""A dataset of ir_datasets, where the library is installed."""

import sys
from collections import namedtuple
from dataclasses import replace
from types import SimpleNamespace

import pytest

from formats import irds
from formats.files import Files
from formats.problems import BadInputError
from formats.reading import Options

OPTIONS = Options(judged_by="plain", settings={"ids": ["toy/test"]})
NOTHING = Files(())
Query = namedtuple("Query", ["query_id", "title", "description", "narrative"])
Doc = namedtuple("Doc", ["doc_id", "title", "text", "year"])
Qrel = namedtuple("Qrel", ["query_id", "doc_id", "relevance", "iteration"])


@pytest.fixture
def library(monkeypatch):
    """A stand-in for the library, with one dataset."""
    dataset = SimpleNamespace(
        has_queries=lambda: True, queries_iter=lambda: [Query("1", "A?", "D", "N")],
        has_docs=lambda: True,
        docs_iter=lambda: [Doc("d1", "T", "One. Two.", 1999), Doc("d2", "U", "Three.", 1)],
        has_qrels=lambda: True, qrels_iter=lambda: [Qrel("1", "d1", 2, "0")],
        qrels_defs=lambda: {2: "relevant"},
    )  # fmt: skip
    stand_in = SimpleNamespace(load={"toy/test": dataset}.__getitem__)
    monkeypatch.setitem(sys.modules, "ir_datasets", stand_in)


def test_dataset_is_read_as_a_study(library):
    study = irds.read(NOTHING, OPTIONS)

    assert [query[:5] for query in study.queries] == [("1", "A?", "", "D", "N")]
    assert [(document.id, document.title, document.metadata) for document in study.documents] == [
        ("d1", "T", {"year": 1999})
    ]
    (judgments,) = study.judgments
    assert [judgment[:3] for judgment in judgments.judgments] == [("1", "d1", "2")]
    assert judgments.note == "2: relevant"
    assert study.unpooled_documents == 1


def test_name_that_the_library_does_not_know_is_reported(library):
    with pytest.raises(BadInputError) as caught:
        irds.read(NOTHING, Options(settings={"ids": ["toy/other"]}))

    assert "no dataset of this name" in caught.value.problems[0].message


def test_library_that_is_not_installed_is_reported(monkeypatch):
    monkeypatch.setitem(sys.modules, "ir_datasets", None)

    with pytest.raises(BadInputError) as caught:
        irds.read(NOTHING, OPTIONS)

    assert "not installed" in caught.value.problems[0].message


def test_a_document_that_is_wrong_is_named(library):
    dataset = sys.modules["ir_datasets"].load("toy/test")
    dataset.docs_iter = lambda: [Doc("d1", "T", "One.", 1999), Doc("d1", "T", "Two.", 1999)]

    with pytest.raises(BadInputError) as caught:
        irds.read(NOTHING, OPTIONS)

    [problem] = caught.value.problems
    assert (problem.file, problem.place) == ("toy/test", "document d1")


def dataset(**changes):
    """The stand-in's dataset with other methods; one that is None it does not have."""
    toy = sys.modules["ir_datasets"].load("toy/test")
    for kind, rows in changes.items():
        setattr(toy, f"has_{kind}", lambda rows=rows: rows is not None)
        setattr(toy, f"{kind}_iter", lambda rows=rows: iter(rows or ()))
    return toy


def problems_of():
    with pytest.raises(BadInputError) as caught:
        irds.read(NOTHING, OPTIONS)
    return [str(problem) for problem in caught.value.problems]


Asked = namedtuple("Asked", ["query_id", "query", "tags", "year"])
Passage = namedtuple("Passage", ["doc_id", "title", "abstract", "body", "links", "url"])


def test_texts_are_found_under_the_names_that_datasets_use(library):
    dataset(
        queries=[Asked("1", "What?", ["a"], 2001)],
        docs=[Passage("d1", None, "", "One.", ["a"], "https://example.org")],
        qrels=None,
    )

    study = irds.read(NOTHING, OPTIONS)

    assert [(query.text, query.metadata) for query in study.queries] == [("What?", {"year": 2001})]
    assert [(document.title, document.text, document.metadata) for document in study.documents] == [
        ("", "One.", {"url": "https://example.org"})
    ]


def test_judged_documents_are_the_pool_and_grades_are_judgments(library):
    dataset(qrels=[Qrel("1", "d2", 0, "0"), Qrel("1", "d1", -1, "0"), Qrel("9", "d1", 1, "0")])

    study = irds.read(NOTHING, OPTIONS)

    assert [(entry.query, entry.document) for entry in study.pool] == [("1", "d2"), ("1", "d1")]
    [judgments] = study.judgments
    assert (judgments.name, judgments.level) == ("toy/test", "topic")
    assert [judgment[:3] for judgment in judgments.judgments] == [
        ("1", "d2", "0"), ("1", "d1", "-1"), ("9", "d1", "1"),
    ]  # fmt: skip
    assert study.documents.ids == ["d1", "d2"]


def test_the_words_of_the_grades_are_noted_from_the_least_on(library):
    dataset().qrels_defs = lambda: {2: "fits", -1: "spam", 0: "no"}

    assert irds.read(NOTHING, OPTIONS).judgments[0].note == "-1: spam; 0: no; 2: fits"


def test_all_documents_are_kept_where_that_is_asked_for(library):
    study = irds.read(NOTHING, replace(OPTIONS, keep_unpooled=True))

    assert (study.documents.ids, study.unpooled_documents) == (["d1", "d2"], 0)


def test_several_datasets_are_one_study(library, monkeypatch):
    load = sys.modules["ir_datasets"].load
    more = SimpleNamespace(
        has_queries=lambda: True, queries_iter=lambda: [Query("2", "B?", "", "")],
        has_docs=lambda: False, has_qrels=lambda: False,
    )  # fmt: skip
    sets = {"toy/test": load("toy/test"), "toy/more": more}
    monkeypatch.setattr(sys.modules["ir_datasets"], "load", sets.__getitem__)

    study = irds.read(NOTHING, Options(judged_by="plain", settings={"ids": list(sets)}))

    assert [str(query.place) for query in study.queries] == [
        "toy/test, query 1", "toy/more, query 2",
    ]  # fmt: skip
    assert study.fingerprint == "ir_datasets:toy/test,toy/more"


def test_a_judgment_that_stands_twice_counts_once_and_is_told(library):
    dataset(qrels=[Qrel("1", "d1", 1, "0"), Qrel("1", "d1", 1, "0")])

    study = irds.read(NOTHING, OPTIONS)

    assert [judgment[:3] for judgment in study.judgments[0].judgments] == [("1", "d1", "1")]
    assert study.left_out_in_words == [
        "Left out: toy/test, qrel 1 d1: The same judgment stands there twice."
    ]


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"queries": [Query("1 a", "A?", "", "")], "qrels": None},
         "toy/test, query 1 a: the identifier '1 a' has white space"),
        ({"queries": [Query("1", "", "", "")]}, "toy/test, query 1: the query 1 has no text"),
        ({"qrels": [Qrel("1", "d 1", 1, "0")]},
         "toy/test, qrel 1 d 1: the identifier 'd 1' has white space"),
        ({"qrels": [Qrel("1", "d1", 1, "0"), Qrel("1", "d1", 2, "1")]},
         "toy/test, qrel 1 d1: the document is judged as 1 and as 2."),
        ({"docs": [Doc("d 1", "T", "One.", 1)], "qrels": None},
         "toy/test, document d 1: the identifier 'd 1' has white space"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_with_its_record(library, changes, problem):
    dataset(**changes)

    [told] = problems_of()
    assert told.startswith(problem)


def test_no_file_is_a_dataset():
    assert irds.recognise(NOTHING) is None
