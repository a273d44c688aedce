"""Refusals of endpoints as problem details, in the sentences of the pages."""

from typing import Any

from django.core.exceptions import NON_FIELD_ERRORS, BadRequest, PermissionDenied, ValidationError
from django.http import Http404, HttpResponse
from rest_framework import exceptions

from api.problem import problem
from audit.refusals import Refused
from formats.problems import BadInputError
from jobs.registry import SHOWN_ERRORS


def handler(error: Exception, context: dict[str, Any]) -> HttpResponse | None:
    """The answer to an error of an endpoint; None for what is an error of the program."""
    if isinstance(error, Refused):
        return problem(error.status, str(error))
    if isinstance(error, BadInputError):
        sentences = [str(entry) for entry in error.problems[:SHOWN_ERRORS]]
        return problem(422, error.sentence, problems=sentences)
    if isinstance(error, Http404):
        return problem(404, str(error) or "There is nothing at this address.")
    if isinstance(error, PermissionDenied):
        return problem(403, str(error) or "Your role does not allow this.")
    if isinstance(error, BadRequest):
        return problem(400, str(error))
    if isinstance(error, ValidationError):
        return problem(422, " ".join(error.messages))
    if not isinstance(error, exceptions.APIException):
        return None
    if isinstance(error, exceptions.UnsupportedMediaType):
        taken = [parser.media_type for parser in context["view"].get_parsers()]
        return problem(415, f"The body is of no type that is taken here: {_any_of(taken)}.")
    if isinstance(error, exceptions.NotAcceptable):
        given = [renderer.media_type for renderer in context["view"].get_renderers()]
        return problem(406, f"Accept names no format that is given here: {_any_of(given)}.")
    return _of_framework(error)


def _any_of(media_types: list[str]) -> str:
    return " or ".join(dict.fromkeys(media_types))


def _of_framework(error: exceptions.APIException) -> HttpResponse:
    if isinstance(error, exceptions.ValidationError):
        return problem(422, _sentences(error.detail), errors=error.detail)
    response = problem(error.status_code, _sentences(error.detail))
    if isinstance(error, (exceptions.NotAuthenticated, exceptions.AuthenticationFailed)):
        response.status_code = 401
        response["WWW-Authenticate"] = 'Bearer realm="facetwise"'
    if isinstance(error, exceptions.Throttled) and error.wait:
        response["Retry-After"] = str(int(error.wait))
    return response


def _sentences(detail: Any) -> str:
    """All problems of a form as one line; fields by their names, entries of a list by their numbers
    from 1."""
    if isinstance(detail, dict):
        return " ".join(_of_field(name, words) for name, words in detail.items())
    if isinstance(detail, list):
        return " ".join(
            _of_field(number, words) if isinstance(words, dict) else _sentences(words)
            for number, words in enumerate(detail)
            if words
        )
    return str(detail)


def _of_field(name: str | int, words: Any) -> str:
    if name == NON_FIELD_ERRORS:
        return _sentences(words)
    field = f"entry {name + 1}" if isinstance(name, int) else name
    return f"{field}: {_sentences(words)}"
