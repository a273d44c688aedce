"""Problem details (RFC 9457), also for errors outside of endpoints."""

from http import HTTPStatus
from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, JsonResponse

PROBLEM = "application/problem+json"


def problem(status: int, detail: str, **more: Any) -> JsonResponse:
    body = {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
    }
    return JsonResponse(body | more, status=status, content_type=PROBLEM)


@login_not_required
def no_endpoint(request: HttpRequest, **_: Any) -> HttpResponse:
    """The answer at addresses that no endpoint has."""
    return problem(404, "There is nothing at this address. GET /api/v1/openapi.json lists all.")


no_endpoint.csrf_exempt = True  # type: ignore[attr-defined]


def is_for_programs(request: HttpRequest) -> bool:
    """Whether an answer is read by a program, which takes no page."""
    return request.path.startswith("/api/v1/")
