"""Preparing an import: adding and removing files, and changing how they are read."""

import hashlib
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any

from django.conf import settings as site
from django.db import transaction
from django.db.models import F

from audit.refusals import Invalid, Stale
from audit.transactions import locked
from datasets import uploads
from datasets.models import Collection
from formats.archives import is_left_behind
from imports.models import Draft, KeptMatching
from jobs.actions import enqueue
from jobs.models import Job

CHECK = "check-import"
IMPORT = "import-files"
MAX_FILES = site.DATA_UPLOAD_MAX_NUMBER_FILES
MAX_NAME_LENGTH = 400
# The settings that are offered again for files with the same columns: anywhere, and in the same
# collection alone.
KEPT = ["mapping", "grades"]
KEPT_HERE = ["answers_to_come"]


def draft_of(collection: Collection, user: Any) -> Draft | None:
    return Draft.objects.filter(collection=collection, created_by=user).first()


def add_files(
    *, collection: Collection, by: Any, files: list[Any], paths: list[str] | None = None
) -> Draft:
    """Add uploaded files; one takes the place of another of the same name.

    `paths` are the files' paths inside a chosen folder, where the browser told them. Raises Invalid
    where they are too many or, together, too large, and Stale where the draft began or ended while
    they were stored.
    """
    named_files = _named(files, paths or [])
    if not named_files:
        raise Invalid("Choose files. Hidden ones are not read." if files else "Choose files.")
    files = [file for _, file in named_files]
    names = {number: name for number, (name, _) in enumerate(named_files)}
    draft = draft_of(collection, by)
    token = draft.token if draft else uploads.new_token()
    before = draft.files if draft else []
    staying_sizes = [size for name, _, size in before if name not in names.values()]
    _refuse_too_much([*staying_sizes, *(file.size for file in files)])
    added = uploads.add(token, files, names=names)
    is_first = draft is None
    with transaction.atomic():
        draft, is_new = Draft.objects.get_or_create(
            collection=collection, created_by=by, defaults={"token": token}
        )
        # Else the files lie in a folder that is not the draft's, or that went with an earlier one.
        if draft.token != token or is_new != is_first:
            raise Stale("The list of files changed in another window. Bring these files again.")
        draft = locked(draft)
        replaced = {name for name, *_ in added}
        replaced_files = [entry for entry in draft.files if entry[0] in replaced]
        draft.files = [entry for entry in draft.files if entry[0] not in replaced] + added
        _change(draft, ["files"])
    for _, stored, _ in replaced_files:
        uploads.remove(draft.token, stored)
    return draft


def _named(files: list[Any], paths: list[str]) -> list[tuple[str, Any]]:
    """(name, file) of each file that is read: browsers send a folder with what lies hidden in it.
    Where there is no path, the name is the file's own."""
    safe_paths = [_safe_path(path) for path in paths]
    safe_paths += [""] * (len(files) - len(safe_paths))
    named_files = [
        (path or uploads.base_name(file.name), file)
        for file, path in zip(files, safe_paths, strict=True)
    ]
    return [(name, file) for name, file in named_files if not is_left_behind(name)]


def _refuse_too_much(sizes: list[int]) -> None:
    if len(sizes) > MAX_FILES:
        raise Invalid(f"At most {MAX_FILES:,} files come in at once. Pack them into a zip.")
    if sum(sizes) > limit():
        raise Invalid(
            "Together these files are larger than this page takes. Take some off the list, or "
            "import them by command, which has no such limit."
        )


def limit() -> int:
    return site.FACETWISE_MAX_UPLOAD


def remove_file(*, draft: Draft, name: str) -> Draft:
    with transaction.atomic():
        draft = locked(draft)
        removed = [entry for entry in draft.files if entry[0] == name]
        draft.files = [entry for entry in draft.files if entry[0] != name]
        _change(draft, ["files"])
    for _, stored, _ in removed:
        uploads.remove(draft.token, stored)
    return draft


def change_settings(*, draft: Draft, settings: Mapping[str, Any]) -> Draft:
    with transaction.atomic():
        draft = locked(draft)
        draft.settings = dict(settings)
        _change(draft, ["settings"])
    return draft


def _change(draft: Draft, fields: list[str]) -> None:
    draft.revision = F("revision") + 1
    draft.save(update_fields=[*fields, "revision"])
    draft.refresh_from_db()


def check(*, draft: Draft, by: Any) -> Job | None:
    """Have the files read and compared by a job; nothing is written. None without files."""
    if not draft.files:
        discard(draft=draft)
        return None
    return _enqueue(draft, CHECK, by)


def start_import(*, draft: Draft, by: Any) -> Job:
    """Import what was checked; raises Invalid where it is not, or has problems."""
    if not draft.may_be_imported:
        raise Invalid("Check the files first. An import needs a dry run without problems.")
    return _enqueue(draft, IMPORT, by)


def _enqueue(draft: Draft, kind: str, by: Any) -> Job:
    with transaction.atomic():
        job = enqueue(
            kind=kind,
            params={"draft": str(draft.public_id), "revision": draft.revision},
            by=by,
            collection=draft.collection.public_id,
        )
        Draft.objects.filter(pk=draft.pk).update(job=job.public_id)
    return job


def discard(*, draft: Draft) -> None:
    """Forget a draft with its files."""
    token = draft.token
    Draft.objects.filter(pk=draft.pk).delete()
    transaction.on_commit(lambda: uploads.discard(token))


def keep_matching(*, draft: Draft, by: Any) -> None:
    """Keep how columns and grades were matched, to offer it for the next files like these."""
    KeptMatching.objects.update_or_create(
        collection=draft.collection,
        columns_sha256=_hash(draft.report["columns_key"]),
        defaults={
            "format": draft.report["format"],
            "matching": {
                name: draft.report["settings"].get(name, {}) for name in [*KEPT, *KEPT_HERE]
            },
            "kept_by": by,
        },
    )


def kept_matching(collection: Collection, columns_key: str, user: Any) -> dict[str, Any]:
    """The matching kept for files like these, in this collection, else by the same person
    elsewhere; or an empty one."""
    rows = KeptMatching.objects.filter(columns_sha256=_hash(columns_key))
    if here := rows.filter(collection=collection).first():
        return dict(here.matching)
    elsewhere = rows.filter(kept_by=user).order_by("-kept_at").first() if user else None
    return {name: elsewhere.matching[name] for name in KEPT} if elsewhere else {}


def kept_mappings(collection: Collection, file_format: str) -> list[dict[str, Any]]:
    """The mappings kept in this collection for files of a format, the latest first."""
    rows = KeptMatching.objects.filter(collection=collection, format=file_format)
    matchings = rows.order_by("-kept_at", "-pk").values_list("matching", flat=True)
    return [matching["mapping"] for matching in matchings]


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _safe_path(path: str) -> str:
    """The harmless part of a path inside a folder. It is a name to show, never a path to open."""
    parts = PurePosixPath(path.replace("\\", "/")).parts
    if not path.isprintable() or len(path) > MAX_NAME_LENGTH or ".." in parts:
        return ""
    return "/".join(part for part in parts if part != "/")
