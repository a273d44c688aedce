"""Parts of pages that htmx swaps."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render


def is_fragment(request: HttpRequest) -> bool:
    """Whether htmx asks for the changing part of a page alone. For somebody who goes back in the
    browser's history it asks for the whole."""
    htmx = request.htmx  # type: ignore[attr-defined]
    return bool(htmx) and not htmx.history_restore_request


def render_changing(
    request: HttpRequest, template: str, context: Mapping[str, Any], *, address: str
) -> HttpResponse:
    """The page, or for htmx the part of it that changes, as its template tells by `is_fragment`;
    the browser then shows this address."""
    is_part = is_fragment(request)
    response = render(request, template, {"is_fragment": is_part, **context})
    response["Vary"] = "HX-Request"
    if is_part:
        response["HX-Push-Url"] = address
    return response


def render_page(
    request: HttpRequest, template: str, context: Mapping[str, Any], *, part: str
) -> HttpResponse:
    """The page, or for htmx this part of it."""
    if is_fragment(request):
        template += f"#{part}"
    response = render(request, template, context)
    response["Vary"] = "HX-Request"
    return response
