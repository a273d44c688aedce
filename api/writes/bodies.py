"""Bodies of requests: declared fields, or the fields of a page's form."""

from collections.abc import Collection, Mapping
from typing import Any

from django import forms
from django.forms.utils import pretty_name
from rest_framework import serializers

from datasets.forms import FilesField

FormClass = type[forms.Form] | type[forms.ModelForm]
Fields = Mapping[str, serializers.Field] | type[serializers.BaseSerializer]

# The first class that fits a form's field decides; every other field is text.
KINDS: list[tuple[type[forms.Field], type[serializers.Field]]] = [
    (forms.BooleanField, serializers.BooleanField),
    (forms.DecimalField, serializers.FloatField),
    (forms.FloatField, serializers.FloatField),
    (forms.IntegerField, serializers.IntegerField),
]
SHOWN_CHOICES = 12
NO_CHOICE = "invalid_choice"
# For fields that a page fills by itself, or explains by their place.
FOR_PROGRAMS = {
    "reason": "Kept in the history",
    "member": "A public id",
    "adjudicators": "Public ids of members",
    "how": "depth-N or draw-N; by default depth-20",
    "run": "Public ids of the runs; by default all",
    "whole": "Public ids of runs that are taken whole",
    "limits": "facet-KEY, query-ID or batch-ID with a public id; by default the whole collection",
    "sentences": "One a line",
    "seen": "The token of the sentences that you read; 409 if they are others by now",
    "with_example": "A rule then names the pair and its gold",
}


def shape(name: str, fields: Any) -> Any:
    """A serializer of this name, where it is none already."""
    if not isinstance(fields, dict):
        return fields
    # A copy: the class takes its fields out of what it is made of.
    return type(name, (serializers.Serializer,), dict(fields))


def of_form(name: str, form: FormClass, usual: Collection[str]) -> type[serializers.Serializer]:
    """A serializer for the fields of a form. It checks types alone; the form itself reports
    everything else. Fields that are `usual` may be left out."""
    return shape(
        name,
        {
            key: _field(
                key,
                field,
                is_needed=field.required and field.initial is None and key not in usual,
            )
            for key, field in form.base_fields.items()
        },
    )


def initial_of(form: forms.BaseForm) -> dict[str, Any]:
    values = {key: form.get_initial_for_field(form.fields[key], key) for key in form.fields}
    return {key: value for key, value in values.items() if value is not None}


def filled(form_class: FormClass, body: Any, files: Any = None, **options: Any) -> Any:
    """The page's form, valid; 422 with its own sentences. A field that is not sent keeps the page's
    initial value."""
    form = form_class(initial_of(form_class(**options)) | dict(body), files, **options)
    errors = {
        name: [*messages, *(_among(form.fields[name]) if form.has_error(name, NO_CHOICE) else [])]
        for name, messages in form.errors.items()
    }
    if errors := errors | _unused(form, body):
        raise serializers.ValidationError(errors)
    return form


def _unused(form: Any, body: Any) -> dict[str, list[str]]:
    """Errors of fields that a collection has no use for, which take their own values alone, too."""
    errors = {}
    for name in form.base_fields.keys() - form.fields.keys():
        field, value = form.base_fields[name], body.get(name)
        if value in (None, ""):
            continue
        try:
            field.clean(value)
        except forms.ValidationError as error:
            errors[name] = [*error.messages, *_among(field)]
    return errors


def _among(field: forms.Field) -> list[str]:
    """The choices of a field to which something else was sent: a page shows them, a request not."""
    choices = _choices(field)
    return [f"Expected one of {', '.join(choices)}."] if choices else []


def _field(key: str, field: forms.Field, *, is_needed: bool) -> serializers.Field:
    options: dict[str, Any] = {"required": is_needed, "help_text": _about(key, field)}
    if isinstance(field, FilesField):
        return serializers.ListField(child=serializers.FileField(), **options)
    if isinstance(field, forms.FileField):
        return serializers.FileField(**options)
    if not field.required:
        options["allow_null"] = True
    if isinstance(field, forms.MultipleChoiceField):
        return serializers.ListField(child=serializers.CharField(), **options)
    for of_form_, of_body in KINDS:
        if isinstance(field, of_form_):
            return of_body(**options)
    return serializers.CharField(allow_blank=True, trim_whitespace=False, **options)


def _about(key: str, field: forms.Field) -> str:
    """The page's words for the field, and a note for programs."""
    words = [field.label or pretty_name(key), field.help_text, FOR_PROGRAMS.get(key, "")]
    about = " ".join(f"{str(text).rstrip('.')}." for text in words if text)
    if choices := _choices(field):
        about += f" One of {', '.join(choices)}."
    return about


def _choices(field: forms.Field) -> list[str]:
    """The values of a field that has few of its own, which no row of a study gives it."""
    choices = [str(value) for value, _ in getattr(field, "choices", []) if value]
    is_fixed = type(getattr(field, "_choices", None)) is list
    return choices if is_fixed and len(choices) <= SHOWN_CHOICES else []
