"""The client itself: where address and token come from, and a new collection."""

import httpx
import pytest
from facetwise import Client
from facetwise.jobs import Job

from tests.client.fake import Server


def client(server):
    return Client("https://example.org", "fw_x", transport=server.transport)


@pytest.fixture
def environment(monkeypatch):
    monkeypatch.setenv("FACETWISE_URL", "https://here.org")
    monkeypatch.setenv("FACETWISE_TOKEN", "fw_env")


def asked_by(server, **given):
    Client(transport=server.transport, **given).collections()
    [request] = server.requests
    return request.url.host, request.headers["Authorization"]


def test_address_and_token_come_from_the_environment(environment):
    assert asked_by(Server([])) == ("here.org", "Bearer fw_env")


def test_what_is_named_goes_before_the_environment(environment):
    assert asked_by(Server([]), url="https://there.org") == ("there.org", "Bearer fw_env")
    assert asked_by(Server([]), token="fw_mine") == ("here.org", "Bearer fw_mine")


@pytest.mark.parametrize("missing", ["FACETWISE_URL", "FACETWISE_TOKEN"])
def test_without_address_or_token_both_variables_are_named(environment, monkeypatch, missing):
    monkeypatch.delenv(missing)

    with pytest.raises(ValueError, match="FACETWISE_URL and FACETWISE_TOKEN"):
        Client()


def test_a_request_is_given_up_after_the_time_that_was_named():
    made = Client("https://example.org", "fw_x", timeout=7.0)

    assert made.connection._http.timeout == httpx.Timeout(7.0)


def test_the_connection_is_closed_at_the_end_of_the_block():
    with client(Server()) as made:
        assert not made.connection._http.is_closed

    assert made.connection._http.is_closed


def test_a_new_collection_is_asked_for_with_all_that_is_said_of_it():
    server = Server({"slug": "small", "link": "https://example.org/invitations/x/"})

    collection, link = client(server).create(
        "Small", slug="small", scheme="csfcube", lead="l@example.org", licence="CC BY 4.0"
    )

    assert server.addresses == ["POST collections"]
    assert server.sent == {
        "name": "Small",
        "slug": "small",
        "scheme": "csfcube",
        "lead_email": "l@example.org",
        "licence": "CC BY 4.0",
    }
    assert (collection.slug, link) == ("small", "https://example.org/invitations/x/")


def test_a_lead_without_an_address_is_not_sent_as_an_empty_one():
    server = Server({"slug": "small", "link": "x"})

    client(server).create("Small", slug="small", scheme="csfcube")

    assert "lead_email" not in server.sent


def test_a_job_is_waited_for_no_longer_than_the_client_was_told():
    running = dict.fromkeys(("stage", "message", "error"), "")
    running |= {"state": "running", "problems": [], "progress_done": 0, "progress_total": 0}
    server = Server(running)

    with pytest.raises(TimeoutError, match="after -1 seconds"):
        client(server).wait(Job(server.connection, "study", "1"), timeout=-1)
