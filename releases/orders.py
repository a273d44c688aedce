"""Orders of exports: what somebody asks for, checked before the collection is read."""

from dataclasses import dataclass, replace
from typing import Any, TypedDict, Unpack

from accounts.models import User
from agreement.study.filters import Channel
from audit.refusals import Invalid, raised_as
from datasets.models import Collection
from evaluation.definitions.reading import usual_protocol
from evaluation.protocols import Missing, Protocol
from evaluation.scores import Rule
from evaluation.sources.choices import source_named
from evaluation.sources.source import GOLD, OF_SEATS, Source
from releases.formats import Choices, Level
from releases.formats.registry import FORMATS, ExportFormat


class Options(TypedDict, total=False):
    """Options of an export, each for the formats that know it: one level of queries, a rule of
    sub-queries, a source whose values replace gold, the protocol that measures its effect on the
    scores (by default the collection's usual one), a replacement for missing values other than the
    protocol's, the raters' notes, ratings by pages alone."""

    level: Level | str
    rule: Rule | str
    source: Source
    protocol: Protocol | None
    missing: Missing | str | None
    with_notes: bool
    channel: Channel | str


@dataclass(frozen=True)
class Order:
    """An export to be made, for a lead or, without one, for the server's own shell."""

    collection: Collection
    format: ExportFormat
    choices: Choices
    source: Source
    protocol: Protocol
    by: User | None
    allow_incomplete: bool

    @property
    def options(self) -> dict[str, Any]:
        """The options as the record of the export keeps them."""
        options: dict[str, Any] = {
            "allow_incomplete": self.allow_incomplete,
            "with_notes": self.choices.with_notes,
        }
        if self.format.has_levels:
            options["level"] = str(self.choices.level)
        if self.choices.rule is not Rule.PAPER:
            options["rule"] = str(self.choices.rule)
        if self.choices.channel:
            options["channel"] = str(self.choices.channel)
        if not self.source.is_plain_gold:
            options["source"] = self.source.data | {"in_words": self.source.in_words}
            options["protocol"] = self.protocol.key
            if self.source.kind in OF_SEATS:
                options["missing_value"] = str(self.protocol.missing)
        return options


def order_of(
    collection: Collection,
    export_format: str,
    by: User | None,
    allow_incomplete: bool,
    **options: Unpack[Options],
) -> Order:
    """The order, or Invalid where something of it does not exist or does not fit the format."""
    if export_format not in FORMATS:
        raise Invalid(f"There is no format {export_format!r}.")
    chosen_format = FORMATS[export_format]
    source = options.get("source", GOLD)
    if not source.is_plain_gold:
        _check_source(collection, chosen_format, source)
    return Order(
        collection,
        chosen_format,
        _choices(**options),
        source,
        _protocol(collection, **options),
        by,
        allow_incomplete,
    )


def _choices(**options: Unpack[Options]) -> Choices:
    level, rule = options.get("level", Level.QUERIES), options.get("rule", Rule.PAPER)
    if level not in list(Level):
        raise Invalid(f"There is no level {level!r}; expected one of {', '.join(Level)}.")
    if rule not in list(Rule):
        raise Invalid(f"There is no rule {rule!r} of sub-queries; expected {' or '.join(Rule)}.")
    channel = Channel(options.get("channel", Channel.ANY))
    return Choices(Level(level), Rule(rule), options.get("with_notes", False), channel)


def _protocol(collection: Collection, **options: Unpack[Options]) -> Protocol:
    protocol = options.get("protocol") or usual_protocol(collection)
    missing = options.get("missing")
    return replace(protocol, missing=Missing(missing)) if missing else protocol


def _check_source(collection: Collection, export_format: ExportFormat, source: Source) -> None:
    if not export_format.takes_sources:
        formats = ", ".join(
            known_format.key for known_format in FORMATS.values() if known_format.takes_sources
        )
        raise Invalid(
            f"The format {export_format.key} holds gold as it was made, never other values. "
            f"Formats for these: {formats}."
        )
    mapping = source.mapping.address if source.mapping else ""
    with raised_as(Invalid, ValueError):
        stored_source = source_named(collection, source.address, mapping=mapping)
    if stored_source.mapping != source.mapping:
        raise Invalid(f"The collection has no mapping {mapping!r} with these grades.")
