"""The endpoints of all lists, and what is read one by one."""

from typing import Any

from django.urls import path

from api.documentation import described, files, page_serializer, parameter, row_serializer
from api.endpoint import ListEndpoint, ObjectEndpoint
from api.resources.resource import Resource
from api.writes import data, people, work

# What may be added to lists, and what may change one of their rows.
OF_LISTS: dict[str, tuple[type, ...]] = {
    "members": (people.AddMembers,),
    "invitations": (people.Invite,),
    "batches": (work.MakeBatches,),
    "imports": (data.Import,),
    "machine-scores": (data.ImportMachineScores,),
    "runs": (data.UploadRuns,),
    "judgments": (data.UploadJudgments,),
    "exports": (data.MakeExport,),
}
OF_ROWS: dict[str, tuple[type, ...]] = {
    "members": (people.ChangeMember,),
    "invitations": (people.RevokeInvitation,),
    "seats": (work.AssignSeat,),
    "runs": (data.RemoveRun,),
    "judgments": (data.RemoveJudgments,),
}
PAGING = {
    "cursor": "Where to go on: the `next` of the page before holds it.",
    "rows": "How many rows a page of JSON has, 100 if not said, at most 1,000.",
}


def list_view(resource: Resource, row: Any, *writes: type) -> Any:
    """The endpoint of a list, made from what declares it, and of what may be added to it."""
    known = [*PAGING, *resource.filters]

    class View(*writes, ListEndpoint):  # type: ignore[misc]
        scope, roles = resource.scope, resource.roles

        @described(
            f"list-{resource.name}",
            resource.about,
            scope=resource.scope,
            roles=resource.roles,
            answers={(200, "application/json"): page_serializer(resource.name, row)}
            | files("All rows."),
            parameters=[
                *(parameter(name, about) for name, about in PAGING.items()),
                *(parameter(name, f"Only rows of this {name}.") for name in resource.filters),
            ],
        )
        def get(self, request: Any, slug: str) -> Any:
            return super().get(request, slug)

    View.resource, View.known = resource, frozenset(known)
    return View.as_view()


def object_view(resource: Resource, row: Any, *writes: type) -> Any:
    """The endpoint of one row by its public id, and of what may change it."""

    class View(*writes, ObjectEndpoint):  # type: ignore[misc]
        scope, roles = resource.scope, resource.roles

        @described(
            f"get-{resource.name}",
            f"One of these by its id. {resource.about}",
            scope=resource.scope,
            roles=resource.roles,
            answers={(200, "application/json"): row},
        )
        def get(self, request: Any, slug: str, public_id: Any) -> Any:
            return super().get(request, slug, public_id)

    View.resource = resource
    return View.as_view()


def routes_of(resource: Resource) -> list[Any]:
    """Its list, and its single rows where they have public ids."""
    home = f"collections/<slug:slug>/{resource.name}"
    row = row_serializer(resource.name, resource.columns)
    routes = [
        path(home, list_view(resource, row, *OF_LISTS.get(resource.name, ())), name=resource.name)
    ]
    if resource.key:
        row_path = f"{home}/<uuid:public_id>"
        routes.append(
            path(
                row_path,
                object_view(resource, row, *OF_ROWS.get(resource.name, ())),
                name=f"{resource.name}-row",
            )
        )
    return routes
