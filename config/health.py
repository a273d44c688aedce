"""Health of the installation by part: database, disk, and the parts of background work."""

import os
import tempfile
import time
from pathlib import Path

from django.conf import settings
from django.db import Error, connection

from jobs.models import Job, Pulse

# A full disk may still have room for a byte or two.
PROBE_BYTES = 64 * 1024
PROBE_SECONDS = 5  # between two looks: anyone may ask, and a look writes

# Without these nothing can be rated; without the others jobs wait.
VITAL = ("database", "disk")

_last_look: dict[Path, tuple[float, str]] = {}


def troubles() -> dict[str, str]:
    """Why a part is not well, by its name; empty where all is well."""
    reasons: dict[str, str] = {}
    try:
        reasons |= _silent_parts()
        if _is_read_only():
            reasons["database"] = "It takes no changes: its disk may be full, or it is a standby."
    except Error as error:
        reasons["database"] = str(error).strip()
    for folder in _folders():
        if reason := _disk_trouble(folder):
            reasons["disk"] = reason
    return dict(sorted(reasons.items()))


def _silent_parts() -> dict[str, str]:
    """Parts of the background work that were not heard of lately, by the database's clock."""
    fresh = set(Pulse.objects.fresh().values_list("part", flat=True))
    silent = [part for part in Pulse.Part.values if part not in fresh]
    # A worker with a long job hears no sweep, but its heart beats.
    if Pulse.Part.WORKER in silent and Job.objects.beating().exists():
        silent.remove(Pulse.Part.WORKER)
    last_heard = dict(Pulse.objects.values_list("part", "at")) if silent else {}
    return {
        part: f"last heard of at {last_heard[part]:%Y-%m-%d %H:%M:%S} UTC"
        if part in last_heard
        else "never heard of"
        for part in silent
    }


def _is_read_only() -> bool:
    """Whether PostgreSQL refuses every change; what SQLite needs for one is the disk."""
    if connection.vendor != "postgresql":
        return False
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_setting('transaction_read_only')::boolean")
        return cursor.fetchone()[0]


def _folders() -> set[Path]:
    """The folders that this process must be able to write to."""
    folders = {settings.STATE_DIR}
    if connection.vendor == "sqlite":
        folders.add(Path(connection.settings_dict["NAME"]).parent)
    return folders


def _disk_trouble(folder: Path) -> str:
    looked_at, reason = _last_look.get(folder, (float("-inf"), ""))
    if time.monotonic() - looked_at < PROBE_SECONDS:
        return reason
    try:
        with tempfile.TemporaryFile(dir=folder, buffering=0) as file:
            written = file.write(bytes(PROBE_BYTES))
            os.fsync(file.fileno())
        reason = "" if written == PROBE_BYTES else f"{folder} takes no more."
    except OSError as error:
        reason = f"{folder}: {error.strerror}"
    _last_look[folder] = time.monotonic(), reason
    return reason
