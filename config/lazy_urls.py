"""Addresses whose views are imported with the first request to one of them."""

from typing import Any

from django.urls import URLResolver
from django.urls.resolvers import RoutePattern


class _Late(URLResolver):
    """Django asks every resolver for all names at the first `reverse`. It asks a namespace again
    when one of its names is needed, so this one may have none until then."""

    reverse_dict: Any = {}
    namespace_dict: Any = {}
    app_dict: Any = {}

    def _populate(self) -> None:
        pass


def late(route: str, module: str, namespace: str) -> URLResolver:
    """As `include`, but nothing of the module is imported before somebody asks for it."""
    pattern = RoutePattern(route, is_endpoint=False)
    return _Late(pattern, module, app_name=namespace, namespace=namespace)
