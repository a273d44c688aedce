"""Making exports: one consistent read, files that are compared before they are offered."""

import json
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypedDict, Unpack

from accounts.models import User
from agreement.study.filters import Channel
from audit.actions import record
from audit.chain import seal_for, seal_trail
from audit.refusals import Invalid, NotAllowed, Refused
from audit.transactions import one_transaction
from datasets import stores
from datasets.models import Collection, Membership
from evaluation.definitions.reading import usual_protocol
from evaluation.protocols import Missing, Protocol
from evaluation.scores import Rule
from evaluation.sources.choices import source_named
from evaluation.sources.source import GOLD, OF_SEATS, Source
from releases.checks import unfit_formats
from releases.formats import Choices, Level, UnfitError
from releases.formats.registry import FORMATS, ExportFormat
from releases.manifest import NAME, as_json, manifest
from releases.models import Export
from releases.reading import read_study
from releases.records import Study
from releases.snapshot import snapshot
from releases.writing import Folder, put


class IncompleteError(Refused):
    """Gold is missing, and an incomplete export was not asked for; `missing` counts it."""

    def __init__(self, message: str, *, missing: Mapping[str, int]) -> None:
        super().__init__(message)
        self.missing = missing


class FolderInUseError(Refused):
    """The folder holds something that is not an earlier export of the same kind."""


# A job's last transaction, which yields the result that its page shows.
Effect = Callable[[], AbstractContextManager[dict[str, Any]]]


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


def write_export(
    *,
    collection: Collection,
    export_format: str,
    folder: Path | str,
    by: User | None = None,
    allow_incomplete: bool = False,
    **options: Unpack[Options],
) -> dict[str, Any]:
    """Write an export of a collection's gold into `folder`; returns its manifest.

    `by` is the lead for whom it is made: batches in which they still rate are left out, which
    makes it incomplete. None is the server's own shell. The same state gives the same bytes.
    Raises IncompleteError, FolderInUseError, or Invalid where the format cannot hold the data.
    """
    order = _wanted(collection, export_format, by, allow_incomplete, **options)
    target = Path(folder).absolute()
    check_folder(target, collection.slug, export_format)
    seal_trail()
    with snapshot() as using, Folder(target) as written:
        content, _ = _write(written, order, using)
        written.keep()
    return content


def make_export(
    *,
    collection: Collection,
    export_format: str,
    by: User,
    allow_incomplete: bool = False,
    effect: Effect | None = None,
    **options: Unpack[Options],
) -> Export:
    """Make an export that leads can download."""
    if not Membership.objects.leads().filter(collection=collection, user=by).exists():
        raise NotAllowed("Only a lead makes exports of a collection.")
    order = _wanted(collection, export_format, by, allow_incomplete, **options)
    export = Export(
        collection=collection,
        format=export_format,
        options=order.options,
        created_by=by,
    )
    seal_trail()
    with stores.scratch_folder() as scratch:
        folder = scratch / "export"
        with snapshot() as using, Folder(folder) as written:
            content, batches = _write(written, order, using)
            export.is_incomplete = content["is_incomplete"]
            export.counts, export.batches = content["counts"], batches
            text = as_json(content)
            export.files = [
                {"name": NAME, "size": len(text.encode()), "sha256": written.manifest_digest},
                *content["files"],
            ]
            written.archive(export.archive_name, [file["name"] for file in export.files])
            written.keep()
        # The snapshot is over: a far store may take its time, and nobody waits for it.
        try:
            put(folder, export.store(), str(export.public_id))
            return save_export(export=export, by=by, effect=effect)
        except BaseException:
            # A commit whose answer was lost may have been made: the record then has its files.
            if not Export.objects.filter(public_id=export.public_id).exists():
                stores.remove(export.store(), str(export.public_id))
            raise


@dataclass(frozen=True)
class Wanted:
    """A request for an export, checked as far as possible without reading the collection."""

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


def _wanted(
    collection: Collection,
    export_format: str,
    by: User | None,
    allow_incomplete: bool,
    *,
    level: Level | str = Level.QUERIES,
    rule: Rule | str = Rule.PAPER,
    source: Source = GOLD,
    protocol: Protocol | None = None,
    missing: Missing | str | None = None,
    with_notes: bool = False,
    channel: Channel | str = Channel.ANY,
) -> Wanted:
    if export_format not in FORMATS:
        raise Invalid(f"There is no format {export_format!r}.")
    chosen_format = FORMATS[export_format]
    if level not in list(Level):
        raise Invalid(f"There is no level {level!r}; expected one of {', '.join(Level)}.")
    if rule not in list(Rule):
        raise Invalid(f"There is no rule {rule!r} of sub-queries; expected {' or '.join(Rule)}.")
    if not source.is_plain_gold:
        _check_source(collection, chosen_format, source)
    protocol = protocol or usual_protocol(collection)
    if missing:
        protocol = replace(protocol, missing=Missing(missing))
    choices = Choices(Level(level), Rule(rule), with_notes, Channel(channel))
    return Wanted(collection, chosen_format, choices, source, protocol, by, allow_incomplete)


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
    try:
        stored_source = source_named(collection, source.address, mapping=mapping)
    except ValueError as error:
        raise Invalid(str(error)) from None
    if stored_source.mapping != source.mapping:
        raise Invalid(f"The collection has no mapping {mapping!r} with these grades.")


def _write(written: Folder, order: Wanted, using: str) -> tuple[dict[str, Any], list[str]]:
    """Write the files and the manifest; (manifest, public ids of the batches that are in it)."""
    unfit = unfit_formats(order.collection, using)
    if order.format.key in unfit:
        fit = ", ".join(key for key in FORMATS if key not in unfit)
        raise Invalid(f"{unfit[order.format.key]} Formats that fit: {fit}.")
    study = read_study(
        order.collection.pk,
        using=using,
        by=order.by,
        source=order.source,
        protocol=order.protocol,
        channel=order.choices.channel,
        with_answers=order.format.has_answers,
    )
    may_lack = order.allow_incomplete or not order.format.needs_gold
    if study.is_incomplete and not may_lack:
        raise IncompleteError(_missing_sentence(study), missing=study.missing)
    try:
        files = [
            written.write(file.marked_name(study.is_incomplete), file.parts)
            for file in order.format.files(study, order.choices)
        ]
        content = manifest(
            study,
            files,
            export_format=order.format,
            choices=order.choices,
            # Seals follow each other as people rate, also in the batches that are withheld.
            trail=None if study.withheld_batches else seal_for(order.collection, using=using),
        )
    except UnfitError as error:
        raise Invalid(str(error)) from None
    written.manifest_digest = written.write(NAME, [as_json(content)])["sha256"]
    return content, study.batches


def _missing_sentence(study: Study) -> str:
    counts = ", ".join(f"{count:,} {nouns}" for nouns, count in study.missing.items())
    is_gold = study.source.is_plain_gold
    subject = "The gold is" if is_gold else f"The values of {study.source.in_words} are"
    return (
        f"{subject} not complete ({counts}). Finish it, or ask for an incomplete export, which "
        "is then marked as such."
    )


@one_transaction
def _record(*, export: Export, by: User) -> Export:
    export.save(force_insert=True)
    record(
        verb="export",
        subject=export,
        by=by,
        collection=export.collection,
        after={
            "format": export.format,
            "is_incomplete": export.is_incomplete,
            "files": {file["name"]: file["sha256"] for file in export.files},
        },
    )
    return export


def save_export(*, export: Export, by: User, effect: Effect | None = None) -> Export:
    """Offer an export whose files are in place."""
    if effect is None:
        return _record(export=export, by=by)
    with effect() as result:
        _record(export=export, by=by)
        result["message"] = f"{export.get_format_display()}: {len(export.files):,} files are ready."
        result["export"] = str(export.public_id)
    return export


def check_folder(folder: Path, slug: str, export_format: str) -> None:
    """Refuse a folder that holds anything but an earlier export of this collection and format."""
    if not folder.exists():
        return
    if not folder.is_dir():
        raise FolderInUseError(f"{folder} is not a folder.")
    present = {str(path.relative_to(folder)) for path in folder.rglob("*") if not path.is_dir()}
    if not present:
        return
    try:
        content = json.loads((folder / NAME).read_text(encoding="utf-8"))
        file_names = {NAME, *(file["name"] for file in content["files"])}
        is_ours = (content["format"], content["collection"]["slug"]) == (export_format, slug)
    except (OSError, ValueError, KeyError, TypeError):
        is_ours = False
    if not is_ours or present - file_names:
        raise FolderInUseError(
            f"{folder} holds other files. Choose a new or empty folder, so that nothing is lost "
            "and nothing else looks exported."
        )
