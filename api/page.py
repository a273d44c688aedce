"""The schema in OpenAPI 3.1, and a page of our own on which people read it."""

from functools import cache
from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from formats.grouping import grouped


def schema() -> dict[str, Any]:
    # Nothing else needs its modules, so only a request for the schema loads them.
    from api.openapi import schema

    return schema()


@login_not_required
@require_safe
def openapi(request: HttpRequest) -> HttpResponse:
    return JsonResponse(schema(), json_dumps_params={"ensure_ascii": False})


@login_not_required
@require_safe
def reference(request: HttpRequest) -> HttpResponse:
    """Every endpoint with what it takes and gives, by what it is about."""
    return render(request, "api/reference.html", {"parts": _parts()})


@cache
def _parts() -> dict[str, list[dict[str, Any]]]:
    """Operations by the kind of thing that their address names: `seats`, `scheme`."""
    parts = grouped(
        (operation["path"].partition("{slug}/")[2].partition("/")[0] or "collections", operation)
        for operation in _operations()
    )
    return dict(parts)  # a template would ask it for the part `items`


def _operations() -> list[dict[str, Any]]:
    return [
        operation
        | {
            "method": method.upper(),
            "path": f"/api/v1{path}",
            # Its last paragraph says whom it is for.
            "who": operation["description"].rpartition("\n\n")[2].replace("`", ""),
            "parameters_shown": [
                (parameter["name"], _words(parameter))
                for parameter in operation.get("parameters", [])
                if parameter["in"] == "query"
            ],
            "sent": _fields(operation.get("requestBody")),
            "fields": _fields(next(iter(operation["responses"].values()))),
            "summary": operation["summary"].replace("`", ""),
        }
        for path, methods in schema()["paths"].items()
        for method, operation in methods.items()
    ]


def _fields(body: dict[str, Any] | None) -> list[tuple[str, str]]:
    """(name, meaning) of what an answer or a request holds; of the rows where it is a list."""
    contents = (body or {}).get("content", {})
    content = contents.get("application/json", contents.get("multipart/form-data", {}))
    properties = _resolved(content.get("schema", {})).get("properties", {})
    if "results" in properties:
        properties = _resolved(properties["results"]).get("properties", {})
    return [(name, _words(about)) for name, about in properties.items()]


def _words(about: dict[str, Any]) -> str:
    """A description from the schema without its marks for code."""
    return str(about.get("description", "")).replace("`", "")


def _resolved(about: dict[str, Any]) -> dict[str, Any]:
    about = about.get("items", about)
    name = about.get("$ref", "").rpartition("/")[2]
    return schema()["components"]["schemas"][name] if name else about
