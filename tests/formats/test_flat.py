"""Rows that have it all: a query, a document and their texts."""

import pytest

from formats.assemble import Assembly
from formats.flat import FlatPair, add_pair
from formats.reading import Options
from formats.records import Place, Study

HERE = Place("pairs.csv", 2)


def study(**options):
    return Assembly(Study("tables"), Options(**{"judged_by": "plain"} | options))


def pair(query="q", document="d", **texts):
    return FlatPair(query, document, HERE, **{"query_text": "What?", "text": "One. Two."} | texts)


def problems_of(these):
    return [str(problem) for problem in these.problems.first]


def test_a_row_brings_a_query_a_document_and_a_candidate():
    these = study()

    topic = add_pair(these, pair(title="T", description="D", narrative="N", side_title="S",
                                 side_text="An answer."))  # fmt: skip

    assert topic == "q"
    assert these.queries["q"].record == ("q", "What?", "", "D", "N", {}, HERE, None, None, {})
    assert these.study.documents["d"][:4] == (
        "d", "T", (("One.", None), ("Two.", None)), "One. Two.",
    )  # fmt: skip
    assert list(these.pool.values()) == [("q", "q", "d", (), None, "S", "An answer.", HERE)]


def test_a_query_with_a_title_and_a_text_is_a_paper():
    these = study()

    add_pair(these, pair(query_title="A paper", query_text="Its abstract."))

    assert these.queries["q"].record[1:3] == ("", "q")
    assert these.query_documents["q"][:4] == (
        "q", "A paper", (("Its abstract.", None),), "Its abstract.",
    )  # fmt: skip


@pytest.mark.parametrize("texts", [{"query_title": "What?", "query_text": ""}, {}])
def test_a_query_with_either_is_asked_in_words(texts):
    these = study()

    add_pair(these, pair(**texts))

    assert these.queries["q"].record[1:3] == ("What?", "")
    assert these.query_documents == {}


def test_rows_repeat_a_query_and_a_document_with_the_same_texts():
    these = study()

    for document in "ded":
        assert add_pair(these, pair(document=document)) == "q"

    assert these.study.documents.ids == ["d", "e"]
    assert list(these.pool) == [("q", "q", "d"), ("q", "q", "e")]
    assert (problems_of(these), these.study.left_out) == ([], [])


@pytest.mark.parametrize(
    ("again", "problem"),
    [
        ({"query_text": "How?"}, "the query q has another text in pairs.csv, line 2."),
        ({"text": "Three."}, "the document d has another text in pairs.csv, line 2."),
        ({"title": "T"}, "the document d has another text in pairs.csv, line 2."),
        ({"query_text": ""}, "the query q has another text in pairs.csv, line 2."),
    ],
)
def test_another_text_of_either_is_refused(again, problem):
    these = study()

    add_pair(these, pair())
    add_pair(these, pair(**again))

    [told] = problems_of(these)
    assert told.startswith(f"pairs.csv, line 2: {problem}")


def test_a_query_stands_under_several_facets():
    these = study(judged_by="facets", facets=("background", "method"))

    topics = [add_pair(these, pair(facet=facet)) for facet in ("method", "Background")]

    assert topics == ["q_method", "q_background"]
    assert list(these.pool) == [("q", "q_method", "d"), ("q", "q_background", "d")]


@pytest.mark.parametrize(
    ("bad", "told"),
    [
        ({"query": "a b"}, ["the identifier 'a b' has white space"]),
        ({"document": ""}, ["there is no document."]),
        ({"query": "", "document": "a b"}, ["there is no query.", "the identifier 'a b' has"]),
        ({"facet": "mood"}, ["the facet 'mood' is not in the scheme."]),
    ],
)
def test_a_row_with_a_problem_has_no_topic_and_brings_no_candidate(bad, told):
    these = study(judged_by="facets", facets=("method",))

    assert add_pair(these, pair(**bad)) is None

    messages = [problem.message for problem in these.problems.first]
    assert [message[: len(start)] for message, start in zip(messages, told, strict=True)] == told
    assert these.pool == {}
