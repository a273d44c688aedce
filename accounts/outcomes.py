"""The outcome of an action, as the next page says it."""

from collections.abc import Iterator
from contextlib import contextmanager

from django import forms
from django.contrib import messages
from django.http import HttpRequest

from audit.refusals import Refused


@contextmanager
def outcome_as_message(request: HttpRequest, success: str = "") -> Iterator[None]:
    """The person reads the sentence of a refusal, or else that the action succeeded."""
    try:
        yield
    except Refused as refused:
        messages.error(request, str(refused))
    else:
        if success:
            messages.success(request, success)


@contextmanager
def refusal_in(form: forms.BaseForm, field: str | None = None) -> Iterator[None]:
    """The sentence of a refusal stands in the form, at the field that it is about."""
    try:
        yield
    except Refused as refused:
        form.add_error(field, str(refused))
