"""The files of exports are there, as they were offered, and as the trail says."""

import hashlib
import json

from django.core.files.storage import Storage

from audit.models import Event, Seal
from audit.verbs import Verb
from config.integrity.trail_state import is_of
from datasets import stores
from releases.manifest import NAME
from releases.models import Export


def export_findings(using):
    events = Event.objects.using(using).filter(verb=Verb.EXPORT)
    in_trail = {event.subject_id: event for event in events}
    seals = dict(Seal.objects.using(using).values_list("sha256", "number"))
    for export in Export.objects.using(using).iterator():
        event = in_trail.pop(str(export.public_id), None)
        if event and not is_of(event, export.created_by_id, export.created_at):
            yield f"Export {export.public_id} was not made by whom or when the trail says."
        for trouble in _troubles(export, event and event.after, seals):
            yield f"Export {export.public_id}: {trouble}"
    for public_id in in_trail:
        yield f"The trail knows export {public_id}, which is gone."


def _troubles(export, in_trail, seals):
    hash_of = {file["name"]: file["sha256"] for file in export.files}
    if in_trail is None:
        yield "it has no event in the trail."
    else:
        if hash_of != in_trail["files"]:
            yield "its list of files is not the one that the trail says."
        # Exports that were made earlier did not trace their batches.
        if export.batches != in_trail.get("batches", export.batches):
            yield "its batches are not those that the trail says."
    store = export.store()
    present = {
        name.split("/", 1)[1]: name for name in stores.names_in(store, str(export.public_id))
    }
    # What the trail says is older than what the row says.
    for name, sha256 in (hash_of if in_trail is None else in_trail["files"]).items():
        if name not in present:
            yield f"{name} is gone."
        elif _sha256(store, present[name]) != sha256:
            yield f"{name} is not the file that was offered."
    for name in sorted(present.keys() - hash_of.keys() - {export.archive_name}):
        yield f"{name} was put in afterwards."
    if NAME in present:
        yield from _manifest_troubles(store, present[NAME], export, seals)


def _manifest_troubles(store: Storage, name, export, seals):
    try:
        with store.open(name) as file:
            content = json.loads(file.read())
        files, trail = content["files"], content.get("trail")
        has_seal = not trail or (trail["sha256"], trail["seal"]) in seals.items()
    except (ValueError, KeyError, TypeError):
        yield f"{NAME} cannot be read."
        return
    if files != export.files[1:]:
        yield f"{NAME} lists other files."
    for name in ("counts", "is_incomplete"):
        if content.get(name) != getattr(export, name):
            yield f"{NAME} has other {name.replace('_', ' ')} than its row."
    if not has_seal:
        yield f"{NAME} names seal {trail['seal']}, which the trail does not have."


def _sha256(store, name):
    with store.open(name) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
