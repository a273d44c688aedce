"""Declarations that the OpenAPI schema is made from. They are only written down here:
`api/openapi.py` makes the schema, so that no other request imports the libraries for it.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from rest_framework import serializers

from api.columns import Column, Kind
from api.formats import TABLES
from api.problem import PROBLEM
from datasets.models import Role, Scope

FIELDS: dict[Kind, Any] = {
    Kind.ID: serializers.UUIDField,
    Kind.TEXT: serializers.CharField,
    Kind.INTEGER: serializers.IntegerField,
    Kind.NUMBER: serializers.FloatField,
    Kind.FLAG: serializers.BooleanField,
    Kind.TIME: serializers.DateTimeField,
    Kind.DAY: serializers.DateField,
    Kind.TEXTS: serializers.ListField,
    Kind.DATA: serializers.JSONField,
}


@dataclass(frozen=True)
class Parameter:
    """A parameter of an address, or a header."""

    name: str
    about: str
    is_header: bool = False
    is_uuid: bool = False
    is_needed: bool = False


@dataclass(frozen=True)
class Answer:
    """An answer and what it says. `body` is a serializer, or bytes."""

    body: Any
    about: str


@dataclass(frozen=True)
class Operation:
    """The schema's words for one method of an endpoint; `answers` by status and media type."""

    name: str
    summary: str
    tag: str
    request: Any
    answers: dict[Any, Any]
    parameters: list[Parameter] = field(default_factory=list)

    def about(self, scope: Scope, roles: tuple[Role, ...]) -> str:
        """The summary, and who may call it."""
        callers = ", ".join(f"{role.value}s" for role in roles) or "whoever holds the token"
        return f"{self.summary}\n\nFor {callers}; scope `{scope}`."


class Problem(serializers.Serializer):
    """A refusal (RFC 9457). `detail` is the sentence that the pages say."""

    type = serializers.CharField()
    title = serializers.CharField()
    status = serializers.IntegerField()
    detail = serializers.CharField()


REFUSALS = {
    (status, PROBLEM): Answer(Problem, words)
    for status, words in {
        400: "The request cannot be read.",
        401: "There is no token, or it gives no access.",
        403: "Your role or the token's scopes do not allow this.",
        404: "There is no such object that you may see.",
        406: "There is no answer in a format that `Accept` names.",
        429: "The token asks too often; `Retry-After` says when to go on.",
    }.items()
}
# Of what reads a body.
BODY_REFUSALS = {(415, PROBLEM): Answer(Problem, "The body has an unsupported type.")}
UPLOAD_REFUSALS = {(413, PROBLEM): Answer(Problem, "The files are larger than the limit.")}
CONFLICTS = {
    (status, PROBLEM): Answer(Problem, words)
    for status, words in {
        409: "Something else has changed meanwhile, or stands in the way.",
        422: "The input cannot be accepted as it is.",
        423: "The object takes no more changes.",
    }.items()
}


def row_serializer(name: str, columns: tuple[Column, ...]) -> type[serializers.Serializer]:
    fields = {}
    for column in columns:
        options: dict[str, Any] = {"help_text": column.about}
        if column.kind is not Kind.DATA:
            options["allow_null"] = True
        if column.kind is Kind.TEXTS:
            options["child"] = serializers.CharField()
        fields[column.name] = FIELDS[column.kind](**options)
    return type(f"{camel(name)}Row", (serializers.Serializer,), fields)


def page_serializer(name: str, row: type[serializers.Serializer]) -> type[serializers.Serializer]:
    fields = {
        "results": row(many=True),
        "next": serializers.CharField(
            allow_null=True, help_text="The address of the next page; null at the end."
        ),
    }
    return type(f"{camel(name)}Page", (serializers.Serializer,), fields)


def camel(name: str) -> str:
    return "".join(part.capitalize() for part in name.replace(":", "-").split("-"))


def key_header(*, needed: bool) -> Parameter:
    return Parameter(
        "Idempotency-Key",
        "A UUID of your own for this request. Sent again under it, the request acts no second "
        "time and gets the same answer.",
        is_header=True,
        is_uuid=True,
        is_needed=needed,
    )


def files(about: str) -> dict[Any, Any]:
    """The answers of a table in each format but JSON."""
    return {(200, renderer.media_type): Answer(bytes, about) for renderer in TABLES}


def described(
    operation: str,
    summary: str,
    *,
    answers: dict,
    tag: str = "Read",
    request: Any = None,
    parameters: list[Parameter] | None = None,
) -> Callable[[Any], Any]:
    """A decorator with what the schema says of one method of an endpoint. Who may call it is the
    endpoint's to say."""
    refusals = REFUSALS | (BODY_REFUSALS if request else {})
    if isinstance(request, dict):  # by media type: files
        refusals |= UPLOAD_REFUSALS

    def write_down(method: Any) -> Any:
        method.operation = Operation(
            operation, summary, tag, request, answers | refusals, parameters or []
        )
        return method

    return write_down
