"""How a collection is judged."""

import json
from typing import Any

from rest_framework import serializers

from annotation.schemes.actions import write_scheme
from annotation.schemes.files import read_definition
from api.writes.call import Call
from api.writes.targets import SCHEME
from api.writes.write import HOME, Write


def _write_scheme(call: Call) -> None:
    definition: Any = json.dumps(call.fields["definition"]).encode()
    write_scheme(
        scheme=call.target,
        definition=read_definition(definition, "The definition"),
        based_on=call.fields.get("based_on"),
        by=call.user,
    )


WRITES = [
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
