"""Every refusal as a problem: its status, its sentence, and what a program may do with it."""

import json
from types import SimpleNamespace

import pytest
from django.core.exceptions import (
    NON_FIELD_ERRORS,
    BadRequest,
    PermissionDenied,
    ValidationError,
)
from django.http import Http404
from rest_framework import exceptions
from rest_framework.parsers import JSONParser, MultiPartParser
from rest_framework.renderers import JSONRenderer

from api.formats import CSV, NDJSON
from api.problems import handler
from audit.refusals import Invalid, Locked, NotAllowed, Refused, Stale
from formats.problems import BadInputError, Problem
from jobs.registry import SHOWN_ERRORS

VIEW = SimpleNamespace(
    get_parsers=lambda: [JSONParser(), MultiPartParser(), JSONParser()],
    get_renderers=lambda: [JSONRenderer(), CSV(), NDJSON()],
)


def answer_to(error):
    return handler(error, {"view": VIEW})


def body_of(error):
    answer = answer_to(error)
    body = json.loads(answer.content)
    assert answer["Content-Type"] == "application/problem+json"
    assert (body["type"], body["status"]) == ("about:blank", answer.status_code)
    return body


@pytest.mark.parametrize(
    ("error", "status", "title"),
    [
        (Refused("It is busy."), 409, "Conflict"),
        (NotAllowed("It is busy."), 404, "Not Found"),
        (Stale("It is busy.", current=3), 409, "Conflict"),
        (Invalid("It is busy."), 422, "Unprocessable Entity"),
        (Locked("It is busy."), 423, "Locked"),
        (BadRequest("It is busy."), 400, "Bad Request"),
        (ValidationError("It is busy."), 422, "Unprocessable Entity"),
        (Http404("It is busy."), 404, "Not Found"),
        (PermissionDenied("It is busy."), 403, "Forbidden"),
        (exceptions.ValidationError("It is busy."), 422, "Unprocessable Entity"),
        (exceptions.ParseError("It is busy."), 400, "Bad Request"),
        (exceptions.PermissionDenied("It is busy."), 403, "Forbidden"),
        (exceptions.NotAuthenticated("It is busy."), 401, "Unauthorized"),
        (exceptions.AuthenticationFailed("It is busy."), 401, "Unauthorized"),
    ],
)
def test_a_refusal_has_its_status_and_its_own_sentence(error, status, title):
    body = body_of(error)

    assert (body["status"], body["title"], body["detail"]) == (status, title, "It is busy.")


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (Http404(), "There is nothing at this address."),
        (PermissionDenied(), "Your role does not allow this."),
    ],
)
def test_a_refusal_without_a_sentence_is_given_one(error, sentence):
    assert body_of(error)["detail"] == sentence


@pytest.mark.parametrize("error", [ValueError("x"), KeyError("x"), RuntimeError("x")])
def test_an_error_of_the_program_is_no_refusal(error):
    assert answer_to(error) is None


@pytest.mark.parametrize(
    "error", [exceptions.NotAuthenticated("x"), exceptions.AuthenticationFailed("x")]
)
def test_whoever_is_not_known_learns_how_to_say_who_they_are(error):
    assert answer_to(error)["WWW-Authenticate"] == 'Bearer realm="facetwise"'


def test_nobody_else_is_asked_for_a_token():
    assert "WWW-Authenticate" not in answer_to(exceptions.PermissionDenied("x"))


@pytest.mark.parametrize(("wait", "header"), [(7, "7"), (6.2, "7"), (None, None)])
def test_who_asks_too_often_learns_when_to_go_on(wait, header):
    answer = answer_to(exceptions.Throttled(wait))

    assert answer.status_code == 429
    assert answer.get("Retry-After") == header


def test_several_sentences_of_one_field_are_all_said():
    error = ValidationError(["The name is taken.", "It is too long."])

    assert body_of(error)["detail"] == "The name is taken. It is too long."


def test_a_field_is_named_before_its_sentence_and_the_whole_form_is_not():
    wrong = {"people": ["Write a name."], NON_FIELD_ERRORS: ["Choose one of both."]}

    body = body_of(exceptions.ValidationError(wrong))

    assert body["detail"] == "people: Write a name. Choose one of both."
    assert body["errors"] == wrong


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        # As rows of fields come, and as plain lists do.
        ({"components": [{}, {"met": ["No."]}]}, "components: entry 2: met: No."),
        ({"batches": {0: ["No."], 2: ["Nor this."]}}, "batches: entry 1: No. entry 3: Nor this."),
    ],
)
def test_an_entry_of_a_list_is_named_by_its_number(wrong, sentence):
    assert body_of(exceptions.ValidationError(wrong))["detail"] == sentence


def test_a_body_of_another_type_is_told_each_type_that_is_taken_once():
    body = body_of(exceptions.UnsupportedMediaType("text/plain"))

    assert (body["status"], body["detail"]) == (
        415,
        "The body is of no type that is taken here: application/json or multipart/form-data.",
    )


def test_an_accept_that_nothing_meets_is_told_what_there_is():
    body = body_of(exceptions.NotAcceptable())

    assert (body["status"], body["detail"]) == (
        406,
        "Accept names no format that is given here: application/json or text/csv or "
        "application/x-ndjson.",
    )


def test_problems_of_files_are_named_one_by_one_and_counted_beyond():
    problems = [Problem("a.csv", f"line {n}", "It has no id.", "Add one.") for n in range(1, 200)]

    body = body_of(BadInputError(problems, 250))

    assert body["status"] == 422
    assert body["detail"].startswith("There are 250 problems with the input. Nothing was stored.")
    assert len(body["problems"]) == SHOWN_ERRORS
    assert body["problems"][0] == "a.csv, line 1: It has no id. Add one."
