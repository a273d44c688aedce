"""The endpoints of all lists, of single objects, and of all writes."""

from typing import Any

from django.urls import path
from rest_framework.parsers import MultiPartParser

from api.documentation import Parameter, described, files, page_serializer, row_serializer
from api.endpoint import PAGING, Endpoint, ListEndpoint, ObjectEndpoint
from api.resources.resource import Resource
from api.writes.call import Call
from api.writes.registry import WRITES
from api.writes.write import HOME, ROW, Write


def written(address: str, view: type[Endpoint] = Endpoint) -> Any:
    """The endpoint, with the writes of its address added."""
    writes = [write for write in WRITES if write.at == address]
    members: dict[str, Any] = {}
    if view is Endpoint:
        members |= {"scope": writes[0].scope, "roles": writes[0].roles}
    for write in writes:
        members |= {
            write.method: _method(write),
            f"{write.method}_scope": write.scope,
            f"{write.method}_roles": write.roles,
        }
    if any(write.most_bytes for write in writes):
        members["parser_classes"] = [MultiPartParser]
    endpoint: Any = type("View", (view,), members)
    return endpoint.as_view()


def _method(write: Write) -> Any:
    def method(self: Any, request: Any, **arguments: Any) -> Any:
        return write.answered(Call(request, self.member, arguments))

    return write.describe(method)


def writing_routes(reading_paths: set[str]) -> list[Any]:
    """Routes of writes outside the `reading_paths`, each named as its first write."""
    names: dict[str, str] = {}
    for write in WRITES:
        if write.at not in reading_paths:
            names.setdefault(write.at, write.name)
    return [path(address, written(address), name=name) for address, name in names.items()]


def list_view(resource: Resource, row: Any) -> type[Endpoint]:
    """The endpoint of a list, made from its declaration."""

    class View(ListEndpoint):
        scope, roles = resource.scope, resource.roles

        @described(
            f"list-{resource.name}",
            resource.about,
            answers={(200, "application/json"): page_serializer(resource.name, row)}
            | files("All rows."),
            parameters=[
                *(Parameter(name, about) for name, about in PAGING.items()),
                *(Parameter(name, f"Only rows of this {name}.") for name in resource.filters),
            ],
        )
        def get(self, request: Any, slug: str) -> Any:
            return super().get(request, slug)

    View.resource = resource
    return View


def object_view(resource: Resource, row: Any) -> type[Endpoint]:
    """The endpoint of one row by its public id."""

    class View(ObjectEndpoint):
        scope, roles = resource.scope, resource.roles

        @described(
            f"get-{resource.name}",
            f"One of these by its id. {resource.about}",
            answers={(200, "application/json"): row},
        )
        def get(self, request: Any, slug: str, public_id: Any) -> Any:
            return super().get(request, slug, public_id)

    View.resource = resource
    return View


def routes_of(resource: Resource) -> list[Any]:
    """Its list, and its single rows where they have public ids."""
    home = f"{HOME}/{resource.name}"
    row = row_serializer(resource.name, resource.columns)
    routes = [path(home, written(home, list_view(resource, row)), name=resource.name)]
    if resource.key:
        address = f"{home}/{ROW}"
        view = written(address, object_view(resource, row))
        routes.append(path(address, view, name=f"{resource.name}-row"))
    return routes
