"""The declaration of one write by programs, and the answer to a request for it."""

import copy
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any, Literal

from django import forms
from django.http import HttpResponse
from rest_framework import serializers
from rest_framework.response import Response

from api.documentation import CONFLICTS, camel, described, key_header
from api.writes.bodies import Fields, FormClass, filled, of_form, shape
from api.writes.call import Call, Target
from api.writes.fields import (
    JobRow,
    NoFields,
    accepted,
    key_of,
    no_key,
    refuse_unread,
    sent,
    too_large,
)
from api.writes.idempotency import Act, Once
from api.writes.targets import COLLECTION
from datasets.models import Role, Scope
from jobs.models import Job

HOME = "collections/<slug:slug>"
ROW = "<uuid:public_id>"

ROLES: dict[Scope, tuple[Role, ...]] = {
    Scope.RATE: (Role.ANNOTATOR,),
    Scope.ADJUDICATE: (Role.ADJUDICATOR,),
    Scope.COLLECTIONS: (),
}
TAGS = {Scope.RATE: "Rate", Scope.ADJUDICATE: "Adjudicate"}
TAGS |= dict.fromkeys([Scope.LEAD, Scope.COLLECTIONS], "Lead")


@dataclass(frozen=True)
class Write:
    """`act` changes the `target` of the address `at`.

    The page's `form` checks the body, or `fields` where the page has none. A field that is not sent
    keeps the page's initial value: that of the changed object, of the form's `options`, or the
    `usual` one.

    `act` returns an object or a mapping, which `answer` reads; nothing, which is 204; or a job,
    which is 202.
    """

    name: str
    about: str
    at: str
    act: Callable[[Call], Any]
    target: Target = COLLECTION
    form: FormClass | None = None
    options: Callable[[Call], dict[str, Any]] = lambda call: {}
    usual: Mapping[str, Callable[[Call], Any]] = field(default_factory=dict)
    fields: Fields | None = None
    answer: Fields | serializers.BaseSerializer | None = None
    status: int = 201
    starts_job: bool = False
    method: Literal["post", "put", "patch", "delete"] = "post"
    scope: Scope = Scope.LEAD
    # Whether its `Idempotency-Key` is needed, and is the id of a save.
    has_save_id: bool = False
    # What takes long and changes nothing that others see, such as reading files. It is done before
    # the transaction; `act` finds it as `prepared`.
    prepare: Callable[[Call], Any] = lambda call: None
    # How many bytes of files it takes; where it takes none, it takes JSON.
    most_bytes: Callable[[], int] | None = None

    @property
    def roles(self) -> tuple[Role, ...]:
        return ROLES.get(self.scope, (Role.LEAD,))

    def answered(self, call: Call) -> HttpResponse:
        if self.most_bytes and (refusal := too_large(call.request, self.most_bytes())):
            return refusal
        if self.takes_key:
            call.key = key_of(call.request)
        if call.key is None:
            return self._changed(call, lambda act: act())
        body = call.request.data if self._body else None
        return Once(call.request, call.key, body).answered(partial(self._changed, call))

    @property
    def takes_key(self) -> bool:
        """Whether the request takes a key; a write that stores nothing takes none."""
        return not self.at.endswith("/preview")

    def _changed(self, call: Call, carry_out: Callable[[Act], Response]) -> HttpResponse:
        call.noun, call.target = self.target.noun, self.target.load(call)
        if self.has_save_id and call.key is None:
            raise no_key("")
        if self.form:
            call.form = self._filled(call, self.form)
            call.fields = call.form.cleaned_data
        elif self._body and self.most_bytes:
            refuse_unread(call.request.data, self._body().fields)
        else:
            call.fields = sent(call.request, self._body or NoFields)
        call.prepared = self.prepare(call)
        return carry_out(lambda: self._acted(call))

    def _acted(self, call: Call) -> Response:
        result = self.act(call)
        if isinstance(result, Job):
            return accepted(call.request, call.arguments["slug"], result)
        if self._answer is None:
            return Response(status=204)
        return Response(self._answer.to_representation(result), status=self.status)

    @cached_property
    def _answer(self) -> Any:
        """The serializer of what `act` returns."""
        if self.answer is None or isinstance(self.answer, serializers.BaseSerializer):
            return self.answer
        return shape(f"{camel(self.name)}Answer", self.answer)()

    def _filled(self, call: Call, form: FormClass) -> Any:
        options = self.options(call)
        if issubclass(form, forms.ModelForm):
            options = {"instance": copy.copy(call.target)} | options
        body = {name: usual(call) for name, usual in self.usual.items()}
        if self.most_bytes:
            refuse_unread(call.request.data, self._body().fields)
            body |= dict(call.request.data.items())
            return filled(form, body, call.request.FILES, **options)
        return filled(form, body | sent(call.request, self._body), **options)

    @cached_property
    def _body(self) -> Any:
        name = f"{camel(self.name)}Fields"
        if self.form is None:
            return None if self.fields is None else shape(name, self.fields)
        usual = self.form.base_fields if self.method == "patch" else self.usual
        return of_form(name, self.form, usual)

    def describe(self, handler: Any) -> Any:
        """The handler with what the schema says of the write."""
        answers: dict[Any, Any] = dict(CONFLICTS)
        if self.starts_job:
            answers[(202, "application/json")] = JobRow
        if self._answer is not None:
            answers[(self.status, "application/json")] = self._answer
        elif not self.starts_job:
            answers[(204, "application/json")] = None
        return described(
            self.name,
            self.about,
            answers=answers,
            request={"multipart/form-data": self._body} if self.most_bytes else self._body,
            parameters=[key_header(needed=self.has_save_id)] if self.takes_key else [],
            tag=TAGS.get(self.scope, "Data"),
        )(handler)
