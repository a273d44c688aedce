"""Files of the state folder are for their owner, also where the folder is open to others."""

import os
import stat
from contextlib import suppress
from pathlib import Path

from django.db import connection


def close_database_to_others() -> None:
    """SQLite makes its file as the shell's umask says, which is usually readable by everybody.

    The files beside it (-wal, -shm, -journal) take its mode when they are made, and may be gone
    again in the middle. A file of another user stays as it is.
    """
    if connection.vendor != "sqlite":
        return
    database = Path(connection.settings_dict["NAME"])
    for file in database.parent.glob(f"{database.name}*"):
        with suppress(FileNotFoundError, PermissionError):
            mode = stat.S_IMODE(file.stat().st_mode)
            if mode & stat.S_IRWXO:
                file.chmod(mode & ~stat.S_IRWXO)


def keep_private(path: Path, text: str) -> None:
    """Write a file that only its owner reads, in place of an older one."""
    fresh = path.with_name(f"{path.name}.{os.getpid()}")
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)
    fresh.replace(path)
