"""The definitions of a collection: the latest of each, and one by its address."""

from typing import TypeVar

from evaluation.models import Definition, MappingVersion, ProtocolVersion
from evaluation.protocols import Protocol, shipped
from evaluation.sources.mapping import Mapping

T = TypeVar("T", bound=Definition)


def versions_of(model: type[T], collection, key: str) -> list[T]:
    """All versions of one thing, the latest first."""
    rows = model._default_manager.using(collection._state.db)
    return list(rows.filter(collection=collection, key=key).order_by("-number"))


def latest_of(model: type[T], collection) -> list[T]:
    """The latest version of each thing, by key, with who stored it."""
    rows = model._default_manager.using(collection._state.db).filter(collection=collection)
    rows = rows.select_related("created_by").order_by("key", "number")
    return list({row.key: row for row in rows}.values())


def named(model: type[T], collection, address: str) -> T | None:
    """`binary` is the latest version, `binary.1` the first."""
    key, _, number = address.partition(".")
    versions = versions_of(model, collection, key)
    return next((row for row in versions if not number or str(row.number) == number), None)


def usual_protocol(collection) -> Protocol:
    """The default protocol: the one that a lead stored last, else the shipped one that fits the
    kind of study."""
    stored = ProtocolVersion.objects.using(collection._state.db).filter(collection=collection)
    if last := stored.order_by("-pk").first():
        return last.protocol
    if "csfcube" in (collection.extra or {}):
        return shipped()["csfcube-topics"]
    is_of_aspects = collection.scheme.current.judges_aspects
    return shipped()["doris-mae" if is_of_aspects else "trec"]


def protocols_of(collection) -> dict[str, Protocol]:
    """The protocols that a collection can be scored by, under their keys: those that are shipped,
    and the latest version of each of its own."""
    stored = [row.protocol for row in latest_of(ProtocolVersion, collection)]
    return shipped() | {protocol.key: protocol for protocol in stored}


def protocol_named(collection, address: str) -> Protocol:
    """`csfcube`, or one of the collection's own: `ours`, or `ours.1` for an earlier version.

    ValueError with a sentence for one that there is not.
    """
    if protocol := shipped().get(address):
        return protocol
    row = named(ProtocolVersion, collection, address)
    if row is None:
        names = ", ".join(protocols_of(collection))
        raise ValueError(f"There is no protocol {address!r}; expected one of {names}.")
    return row.protocol


def chosen_protocol(collection, address: str) -> Protocol:
    """The protocol of that name, as `protocol_named`; the usual one where nothing is named."""
    return protocol_named(collection, address) if address else usual_protocol(collection)


def mappings_of(collection, chosen: Mapping | None = None) -> list[Mapping]:
    """The latest version of each, and the chosen one where it is an earlier version."""
    mappings = [row.mapping for row in latest_of(MappingVersion, collection)]
    return mappings if chosen is None or chosen in mappings else [*mappings, chosen]


def mapping_named(collection, address: str) -> Mapping:
    """The mapping of that name; ValueError with a sentence for one that the collection lacks."""
    row = named(MappingVersion, collection, address)
    if row is None:
        names = (
            ", ".join(mapping.address for mapping in latest_of(MappingVersion, collection))
            or "none"
        )
        raise ValueError(f"The collection has no mapping {address!r}; it has {names}.")
    return row.mapping
