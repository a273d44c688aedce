"""A dataset of ir_datasets, where the library is installed."""

import sys
from collections import namedtuple
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
