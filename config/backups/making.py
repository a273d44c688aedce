"""Making a backup while people rate."""

from pathlib import Path
from typing import Any

from django.apps import apps
from django.core.files.storage import Storage, storages
from django.db import connections
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from audit.chain import seal_trail
from audit.models import Seal
from config.backups.archive import Writer, new_archive
from config.backups.tables import tables_of, write_table
from datasets import stores
from releases.manifest import product_version
from releases.models import Export
from releases.snapshot import snapshot


def make_backup(path: Path) -> dict[str, Any]:
    """Write a backup to a new file; returns its manifest, without the members.

    The tables are of one moment. Uploads are copied before it and again after it, since a job may
    delete one meanwhile; an export's files are there before its row.
    """
    with new_archive(path) as archive, stores.scratch_folder() as scratch:
        seal_trail()
        uploads = storages["uploads"]
        _add_files(archive, "uploads", uploads, stores.names_in(uploads), scratch)
        with snapshot() as using:
            rows = _add_tables(archive, scratch, using)
            exports = Export.objects.using(using).order_by("pk")
            folders = [str(public_id) for public_id in exports.values_list("public_id", flat=True)]
            seal = Seal.objects.using(using).order_by("-number").first()
            migrations = sorted(MigrationRecorder(connections[using]).applied_migrations())
        # From here on the snapshot is not needed, and files may take their time.
        names = (name for folder in folders for name in stores.names_in(Export.store(), folder))
        _add_files(archive, "exports", Export.store(), names, scratch)
        _add_files(archive, "uploads", uploads, stores.names_in(uploads), scratch)
        content = {
            "made_with": f"Facetwise {product_version()}",
            "made_at": timezone.now().isoformat(timespec="seconds"),
            "migrations": migrations,
            "seal": seal and {"number": seal.number, "sha256": seal.sha256},
            "rows": rows,
        }
        archive.finish(content)
    return content


def _add_tables(archive: Writer, scratch: Path, using: str) -> dict[str, int]:
    rows = {}
    for table, model in tables_of(apps).items():
        file = scratch / table
        rows[table] = write_table(model, file, using=using)
        archive.add(f"tables/{table}.jsonl.gz", file)
        file.unlink()
    return rows


def _add_files(archive: Writer, kind: str, store: Storage, names: Any, scratch: Path) -> None:
    """Add files of a store that are not in the backup yet; one that goes meanwhile is left out."""
    archived = {member["name"] for member in archive.members}
    for name in list(names):
        if f"{kind}/{name}" in archived:
            continue
        copy = scratch / "file"
        try:
            stores.copy(store, name, copy)
        except FileNotFoundError:
            copy.unlink(missing_ok=True)
            continue
        archive.add(f"{kind}/{name}", copy)
        copy.unlink()
