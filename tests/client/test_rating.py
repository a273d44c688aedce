"""Rating by program: what a pair is read as, and what a save says."""

import pytest
from facetwise.rating import Seat
from facetwise.texts import Option

from tests.client.fake import Server

ROW = {"id": "s1", "size": 2, "answered": 1, "handed_in_at": None, "return_reason": None}
TEXT = {
    "title": "Bearings that sing",
    "sentences": [{"text": "They wear.", "label": "background"}, {"text": "Why?", "label": ""}],
}
PAIR = {
    "position": 2,
    "facet": "method",
    "question": "How alike are the methods?",
    "query": TEXT | {"title": "A query", "description": "of sound", "narrative": "alone"},
    "document": TEXT,
    "side_text": {"title": "Model", "text": "An answer."},
    "answers": [{"key": "yes", "name": "Yes", "definition": "It is."}],
    "standing": {"answer": {"choice": None, "note": ""}, "version": "0", "schemeVersion": "3"},
}
RATED = PAIR | {
    "standing": {"answer": {"choice": "yes", "note": "seen"}, "version": "4", "schemeVersion": "3"}
}


def seat(server, **row):
    return Seat(server.connection, "collections/study", ROW | row)


def test_a_pair_is_read_with_both_texts_and_its_answers():
    server = Server(PAIR)

    pair = seat(server).pair(2)

    assert server.addresses == ["GET collections/study/own-seats/s1/pairs/2"]
    assert (pair.position, pair.facet, pair.question) == (2, "method", PAIR["question"])
    assert (pair.query.title, pair.query.description, pair.query.narrative) == (
        "A query",
        "of sound",
        "alone",
    )
    assert pair.document.title == "Bearings that sing"
    assert pair.document.text == "They wear. Why?"
    assert pair.document.labels == ["background", ""]
    assert pair.side_text == {"title": "Model", "text": "An answer."}
    assert pair.answers == [Option("yes", "Yes", "It is.")]
    assert pair.standing == PAIR["standing"]


@pytest.mark.parametrize(
    ("row", "answer", "note", "version"), [(PAIR, "", "", 0), (RATED, "yes", "seen", 4)]
)
def test_what_stands_is_empty_or_the_last_save(row, answer, note, version):
    pair = seat(Server(row)).pair(2)

    assert (pair.answer, pair.note, pair.version) == (answer, note, version)
    assert pair.scheme_version == 3


def test_only_pairs_without_an_answer_wait_and_each_is_read_in_its_turn():
    queue = [
        {"position": 1, "state": "rated", "is_flagged": False},
        {"position": 2, "state": "open", "is_flagged": True},
        {"position": 3, "state": "cannot judge", "is_flagged": False},
        {"position": 4, "state": "open", "is_flagged": False},
    ]
    server = Server(queue, PAIR, PAIR | {"position": 4})
    waiting = seat(server).waiting()

    assert next(waiting).position == 2
    assert len(server.requests) == 2
    assert [pair.position for pair in waiting] == [4]
    assert [path.rpartition("/")[2] for path in server.addresses] == ["pairs", "2", "4"]


def test_the_queue_of_a_seat_without_pairs_has_its_columns():
    assert list(seat(Server([])).queue().columns) == ["position", "state", "is_flagged"]


def test_a_save_says_which_version_of_answer_and_scheme_it_rests_on():
    server = Server(RATED, {"version": "5"})
    held = seat(server)

    version = held.rate(held.pair(2), "no", note="no", is_flagged=True, active_seconds=3.14159)

    assert version == 5
    assert server.addresses[-1] == "PUT collections/study/own-seats/s1/pairs/2"
    assert server.sent == {
        "answer": "no",
        "based_on": 4,
        "scheme_version": 3,
        "note": "no",
        "is_flagged": True,
        "active_seconds": 3.1,
    }


def test_a_reason_of_ones_own_is_sent_where_there_is_one():
    server = Server(PAIR, {"version": 1})
    held = seat(server)

    held.rate(held.pair(2), "other", own_reason="It is in Latin.")

    assert server.sent["own_reason"] == "It is in Latin."


@pytest.mark.parametrize(("row", "answered"), [(PAIR, 2), (RATED, 1)])
def test_a_first_answer_counts_and_a_changed_one_does_not(row, answered):
    server = Server(row, {"version": 5})
    held = seat(server)

    held.rate(held.pair(2), "yes")

    assert held.answered == answered


@pytest.mark.parametrize(("reason", "read"), [(None, ""), ("Look at 3.", "Look at 3.")])
def test_a_returned_seat_says_why(reason, read):
    assert seat(Server(), return_reason=reason).return_reason == read


def test_handing_in_is_one_request():
    server = Server({})

    seat(server).hand_in()

    assert server.addresses == ["POST collections/study/own-seats/s1/hand-in"]
