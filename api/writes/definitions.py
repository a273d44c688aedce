"""Mappings from options to grades, and protocols."""

from django.http import Http404
from rest_framework import serializers

from api.writes.call import Call, calling
from api.writes.targets import JUDGED
from api.writes.write import HOME, Write
from evaluation.definitions import actions
from evaluation.definitions.forms import ProtocolForm
from evaluation.definitions.reading import versions_of
from evaluation.models import MappingVersion, ProtocolVersion
from evaluation.protocols import Protocol, shipped

MAPPING: dict[str, serializers.Field] = {
    "name": serializers.CharField(max_length=160, help_text="Its name."),
    "grades": serializers.DictField(
        child=serializers.DictField(child=serializers.DecimalField(max_digits=6, decimal_places=3)),
        help_text="{facet of the scale: {option: grade}}, the facet empty for a shared scale.",
    ),
}
VERSION: dict[str, serializers.Field] = {
    "key": serializers.CharField(help_text="By which it is addressed."),
    "version": serializers.IntegerField(source="number", help_text="Its number."),
}


def _change_mapping(call: Call) -> MappingVersion:
    key = call.arguments["key"]
    if not versions_of(MappingVersion, call.collection, key):
        raise Http404("There is no such mapping.")
    return actions.add_mapping(collection=call.collection, key=key, by=call.user, **call.fields)


def _protocol(call: Call) -> dict[str, Protocol]:
    key = call.arguments["key"]
    versions = versions_of(ProtocolVersion, call.collection, key)
    protocol = shipped().get(key) or (versions[0].protocol if versions else None)
    if protocol is None:
        raise Http404("There is no such protocol.")
    return {"protocol": protocol}


def _change_protocol(call: Call) -> ProtocolVersion:
    key = call.arguments["key"]
    is_own = versions_of(ProtocolVersion, call.collection, key)
    return actions.add_protocol(
        collection=call.collection,
        key=key if is_own else "",
        protocol=call.form.protocol,
        by=call.user,
    )


WRITES = [
    Write(
        "add-mapping",
        "Define a grade for every option of the scheme.",
        f"{HOME}/mappings",
        calling(actions.add_mapping),
        JUDGED,
        fields=MAPPING,
        answer=VERSION,
    ),
    Write(
        "change-mapping",
        "Add a version of a mapping. Earlier ones stay.",
        f"{HOME}/mappings/<slug:key>",
        _change_mapping,
        JUDGED,
        fields=MAPPING,
        answer=VERSION,
        status=200,
        method="put",
    ),
    Write(
        "change-protocol",
        "Copy a protocol that comes with the program under another name, or add a version of one "
        "of the collection's own.",
        f"{HOME}/protocols/<slug:key>",
        _change_protocol,
        JUDGED,
        form=ProtocolForm,
        options=_protocol,
        answer=VERSION,
        status=200,
        method="patch",
    ),
]
