"""Making exports: one consistent read, files that are compared before they are offered."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Unpack

from accounts.models import User
from agreement.pairs.standing import OPEN_DISPUTE
from audit.actions import record
from audit.chain import seal_for, seal_trail
from audit.refusals import Invalid, NotAllowed, Refused, raised_as
from audit.transactions import one_transaction
from audit.verbs import Verb
from datasets import stores
from datasets.access import is_lead
from datasets.models import Collection
from releases.checks import unfit_formats
from releases.formats import UnfitError
from releases.formats.registry import FORMATS
from releases.manifest import NAME, as_json, manifest
from releases.models import Export
from releases.orders import Options, Order, order_of
from releases.reading import read_study
from releases.records import NOT_ADJUDICATED, Study
from releases.snapshot import snapshot
from releases.writing import Folder, check_folder, put


class IncompleteError(Refused):
    """Gold is missing, and an incomplete export was not asked for; `missing` counts it."""

    def __init__(self, message: str, *, missing: Mapping[str, int]) -> None:
        super().__init__(message)
        self.missing = missing


# A job's last transaction, which yields the result that its page shows.
Effect = Callable[[], AbstractContextManager[dict[str, Any]]]


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
    order = order_of(collection, export_format, by, allow_incomplete, **options)
    target = Path(folder).absolute()
    check_folder(target, collection.slug, export_format)
    seal_trail()
    with snapshot() as using, Folder(target) as output:
        content, _ = _write(output, order, using)
        output.keep()
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
    if not is_lead(by, collection):
        raise NotAllowed("Only a lead makes exports of a collection.")
    order = order_of(collection, export_format, by, allow_incomplete, **options)
    export = Export(
        collection=collection,
        format=export_format,
        options=order.options,
        created_by=by,
    )
    seal_trail()
    with stores.scratch_folder() as scratch:
        folder = scratch / "export"
        with snapshot() as using, Folder(folder) as output:
            content, export.batches = _write(output, order, using)
            export.is_incomplete, export.counts = content["is_incomplete"], content["counts"]
            export.files = [output.manifest, *content["files"]]
            output.archive(export.archive_name, [file["name"] for file in export.files])
            output.keep()
        # The snapshot is over: a far store may take its time, and nobody waits for it.
        try:
            put(folder, export.store(), str(export.public_id))
            return _offer(export=export, by=by, effect=effect)
        except BaseException:
            # A commit whose answer was lost may have been made: the record then has its files.
            if not Export.objects.filter(public_id=export.public_id).exists():
                stores.remove(export.store(), str(export.public_id))
            raise


def _write(output: Folder, order: Order, using: str) -> tuple[dict[str, Any], list[str]]:
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
    with raised_as(Invalid, UnfitError):
        files = [
            output.write(file.marked_name(study.is_incomplete), file.parts)
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
    output.manifest = output.write(NAME, [as_json(content)])
    return content, study.batches


def _missing_sentence(study: Study) -> str:
    words = {NOT_ADJUDICATED: OPEN_DISPUTE}
    counts = ", ".join(f"{n:,} {words.get(key, key)}" for key, n in study.missing.items())
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
        Verb.EXPORT,
        export,
        by=by,
        after={
            "format": export.format,
            "is_incomplete": export.is_incomplete,
            "files": {file["name"]: file["sha256"] for file in export.files},
            "batches": export.batches,
        },
    )
    return export


def _offer(*, export: Export, by: User, effect: Effect | None) -> Export:
    """Offer an export whose files are in place."""
    if effect is None:
        return _record(export=export, by=by)
    with effect() as result:
        _record(export=export, by=by)
        result["message"] = f"{export.get_format_display()}: {len(export.files):,} files are ready."
        result["export"] = str(export.public_id)
    return export
