"""Fields that several endpoints share."""

import uuid
from collections.abc import Iterable, Mapping
from typing import Any

from django.core.exceptions import BadRequest
from django.http import Http404, HttpResponse, QueryDict
from rest_framework import serializers
from rest_framework.response import Response

from accounts.parameters import no_such_choice
from api.problem import problem
from audit.refusals import Invalid
from datasets import uploads
from datasets.models import Collection
from jobs.models import Job


def ids(about: str = "", **options: Any) -> serializers.ListField:
    return serializers.ListField(child=serializers.UUIDField(), help_text=about or None, **options)


def texts(about: str = "", **options: Any) -> serializers.ListField:
    return serializers.ListField(child=serializers.CharField(), help_text=about or None, **options)


def choice(choices: Iterable[str], **options: Any) -> serializers.ChoiceField:
    """One of these; another is refused with those that there are, as by the pages' forms."""
    values = [str(value) for value in choices]
    words = f"“{{input}}” is none of {', '.join(values)}."
    return serializers.ChoiceField(values, error_messages={"invalid_choice": words}, **options)


def refuse_no_choice(name: str, value: str | None, choices: Iterable[str]) -> None:
    """Invalid for a value that is none of the choices that an object gives, naming them."""
    words = list(choices)
    if value and value not in words:
        raise Invalid(str(no_such_choice(name, value, words)))


NEW_BATCH: dict[str, serializers.Field] = {
    "batch": serializers.UUIDField(source="public_id", help_text="The public id of the new batch.")
}
NEW_BATCHES: dict[str, serializers.Field] = {"batches": ids("Public ids of the new batches.")}


class JobRow(serializers.Serializer):
    id = serializers.UUIDField(help_text="The job's public id.")
    state = serializers.CharField(help_text="queued, running, done or failed.")
    address = serializers.CharField(help_text="Where to ask how far it is.")


class NoFields(serializers.Serializer):
    """The body of a request that takes none: `{}`, or nothing at all."""


def sent(request: Any, fields: type[serializers.Serializer]) -> dict[str, Any]:
    """The fields of a request; 422 with a sentence for each that is wrong."""
    if not isinstance(request.data, Mapping):
        raise serializers.ValidationError("The body is no JSON object. Send its fields in one.")
    serializer = fields(data=request.data)
    serializer.is_valid(raise_exception=True)
    refuse_unknown(request.data, serializer.fields)
    for name, field in serializer.fields.items():
        if isinstance(field, serializers.ListSerializer):
            for row in request.data.get(name) or ():
                refuse_unknown(row, field.child.fields)
    return serializer.validated_data


def refuse_unknown(names: Iterable[str], known: Iterable[str]) -> None:
    """422 for a field that nobody would read: it is misspelt, or of another request."""
    if unknown := [name for name in names if name not in known]:
        fields = ", ".join(known)
        rest = f"The fields are {fields}." if fields else "The request takes none."
        words = f"There is no such field. {rest}"
        raise serializers.ValidationError({unknown[0]: [words]})


def refuse_unread(body: Mapping[str, Any], fields: Mapping[str, serializers.Field]) -> None:
    """422 for a part beside files that nobody would read: an unknown one, or a repeated one."""
    refuse_unknown(body, fields)
    # A request without a body is no form.
    for name, values in body.lists() if isinstance(body, QueryDict) else ():
        if len(values) > 1 and not isinstance(fields[name], serializers.ListField):
            raise serializers.ValidationError(
                {name: [f"It is sent {len(values)} times. Send one."]}
            )


def key_of(request: Any) -> uuid.UUID | None:
    """The client's own UUID for this request, if it sent one, by which a repetition is
    recognised."""
    text = request.headers.get("Idempotency-Key", "").strip('"')
    try:
        return uuid.UUID(text) if text else None
    except ValueError:
        raise no_key(text) from None


def no_key(text: str) -> BadRequest:
    return BadRequest(f"Idempotency-Key is {text!r}; expected a UUID of your own for this request.")


def accepted(request: Any, slug: str, job: Job) -> Response:
    """202: the work goes on in the background."""
    address = request.build_absolute_uri(f"/api/v1/collections/{slug}/jobs/{job.public_id}")
    body = {"id": job.public_id, "state": job.state, "address": address}
    return Response(body, status=202, headers={"Location": address, "Retry-After": "1"})


def too_large(request: Any, most: int) -> HttpResponse | None:
    """413 for an upload that is larger than is taken, before it is read."""
    if uploads.size_of(request) <= most:
        return None
    return problem(413, f"This is larger than the {most:,} bytes that are taken here.")


def of_collection(collection: Collection, slug: str) -> None:
    """404 for an object of another collection than the address names."""
    if collection.slug != slug:
        raise Http404("There is no such object.")
