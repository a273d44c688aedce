"""Access to the pages about accounts."""

import functools
from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404

from accounts.models import User

View = Callable[..., HttpResponse]


def site_admin_required(view: View) -> View:
    """Signed in without being a site admin: 403."""

    @functools.wraps(view)
    def wrapper(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not (request.user.is_authenticated and request.user.is_site_admin):
            raise PermissionDenied("Only site admins may do this.")
        return view(request, *args, **kwargs)

    return wrapper


def secret_address(view: View) -> View:
    """A page whose address opens a door: no later request names it as where it came from."""
    # `no-referrer` would also take the Origin from its form, which the check for forgery needs.
    return _with_header(view, "Referrer-Policy", "strict-origin")


def uncompressed(view: View) -> View:
    """A page that shows a secret by GET: its size must not help to guess it (CompressPages)."""
    return _with_header(view, "Content-Encoding", "identity")


def _with_header(view: View, name: str, value: str) -> View:
    @functools.wraps(view)
    def wrapper(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        response = view(request, *args, **kwargs)
        response[name] = value
        return response

    return wrapper


def get_account(public_id: UUID) -> User:
    return get_object_or_404(User, public_id=public_id)
