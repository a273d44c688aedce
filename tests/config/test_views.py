import errno
import json
import uuid

import pytest
from django.core.exceptions import (
    BadRequest,
    RequestDataTooBig,
    SuspiciousOperation,
    TooManyFieldsSent,
    TooManyFilesSent,
)

from config import views
from config.outages import FILES


@pytest.mark.django_db
def test_healthz_changes_nothing_by_post(client):
    assert client.post("/healthz").status_code == 405


@pytest.mark.django_db
def test_every_answer_carries_the_security_headers(client):
    headers = client.get("/healthz").headers

    assert headers["Cache-Control"] == "no-store"
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"
    assert headers["Cross-Origin-Opener-Policy"] == "same-origin"
    assert set(headers["Content-Security-Policy"].split("; ")) == {
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "font-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "object-src 'none'",
        "frame-ancestors 'none'",
    }


# What is answered where no view answers, one rule each


def problem_of(answer):
    assert answer["Content-Type"] == "application/problem+json"
    return answer.status_code, json.loads(answer.content)["detail"]


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (BadRequest("rows is 9."), "rows is 9."),
        (
            RequestDataTooBig("Request body exceeded"),
            "MB were sent. Only data files may be larger.",
        ),
        (
            TooManyFieldsSent("The number of"),
            "fields were sent at once. Send fewer files at a time.",
        ),
        (TooManyFilesSent("The number of"), "files were sent at once. Pack them into a zip."),
        # What others raise may quote what was sent, or where in the program it was.
        (SuspiciousOperation("<b>x</b>"), "This request cannot be read."),
    ],
)
def test_a_request_that_cannot_be_read_is_refused_with_a_sentence_of_ours(rf, error, sentence):
    status, detail = problem_of(views.bad_request(rf.get("/api/v1/x"), error))
    page = views.bad_request(rf.get("/x"), error)

    assert (status, page.status_code) == (400, 400)
    assert detail.endswith(sentence)
    assert "<b>" not in page.content.decode()
    assert (detail in page.content.decode()) == (type(error) is not SuspiciousOperation)


def failed(request, error):
    """The answer to an error that nothing else answered."""
    try:
        raise error
    except type(error):
        return views.server_error(request)


def test_a_program_is_told_which_lines_of_the_log_are_about_its_request(rf):
    request = rf.get("/api/v1/x")
    request.id = uuid.UUID(int=7)

    assert problem_of(failed(request, KeyError("secret"))) == (
        500,
        f"This failed because of an error in Facetwise itself. Its log names {request.id}.",
    )


def test_an_error_before_a_request_has_its_id_has_a_page_all_the_same(rf):
    assert failed(rf.get("/x"), KeyError("secret")).status_code == 500


@pytest.mark.parametrize("address", ["/x", "/api/v1/x"])
def test_an_outage_outside_of_a_view_may_pass_as_any_other(rf, address):
    request = rf.get(address)
    request.resolver_match = None

    answer = failed(request, OSError(errno.ENOSPC, "No space left on device"))

    assert (answer.status_code, answer["Retry-After"]) == (503, "5")


def test_an_outage_without_room_for_its_page_is_a_plain_sentence(rf, monkeypatch):
    def no_file(*args):
        raise OSError(errno.EMFILE, "Too many open files")

    monkeypatch.setattr(views, "render_to_string", no_file)
    request = rf.get("/x")
    request.resolver_match = None

    answer = views.unavailable(request, FILES, OSError("x"))

    assert (answer.status_code, answer["Content-Type"]) == (503, "text/plain")
    assert answer.content.decode() == FILES.sentence
