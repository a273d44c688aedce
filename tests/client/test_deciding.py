"""Adjudicating by program: what a dispute is read as, and what a decision says."""

import math

import pytest
from facetwise.deciding import Desk
from facetwise.texts import Option

from tests.client.fake import Server

TEXT = {"title": "Bearings", "sentences": [{"text": "They wear.", "label": "method"}]}
CASE = {
    "id": "p1",
    "topic": "q1_method",
    "facet": "method",
    "question": "How alike are the methods?",
    "query": TEXT | {"title": "A query", "description": "of sound", "narrative": "alone"},
    "document": TEXT,
    "side_text": None,
    "options": [{"key": "yes", "name": "Yes", "definition": "It is."}],
    "causes": [{"key": "guidelines", "name": "Guidelines"}, {"key": "slip", "name": "Slip"}],
    "ratings": [{"rater": "A", "option": "yes"}, {"rater": "B", "option": None}],
    "decision": None,
    "reopened": None,
}


def desk(server):
    return Desk(server.connection, "collections/study")


def test_a_dispute_is_read_with_texts_options_causes_and_nameless_ratings():
    server = Server(CASE)

    case = desk(server).case("p1")

    assert server.addresses == ["GET collections/study/adjudication/p1"]
    assert (case.id, case.topic, case.facet, case.question) == (
        "p1",
        "q1_method",
        "method",
        CASE["question"],
    )
    assert (case.query.title, case.query.narrative) == ("A query", "alone")
    assert (case.document.text, case.side_text) == ("They wear.", None)
    assert case.options == [Option("yes", "Yes", "It is.")]
    assert case.causes == ["guidelines", "slip"]
    assert case.ratings["rater"].tolist() == ["A", "B"]
    assert (case.decision, case.reopened) == (None, None)


def test_ratings_that_wait_for_a_first_grade_are_none_and_not_an_empty_table():
    assert desk(Server(CASE | {"ratings": None})).case("p1").ratings is None


def test_a_reopened_pair_says_why():
    case = desk(Server(CASE | {"reopened": "The text was cut."})).case("p1")

    assert case.reopened == "The text was cut."


def test_the_queue_has_its_columns_also_where_nothing_waits():
    frame = desk(Server({"results": [], "next": None})).queue()

    assert list(frame.columns) == ["pair", "topic", "facet", "title"]


def test_waiting_disputes_are_read_in_their_turn():
    rows = [{"pair": f"p{n}", "topic": "t", "facet": "f", "title": "x"} for n in (1, 2)]
    server = Server({"results": rows, "next": None}, CASE, CASE | {"id": "p2"})
    waiting = desk(server).waiting()

    assert next(waiting).id == "p1"
    assert len(server.requests) == 2
    assert next(waiting).id == "p2"


def test_a_first_decision_rests_on_none():
    server = Server(CASE, {"kept": "decision", "id": "c1"})
    table = desk(server)

    kept = table.decide(table.case("p1"), "yes", reason="weighed", cause="slip")

    assert kept == {"kept": "decision", "id": "c1"}
    assert server.addresses[-1] == "POST collections/study/adjudication/p1"
    assert server.sent == {"option": "yes", "reason": "weighed", "cause": "slip"}


def test_a_changed_decision_names_the_one_that_was_read():
    server = Server(CASE | {"decision": {"id": "c1"}}, {})
    table = desk(server)

    table.decide(table.case("p1"), "yes")

    assert server.sent["based_on"] == "c1"


def test_a_pair_is_left_out_by_none():
    server = Server(CASE, {})
    table = desk(server)

    table.decide(table.case("p1"), None, reason="It is no paper.")

    assert server.sent == {"option": None, "reason": "It is no paper.", "cause": ""}


@pytest.mark.parametrize("option", [math.nan, 1, 2.0, True])
def test_an_option_that_is_no_key_is_refused_before_anything_is_sent(option):
    server = Server(CASE)
    table = desk(server)
    case = table.case("p1")

    with pytest.raises(TypeError, match=f"by its key, not by {option!r}"):
        table.decide(case, option)

    assert len(server.requests) == 1
