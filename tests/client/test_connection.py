"""Refusals, busy servers, and what a token is never sent over."""

import json

import httpx
import pytest
from facetwise.collection import Collection
from facetwise.connection import Connection, Refused


def connection(*answers):
    """A connection to a server that gives these answers in turn; keeps the requests."""
    left, requests, slept = list(answers), [], []

    def handle(request):
        requests.append(request)
        return left.pop(0)

    made = Connection(
        "https://example.org/",
        "fw_x",
        transport=httpx.MockTransport(handle),
        sleep=slept.append,
    )
    return made, requests, slept


def test_the_token_goes_with_every_request():
    made, requests, _ = connection(httpx.Response(200, json={}))

    made.get("collections", cursor="", rows="5")

    [request] = requests
    assert str(request.url) == "https://example.org/api/v1/collections?rows=5"
    assert request.headers["Authorization"] == "Bearer fw_x"


def test_a_seat_with_ratings_changes_hands_with_a_reason():
    made, requests, _ = connection(httpx.Response(204), httpx.Response(204))
    study = Collection(made, "study")

    study.assign("s1", "m1")
    study.assign("s1", None, reason="She left")

    assert [json.loads(request.content) for request in requests] == [
        {"holder": "m1"},
        {"holder": None, "reason": "She left"},
    ]


def test_a_refusal_has_the_sentence_and_the_status():
    problem = httpx.Response(403, json={"detail": "This token lacks the scope 'lead'."})
    made, *_ = connection(problem)

    with pytest.raises(Refused, match="lacks the scope 'lead'") as refused:
        made.get("x")

    assert refused.value.status == 403


def test_a_refusal_names_what_is_wrong_one_by_one():
    body = {"detail": "There is 1 problem.", "problems": ["a.run, line 1: It has no rank."]}
    made, _, _ = connection(httpx.Response(422, json=body))

    with pytest.raises(Refused, match=r"There is 1 problem\.\na\.run, line 1") as refused:
        made.get("x")

    assert refused.value.problems == body["problems"]


def test_an_answer_that_is_no_problem_is_reported_by_its_status():
    made, *_ = connection(httpx.Response(502, text="<html>Bad gateway"))

    with pytest.raises(Refused, match="502 Bad Gateway"):
        made.get("x")


def test_a_busy_server_is_asked_again_when_it_says():
    busy = httpx.Response(429, headers={"Retry-After": "3"})
    made, requests, slept = connection(busy, httpx.Response(503), httpx.Response(200, json=[]))

    assert made.get("x").json() == []
    assert (len(requests), slept) == (3, [3.0, 4.0])


def test_a_server_that_stays_busy_refuses_in_the_end():
    made, requests, _ = connection(*[httpx.Response(503) for _ in range(9)])

    with pytest.raises(Refused):
        made.get("x")

    assert len(requests) == 5


def test_a_redirect_is_not_followed_with_the_token():
    made, requests, _ = connection(httpx.Response(302, headers={"Location": "https://elsewhere/"}))

    with pytest.raises(Refused, match="302"):
        made.get("x")

    assert len(requests) == 1


def test_the_next_page_is_not_asked_for_elsewhere_with_the_token():
    following = "http://elsewhere.org/api/v1/runs?rows=1000&cursor=12"
    pages = [{"results": [1], "next": following}, {"results": [2], "next": None}]
    made, requests, _ = connection(*[httpx.Response(200, json=page) for page in pages])

    assert made.rows("runs") == [1, 2]
    assert str(requests[1].url) == "https://example.org/api/v1/runs?rows=1000&cursor=12"


@pytest.mark.parametrize("url", ["http://example.org", "ftp://example.org", "example.org", ""])
def test_a_token_is_not_sent_in_the_clear(url):
    with pytest.raises(ValueError, match="begins with https://"):
        Connection(url, "fw_x")


@pytest.mark.parametrize("url", ["http://localhost:8000", "http://127.0.0.1:1", "http://[::1]:1"])
def test_this_machine_may_be_asked_by_plain_http(url):
    Connection(url, "fw_x").close()


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("0", 0.0),
        ("30", 30.0),
        ("31", 30.0),
        ("9" * 400, 30.0),
        ("-1", 2.0),
        ("Sat, 28 Nov 2026 19:00:00 GMT", 2.0),
    ],
)
def test_no_header_makes_the_client_wait_longer_than_half_a_minute(header, seconds):
    busy = httpx.Response(503, headers={"Retry-After": header})
    made, _, slept = connection(busy, httpx.Response(200))

    made.get("x")

    assert slept == [seconds]


def test_a_server_that_does_not_say_when_is_given_twice_as_long_each_time():
    made, _, slept = connection(*[httpx.Response(429) for _ in range(5)])

    with pytest.raises(Refused):
        made.get("x")

    assert slept == [2.0, 4.0, 8.0, 16.0]


@pytest.mark.parametrize("status", [400, 401, 404, 409, 422, 500, 502])
def test_any_other_refusal_is_told_at_once(status):
    made, requests, slept = connection(httpx.Response(status))

    with pytest.raises(Refused) as refused:
        made.get("x")

    assert (refused.value.status, len(requests), slept) == (status, 1, [])


def test_ten_problems_are_shown_and_of_more_the_first_ten():
    def message(count):
        body = {"detail": "No.", "problems": [f"line {number}" for number in range(count)]}
        with pytest.raises(Refused) as refused:
            connection(httpx.Response(422, json=body))[0].get("x")
        assert len(refused.value.problems) == count
        return str(refused.value).split("\n")

    assert message(10) == ["No.", *(f"line {number}" for number in range(10))]
    assert message(11) == ["No.", *(f"line {number}" for number in range(10)), "…"]


@pytest.mark.parametrize("body", [[], "no", None, {"error": "x"}, {"detail": "x", "problems": 1}])
def test_json_that_is_no_problem_is_reported_by_its_status(body):
    made, *_ = connection(httpx.Response(400, json=body))

    with pytest.raises(Refused, match=r"answered 400 Bad Request\.$"):
        made.get("x")


def test_parameters_without_a_value_are_left_out_and_nothing_else():
    made, requests, _ = connection(httpx.Response(200))

    made.get("x", accept="text/csv", a=None, b="", c=0, d="0")

    assert str(requests[0].url) == "https://example.org/api/v1/x?c=0&d=0"
    assert requests[0].headers["Accept"] == "text/csv"


def test_pages_are_as_large_as_the_server_gives_them():
    made, requests, _ = connection(httpx.Response(200, json={"results": [], "next": None}))

    assert made.rows("runs") == []
    assert str(requests[0].url) == "https://example.org/api/v1/runs?rows=1000"


def broken(request):
    raise httpx.ReadError("The connection was lost.", request=request)


def test_a_change_is_sent_again_under_its_key_where_the_connection_breaks():
    keys, answers = [], [broken, lambda request: httpx.Response(200, json={"version": 1})]

    def handle(request):
        keys.append(request.headers["Idempotency-Key"])
        return answers.pop(0)(request)

    transport = httpx.MockTransport(handle)
    made = Connection("https://example.org", "x", transport=transport, sleep=lambda seconds: None)

    assert made.ask("PUT", "x", json={"answer": "similar"}).json() == {"version": 1}
    assert len(keys) == 2
    assert len(set(keys)) == 1


def test_a_connection_that_stays_broken_is_told_after_five_tries():
    requests, slept = [], []

    def handle(request):
        requests.append(request)
        broken(request)

    transport = httpx.MockTransport(handle)
    made = Connection("https://example.org", "x", transport=transport, sleep=slept.append)

    with pytest.raises(httpx.ReadError, match="was lost"):
        made.get("x")

    assert len(requests) == 5
    assert slept == [2.0, 4.0, 8.0, 16.0]


def test_a_key_of_ones_own_is_kept():
    made, requests, _ = connection(httpx.Response(200))

    made.ask("POST", "x", headers={"Idempotency-Key": "mine"})

    assert requests[0].headers["Idempotency-Key"] == "mine"


def test_each_change_has_a_key_of_its_own_and_reading_has_none():
    made, requests, _ = connection(*[httpx.Response(200, json={}) for _ in range(3)])

    made.ask("POST", "x")
    made.ask("POST", "x")
    made.get("x")

    keys = [request.headers.get("Idempotency-Key") for request in requests]
    assert keys[0] != keys[1]
    assert keys[2] is None
