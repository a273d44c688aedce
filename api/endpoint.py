"""The base of all endpoints: a token, its scope, the person's membership and roles now."""

from collections.abc import Iterator
from itertools import chain
from typing import Any, ClassVar
from urllib.parse import urlencode

from django.conf import settings
from django.core.exceptions import BadRequest, PermissionDenied
from django.http import Http404, HttpResponse, QueryDict, StreamingHttpResponse
from rest_framework.exceptions import NotAuthenticated
from rest_framework.parsers import MultiPartParser
from rest_framework.permissions import SAFE_METHODS
from rest_framework.renderers import JSONRenderer
from rest_framework.response import Response
from rest_framework.views import APIView

from api.columns import Column
from api.formats import TABLES, WRITERS, Chunks
from api.resources.resource import Resource, Row
from api.viewer import Viewer
from datasets import uploads
from datasets.access import get_membership
from datasets.models import Membership, Role, Scope
from formats.whole_numbers import whole_number

PAGE_SIZE = 100
MOST_ROWS = 1_000
STREAMED_ROWS = 2_000
PAGING = {
    "cursor": "Where to go on: the `next` of the page before holds it. Of JSON alone.",
    "rows": "How many rows a page of JSON has: by default 100, at most 1,000. Of JSON alone.",
}


class BrokenOffError(Exception):
    """An answer that has begun cannot be completed, nor become a refusal."""


class Endpoint(APIView):
    """Signed out or a dead token: 401. Not a member, or a token of another collection: 404. A role
    that never may, or a scope that the token lacks: 403."""

    http_method_names = ["get", "head", "post", "put", "patch", "delete"]
    # For reading, and for methods that have none of their own, such as `post_scope`.
    scope: ClassVar[Scope]
    roles: ClassVar[tuple[Role, ...]] = ()

    member: Membership | None

    def initial(self, request: Any, *args: Any, **kwargs: Any) -> None:
        self.check_parameters(request.method, request.query_params)
        super().initial(request, *args, **kwargs)
        if request.auth is None:
            raise NotAuthenticated("Send a token: `Authorization: Bearer fw_…`.")
        self.member = self.membership(kwargs.get("slug"))
        self.check_scope(self.of_method(self.request.method, "scope"))
        if not self.is_upload and uploads.size_of(request) > settings.DATA_UPLOAD_MAX_MEMORY_SIZE:
            raise BadRequest("This is larger than a request without files may be.")

    def check_parameters(self, method: str, parameters: QueryDict) -> None:
        """Refuse a parameter that the method's description does not name, and one that is named
        more than once, of which only one would be read."""
        operation = getattr(getattr(self, method.lower(), None), "operation", None)
        if operation is None:
            return  # the address does not take the method
        known = {parameter.name for parameter in operation.parameters if not parameter.is_header}
        for name, values in parameters.lists():
            if name not in known:
                names = ", ".join(sorted(known)) or "none"
                raise BadRequest(f"This endpoint knows no parameter {name!r}. It takes: {names}.")
            if len(values) > 1:
                raise BadRequest(f"{name} stands {len(values)} times in the address. Name it once.")
            if "\0" in values[0]:
                raise BadRequest(f"{name} holds a character that no text has.")

    def membership(self, slug: str | None) -> Membership | None:
        """The membership that the token is of, in the collection of the address."""
        if slug is None or self.of_method(self.request.method, "scope") is Scope.COLLECTIONS:
            return None
        membership = self.request.auth.membership
        if membership is None or membership.collection.slug != slug:
            raise Http404("There is no such collection.")
        return get_membership(
            self.request.user, slug, *self.of_method(self.request.method, "roles")
        )

    @classmethod
    def of_method(cls, method: str, attribute: str) -> Any:
        """The scope or the roles of a method."""
        return getattr(cls, f"{method.lower()}_{attribute}", getattr(cls, attribute))

    @property
    def is_upload(self) -> bool:
        return MultiPartParser in self.parser_classes

    def check_scope(self, scope: Scope) -> None:
        if scope not in self.request.auth.scopes:
            raise PermissionDenied(f"This token lacks the scope {scope.value!r}.")

    @property
    def viewer(self) -> Viewer:
        assert self.member is not None  # noqa: S101 - endpoints of a collection have one
        token = self.request.auth
        return Viewer(self.member, self.request.user, self.request.query_params, token.scopes)

    def handle_exception(self, error: Exception) -> HttpResponse:
        # The framework's own would turn Django's refusals into its own first.
        answer = self.get_exception_handler()(error, self.get_exception_handler_context())
        if answer is None:
            self.raise_uncaught_exception(error)
        return answer

    def finalize_response(self, request: Any, response: Any, *args: Any, **kwargs: Any) -> Any:
        if not isinstance(response, Response):
            # Rendered already: a problem, or a stream.
            self.headers = {**self.default_response_headers}
            for name, value in self.headers.items():
                response.headers.setdefault(name, value)
            return response
        return super().finalize_response(request, response, *args, **kwargs)


def streamed(
    name: str, columns: tuple[Column, ...], chunks: Chunks, renderer: Any
) -> StreamingHttpResponse:
    """A table in the format that was asked for, written while it is sent."""
    response = StreamingHttpResponse(
        WRITERS[renderer.format](columns, chunks), content_type=renderer.media_type
    )
    response["Content-Disposition"] = f'attachment; filename="{name}.{renderer.format}"'
    return response


class TableEndpoint(Endpoint):
    """A table: JSON, or a file in the format of `Accept`."""

    renderer_classes = [JSONRenderer, *TABLES]

    def get_renderers(self) -> list[Any]:
        """The answer to a change is no table, so it is JSON alone."""
        renderers = super().get_renderers()
        return renderers if self.request.method in SAFE_METHODS else renderers[:1]


class ListEndpoint(TableEndpoint):
    """The rows of a resource: a page of them as JSON, all of them as a file."""

    resource: ClassVar[Resource]

    def get(self, request: Any, slug: str) -> Any:
        viewer, renderer = self.viewer, request.accepted_renderer
        if renderer.format != "json":
            _refuse_a_page(request, renderer.format)
            chunks = self.resource.chunks(viewer, STREAMED_ROWS)
            # Read before the answer begins, so that a refusal can still be one.
            chunks = chain([next(chunks)], self._while_readable(chunks))
            name = f"{slug}-{self.resource.name}"
            return streamed(name, self.resource.columns, chunks, renderer)
        cursor = request.query_params.get("cursor", "")
        rows, following = self.resource.page(viewer, cursor, _size(request))
        return Response({"results": rows, "next": following and self._address(following)})

    def _while_readable(self, chunks: Iterator[list[Row]]) -> Iterator[list[Row]]:
        """Further chunks, as long as the person may read them.

        Whoever was removed meanwhile sees no rows, and an answer that ends there would be taken
        for the whole table. One that breaks off is an error to whoever reads it.
        """
        for chunk in chunks:
            try:
                self.membership(self.kwargs["slug"])
            except (Http404, PermissionDenied) as refusal:
                raise BrokenOffError("The reader of a table may not read it any more.") from refusal
            yield chunk

    def _address(self, cursor: str) -> str:
        parameters = {**self.request.query_params.dict(), "cursor": cursor}
        return self.request.build_absolute_uri(f"?{urlencode(parameters)}")


class ObjectEndpoint(Endpoint):
    """One row of a resource, by its public id."""

    resource: ClassVar[Resource]

    def get(self, request: Any, slug: str, public_id: Any) -> Response:
        row = self.resource.row_of(self.viewer, public_id)
        if row is None:
            raise Http404("There is no such object.")
        names = [column.name for column in self.resource.columns]
        return Response(dict(zip(names, row, strict=True)))


def _refuse_a_page(request: Any, table_format: str) -> None:
    """A file has all rows: where to go on, or how many to send, says nothing there."""
    for name in PAGING:
        if request.query_params.get(name):
            raise BadRequest(
                f"{name} chooses a page of JSON, and {table_format.upper()} comes whole. Leave "
                f"{name} out, or accept application/json."
            )


def _size(request: Any) -> int:
    text = request.query_params.get("rows", "")
    if not text:
        return PAGE_SIZE
    size = whole_number(text, most=MOST_ROWS)
    if not size:
        raise BadRequest(f"rows is {text!r}; expected a number from 1 to {MOST_ROWS:,}.")
    return size
