"""The scheme of a collection."""

import json
from typing import Any

from rest_framework import serializers
from rest_framework.response import Response

from accounts.models import User
from annotation.access import get_scheme
from annotation.models import Scheme, SchemeVersion
from annotation.schemes import actions as schemes
from annotation.schemes.files import read_definition
from annotation.schemes.fixed import is_fixed, rules_of
from annotation.schemes.forms import RulesForm, WordingForm
from api.documentation import described
from api.endpoint import Endpoint
from api.writes.bodies import filled, initial_of
from api.writes.call import Call, calling
from api.writes.targets import SCHEME
from api.writes.write import HOME, Write
from audit.refusals import Invalid
from datasets.models import Role, Scope


def _write_scheme(call: Call) -> None:
    definition: Any = json.dumps(call.fields["definition"]).encode()
    schemes.write_scheme(
        scheme=call.target,
        definition=read_definition(definition, "The definition"),
        based_on=call.fields.get("based_on"),
        by=call.user,
    )


def _wording(scheme: Scheme, reader: User) -> Any:
    """The initial fields of the page of the wording: {name of a field: text}."""
    return initial_of(WordingForm(scheme=scheme, version=scheme.current, reader=reader))


def _edit_wording(call: Call) -> SchemeVersion:
    scheme, sent = call.target, dict(call.fields)
    words = sent.pop("words")
    if unknown := sorted(words.keys() - _wording(scheme, call.user).keys()):
        raise Invalid(f"The wording has no {unknown[0]!r}. GET lists its names.")
    form = filled(
        WordingForm, words | sent, scheme=scheme, version=scheme.current, reader=call.user
    )
    return schemes.edit_wording(
        scheme=scheme,
        wording=form.edited,
        guidelines=form.cleaned_data["guidelines"],
        change_note=form.cleaned_data["change_note"],
        based_on=form.cleaned_data["based_on"],
        by=call.user,
    )


def _rules(call: Call) -> dict[str, Any]:
    return {"initial": rules_of(call.target), "is_fixed": is_fixed(call.target, by=call.user)}


WORDS = "{name: text}, with the names from GET; flags as true or false."
WRITES = [
    Write(
        "edit-wording",
        "Change names, questions, definitions or guidelines. A change makes a new version.",
        f"{HOME}/scheme/wording",
        _edit_wording,
        SCHEME,
        fields={
            "change_note": serializers.CharField(help_text="What changed, and why."),
            "based_on": serializers.IntegerField(
                required=False, help_text="The version that was read; 409 if it is another by now."
            ),
            "guidelines": serializers.CharField(
                required=False, allow_blank=True, trim_whitespace=False, help_text="In Markdown."
            ),
            "words": serializers.DictField(
                child=serializers.CharField(allow_blank=True),
                required=False,
                default=dict,
                help_text=WORDS,
            ),
        },
        answer={"version": serializers.IntegerField(source="number", help_text="Its number.")},
        status=200,
        method="patch",
    ),
    Write(
        "change-rules",
        "Change how pairs are settled. The rule is fixed after the first rating.",
        f"{HOME}/scheme/rules",
        calling(schemes.change_rules),
        SCHEME,
        form=RulesForm,
        options=_rules,
        method="patch",
    ),
    Write(
        "write-scheme",
        "Replace the scheme, before anything is rated under it.",
        f"{HOME}/scheme",
        _write_scheme,
        SCHEME,
        fields={
            "definition": serializers.JSONField(
                help_text="A scheme, in the form in which it is read."
            ),
            "based_on": serializers.IntegerField(
                required=False, help_text="The version that was read; 409 if it is another by now."
            ),
        },
        method="put",
    ),
]


class WordingRow(serializers.Serializer):
    version = serializers.IntegerField(help_text="The version that a change is based on.")
    guidelines = serializers.CharField(allow_blank=True)
    words = serializers.DictField(child=serializers.CharField(), help_text=WORDS)


class Wording(Endpoint):
    scope, roles = Scope.READ, (Role.LEAD,)

    @described(
        "get-wording",
        "All words that a lead may change, by the names that a change takes.",
        answers={(200, "application/json"): WordingRow},
    )
    def get(self, request: Any, slug: str) -> Response:
        words = {
            name: str(text).lower() if isinstance(text, bool) else text
            for name, text in _wording(get_scheme(self.viewer.collection), self.viewer.user).items()
        }
        version, guidelines = words.pop("based_on"), words.pop("guidelines")
        return Response({"version": version, "guidelines": guidelines, "words": words})
