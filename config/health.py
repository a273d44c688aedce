"""Health of the installation by part: database, disk, and the parts of background work."""

import os
import sqlite3
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from django.conf import settings
from django.db import Error, connection

from jobs.models import Job, Pulse

# A full disk may still have room for a byte or two.
PROBE_BYTES = 64 * 1024
PROBE_SECONDS = 5  # between two looks: anyone may ask, and a look writes
# For a lock that our own programs give away several times a second.
LOCK_SECONDS = 2

# Without these nothing can be rated; without the others jobs wait.
VITAL = ("database", "disk")

_last_look: dict[Path | str, tuple[float, str]] = {}


def troubles() -> dict[str, str]:
    """Why a part is not well, by its name; empty where all is well."""
    reasons: dict[str, str] = {}
    try:
        reasons |= _silent_parts()
        # Every part leaves a sign in the database, so nothing is asked of it while they do.
        if reasons and (reason := _lock_trouble()):
            reasons["database"] = reason
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


def _lock_trouble() -> str:
    """Why SQLite's one lock for writing is not to be had, which our own programs give away soon."""
    if connection.vendor != "sqlite" or connection.in_atomic_block:
        return ""
    file = connection.settings_dict["NAME"]

    def look() -> str:
        with closing(sqlite3.connect(file, timeout=LOCK_SECONDS, isolation_level=None)) as other:
            try:
                other.execute("BEGIN IMMEDIATE")
            except sqlite3.OperationalError as error:
                return f"{str(error).capitalize()}: another program holds it for writing. End that."
        return ""

    return _looked_at("lock", look)


def _folders() -> set[Path]:
    """The folders that this process must be able to write to."""
    folders = {settings.STATE_DIR}
    if connection.vendor == "sqlite":
        folders.add(Path(connection.settings_dict["NAME"]).parent)
    return folders


def _disk_trouble(folder: Path) -> str:
    def look() -> str:
        try:
            with tempfile.TemporaryFile(dir=folder, buffering=0) as file:
                written = file.write(bytes(PROBE_BYTES))
                os.fsync(file.fileno())
        except OSError as error:
            return f"{folder}: {error.strerror}"
        return "" if written == PROBE_BYTES else f"{folder} takes no more."

    return _looked_at(folder, look)


def _looked_at(subject: Path | str, look: Callable[[], str]) -> str:
    """What a look says, or said a moment ago."""
    looked_at, reason = _last_look.get(subject, (float("-inf"), ""))
    if time.monotonic() - looked_at >= PROBE_SECONDS:
        reason = look()
        _last_look[subject] = time.monotonic(), reason
    return reason
