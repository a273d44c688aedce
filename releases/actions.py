"""Making exports: one consistent read, files that are compared before they are offered."""

import json
import shutil
from pathlib import Path

from audit.actions import record
from audit.refusals import Invalid, NotAllowed, Refused
from audit.transactions import one_transaction
from datasets.models import Membership
from releases.formats import UnfitError
from releases.formats.csfcube import csfcube_files
from releases.formats.tables import csv_files
from releases.formats.trec import trec_files
from releases.manifest import NAME, as_json, manifest
from releases.models import Export
from releases.reading import read_study
from releases.snapshot import snapshot
from releases.writing import Folder


class IncompleteError(Refused):
    """Gold is missing, and an incomplete export was not asked for; `missing` counts it."""

    def __init__(self, message, *, missing):
        super().__init__(message)
        self.missing = missing


class FolderInUseError(Refused):
    """The folder holds something that is not an earlier export of the same kind."""


def write_export(
    *, collection, export_format, folder, by=None, allow_incomplete=False, with_notes=False
):
    """Write an export of a collection's gold into `folder`; returns its manifest.

    `by` is the lead for whom it is made: batches in which they still rate are left out, which
    makes it incomplete. None is the server's own shell. The same state gives the same bytes.
    Raises IncompleteError, FolderInUseError, or Invalid where the format cannot hold the data.
    """
    if export_format not in Export.Format.values:
        raise Invalid(f"There is no format {export_format!r}.")
    folder = Path(folder).absolute()
    check_folder(folder, collection.slug, export_format)
    with snapshot() as using, Folder(folder) as written:
        content, _ = _write(
            written,
            collection,
            using,
            export_format=export_format,
            by=by,
            allow_incomplete=allow_incomplete,
            with_notes=with_notes,
        )
        written.keep()
    return content


def make_export(
    *, collection, export_format, by, allow_incomplete=False, with_notes=False, effect=None
):
    """Make an export that leads can download; `effect` is a job's last transaction."""
    if not Membership.objects.leads().filter(collection=collection, user=by).exists():
        raise NotAllowed("Only a lead makes exports of a collection.")
    export = Export(
        collection=collection,
        format=export_format,
        options={"allow_incomplete": allow_incomplete, "with_notes": with_notes},
        created_by=by,
    )
    export.folder.parent.mkdir(mode=0o700, exist_ok=True)
    with snapshot() as using, Folder(export.folder) as written:
        content, batches = _write(
            written,
            collection,
            using,
            export_format=export_format,
            by=by,
            allow_incomplete=allow_incomplete,
            with_notes=with_notes,
        )
        export.is_incomplete = content["is_incomplete"]
        export.counts, export.batches = content["counts"], batches
        text = as_json(content)
        export.files = [
            {"name": NAME, "size": len(text.encode()), "sha256": written.manifest_digest},
            *content["files"],
        ]
        written.archive(export.archive_name, [file["name"] for file in export.files])
        written.keep()
    try:
        return save_export(export=export, by=by, effect=effect)
    except BaseException:
        shutil.rmtree(export.folder, ignore_errors=True)
        raise


def _write(written, collection, using, *, export_format, by, allow_incomplete, with_notes):
    """Write the files and the manifest; (manifest, public ids of the batches that are in it)."""
    study = read_study(collection.pk, using=using, by=by)
    if study.is_incomplete and not allow_incomplete:
        raise IncompleteError(_missing_sentence(study.missing), missing=study.missing)
    try:
        files = [
            written.write(file.marked_name(study.is_incomplete), file.parts)
            for file in _files(study, export_format, with_notes)
        ]
        content = manifest(study, files, export_format=export_format, with_notes=with_notes)
    except UnfitError as error:
        raise Invalid(str(error)) from None
    written.manifest_digest = written.write(NAME, [as_json(content)])["sha256"]
    return content, study.batches


def _files(study, export_format, with_notes):
    if export_format == Export.Format.TREC:
        return trec_files(study)
    if export_format == Export.Format.CSFCUBE:
        return csfcube_files(study)
    return csv_files(study, with_notes=with_notes)


def _missing_sentence(missing):
    counts = ", ".join(f"{count:,} {where}" for where, count in missing.items())
    return (
        f"The gold is not complete ({counts}). Finish it, or ask for an incomplete export, which "
        "is then marked as such."
    )


@one_transaction
def _record(*, export, by):
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


def save_export(*, export, by, effect=None):
    """Offer an export whose files are in place."""
    if effect is None:
        return _record(export=export, by=by)
    with effect() as result:
        _record(export=export, by=by)
        result["message"] = f"{export.get_format_display()}: {len(export.files):,} files are ready."
        result["export"] = str(export.public_id)
    return export


def check_folder(folder, slug, export_format):
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
        known = {NAME, *(file["name"] for file in content["files"])}
        is_ours = (content["format"], content["collection"]["slug"]) == (export_format, slug)
    except (OSError, ValueError, KeyError, TypeError):
        is_ours = False
    if not is_ours or present - known:
        raise FolderInUseError(
            f"{folder} holds other files. Choose a new or empty folder, so that nothing is lost "
            "and nothing else looks exported."
        )
