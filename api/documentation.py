"""What the OpenAPI schema says of endpoints, from what they are declared with."""

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers

from api.columns import Column, Kind
from api.formats import TABLES
from api.problem import PROBLEM

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


class TokenScheme(OpenApiAuthenticationExtension):
    target_class = "api.authentication.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer", "description": "A token made in the browser."}


class Problem(serializers.Serializer):
    """A refusal (RFC 9457). `detail` is the sentence that the pages say."""

    type = serializers.CharField()
    title = serializers.CharField()
    status = serializers.IntegerField()
    detail = serializers.CharField()


REFUSALS = {
    (status, PROBLEM): OpenApiResponse(Problem, words)
    for status, words in {
        400: "The request cannot be read.",
        401: "There is no token, or it opens nothing.",
        403: "Your role or the token's scopes do not allow this.",
        404: "To you there is no such object.",
        406: "There is no answer in a format that `Accept` names.",
        429: "The token asks too often; `Retry-After` says when to go on.",
    }.items()
}
# Of what reads a body.
BODY_REFUSALS = {(415, PROBLEM): OpenApiResponse(Problem, "The body is of another type.")}
UPLOAD_REFUSALS = {(413, PROBLEM): OpenApiResponse(Problem, "The files are larger than is taken.")}
CONFLICTS = {
    (status, PROBLEM): OpenApiResponse(Problem, words)
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


def parameter(name: str, about: str) -> OpenApiParameter:
    return OpenApiParameter(name, str, OpenApiParameter.QUERY, description=about)


def save_id(*, needed: bool = True) -> OpenApiParameter:
    return OpenApiParameter(
        "Idempotency-Key",
        OpenApiTypes.UUID,
        OpenApiParameter.HEADER,
        required=needed,
        description="The client's own UUID for this request: sent again, it is the same one.",
    )


def files(about: str) -> dict[Any, Any]:
    """The answers of a table in each format but JSON."""
    return {(200, renderer.media_type): OpenApiResponse(bytes, about) for renderer in TABLES}


def described(
    operation: str,
    summary: str,
    *,
    scope: str,
    roles: Any,
    answers: dict,
    tag: str = "Read",
    request: Any = None,
    **more: Any,
) -> Any:
    """A decorator with what the schema says of one method of an endpoint."""
    refusals = REFUSALS | (BODY_REFUSALS if request else {})
    if isinstance(request, dict):  # by media type: files
        refusals |= UPLOAD_REFUSALS
    who = ", ".join(f"{role.value}s" for role in roles) or "whoever holds the token"
    return extend_schema(
        operation_id=operation,
        summary=summary,
        description=f"{summary}\n\nFor {who}; scope `{scope}`.",
        request=request,
        responses=answers | refusals,
        tags=[tag],
        **more,
    )
