"""The schema in OpenAPI 3.1, made from the declarations of the endpoints."""

from functools import cache
from typing import Any

from api import framework  # noqa: F401 - before anything else imports the framework

# isort: split
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema

from api import urls
from api.documentation import Answer, Operation, Parameter
from api.endpoint import Endpoint


class TokenScheme(OpenApiAuthenticationExtension):
    target_class = "api.authentication.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer", "description": "A token made in the browser."}


@cache
def schema() -> dict[str, Any]:
    """The schema, made once for each process, since it depends on the program alone."""
    for route in urls.urlpatterns:
        if view := getattr(route.callback, "cls", None):
            for name in Endpoint.http_method_names:
                method = getattr(view, name, None)
                if operation := getattr(method, "operation", None):
                    about = operation.about(
                        view.of_method(name, "scope"), view.of_method(name, "roles")
                    )
                    _extend(method, operation, about)
    generator = SchemaGenerator(patterns=urls.urlpatterns)
    return generator.get_schema(public=True) | {"servers": [{"url": "/api/v1"}]}


def _extend(method: Any, operation: Operation, about: str) -> None:
    extend_schema(
        operation_id=operation.name,
        summary=operation.summary,
        description=about,
        tags=[operation.tag],
        request=operation.request,
        responses={key: _answer(answer) for key, answer in operation.answers.items()},
        parameters=[_parameter(parameter) for parameter in operation.parameters],
    )(method)


def _answer(answer: Any) -> Any:
    if isinstance(answer, Answer):
        return OpenApiResponse(answer.body, answer.about)
    return answer


def _parameter(parameter: Parameter) -> OpenApiParameter:
    return OpenApiParameter(
        parameter.name,
        OpenApiTypes.UUID if parameter.is_uuid else str,
        OpenApiParameter.HEADER if parameter.is_header else OpenApiParameter.QUERY,
        required=parameter.is_needed,
        description=parameter.about,
    )
