"""Schemathesis: whatever anybody sends to the API, it never fails, and never answers what its
schema does not say."""

import re

import pytest
import schemathesis
from django.core.handlers.wsgi import WSGIHandler
from django.db import transaction
from django.urls import resolve
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import FailureGroup
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from api.page import schema
from tests.proof.world import make_world, routes

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
# An annotator, an adjudicator, a lead, a lead who rates, a site admin's token, no token.
WHO = ["alice", "carol", "lena", "nora", "ada", "anonymous"]
# Mostly any: what an operation does not write, it refuses before it does anything.
FORMATS = [*["*/*"] * 6, "text/csv", "application/x-ndjson", "text/plain", "application/pdf"]


@pytest.fixture
def world(db, unlimited, kept_connection):
    return make_world()


def objects_of(world):
    """What the addresses of operations may name, {path: its parameters}."""
    matches = [resolve(world.address(route)) for route in routes() if route.startswith("api:")]
    paths = {re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", match.route): match.kwargs for match in matches}
    return {path.removeprefix("api/v1"): kwargs for path, kwargs in paths.items()}


def operations():
    loaded = schemathesis.openapi.from_dict(schema())
    loaded.app = WSGIHandler()
    loaded.config.generation.with_security_parameters = False  # who asks is drawn here
    return [operation.ok() for operation in loaded.get_all_operations()]


def requests_to(operation, named):
    """Requests as the schema has them, and as it has them not; most name what there is."""
    cases = st.sampled_from([GenerationMode.POSITIVE, GenerationMode.NEGATIVE]).flatmap(
        operation.as_strategy
    )
    return st.tuples(cases, st.sampled_from([named, named, {}]), st.sampled_from(FORMATS))


def answered(world, case, person, accept):
    """The failures of an answer to one person, with every effect rolled back."""
    headers = {"Accept": accept, "Accept-Encoding": "identity"}
    if token := world.tokens.get(person):
        headers["Authorization"] = f"Bearer {token}"
    with transaction.atomic():
        response = case.call(headers=headers)
        transaction.set_rollback(True)
    try:
        case.validate_response(response, checks=CHECKS)
    except FailureGroup as group:
        return [f"{failure.title}: {failure.message}" for failure in group.exceptions]
    return []


def test_no_request_fails_or_is_answered_outside_the_schema(world, stress):
    named = objects_of(world)
    wrong = {}

    def sweep(number, operation):
        # On a push a lead, who may do most, or in turn one of all.
        people = stress({"lena" if number % 3 else WHO[number // 3 % len(WHO)]}, WHO)

        @seed(number)
        @settings(
            max_examples=stress(1, 100),
            database=None,
            deadline=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(request=requests_to(operation, named[operation.path]))
        def send(request):
            case, parameters, accept = request
            case.path_parameters = case.path_parameters | {
                name: str(value) for name, value in parameters.items()
            }
            for person in sorted(people):
                for failure in answered(world, case, person, accept):
                    wrong.setdefault(
                        (operation.label, failure), f"{person}: {case.as_curl_command()}"
                    )

        send()

    for number, operation in enumerate(operations()):
        sweep(number, operation)

    lines = [f"{label} {failure}\n  {request}" for (label, failure), request in wrong.items()]
    assert not wrong, "\n".join(lines)
