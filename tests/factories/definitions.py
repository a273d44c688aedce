"""Mappings and protocols for tests."""

from dataclasses import replace

from evaluation.definitions.actions import add_mapping, add_protocol
from evaluation.protocols import shipped


def grades_of(scheme, grade):
    """{facet of the scale: {option: grade(value)}} over every option of a scheme."""
    return {
        scale.facet: {option.key: grade(option.value) for option in scale.option_list}
        for scale in scheme.all_scales
    }


def add_binary(collection, *, from_value=2, by=None):
    """The mapping `binary`: 1 for options of that value or more, else 0."""
    grades = grades_of(collection.scheme, lambda value: "1" if value >= from_value else "0")
    return add_mapping(
        collection=collection, key="binary", name="Binary", grades=grades, by=by
    ).mapping


def add_ours(collection, *, key="ours", by=None, **changes):
    """A copy of the protocol `trec` with changes."""
    protocol = replace(shipped()["trec"], key=key, name="Ours", **changes)
    return add_protocol(collection=collection, key=key, protocol=protocol, by=by).protocol
