"""Files that all processes of an installation share, in the storages that the settings name.

A store is a folder on this machine, or a bucket that several machines reach. In both, files lie
in folders under random names, are written once, and go with their whole folder.
"""

import fcntl
import os
import shutil
import tempfile
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from pathlib import Path

from django.conf import settings
from django.core.files.storage import Storage
from django.utils import timezone

BLOCK = 1 << 20
# What is half-made or lost is of no use after a day.
KEPT_SECONDS = 24 * 60 * 60
NEW_SECONDS = 10  # in which a scratch folder is locked after it was made


def names_in(store: Storage, folder: str = "") -> Iterator[str]:
    """The names of all files in a folder and below it; none where there is no such folder."""
    try:
        folders, files = store.listdir(folder)
    except FileNotFoundError:
        return
    for file in sorted(files):
        yield f"{folder}/{file}".lstrip("/")
    for below in sorted(folders):
        yield from names_in(store, f"{folder}/{below}".lstrip("/"))


def remove(store: Storage, folder: str) -> None:
    """Delete a folder with everything in it; harmless where it is gone."""
    try:
        folders, files = store.listdir(folder)
    except FileNotFoundError:
        return
    for file in files:
        store.delete(f"{folder}/{file}")
    for below in folders:
        remove(store, f"{folder}/{below}")
    # A bucket has no folders, and a disk keeps one into which somebody just wrote.
    with suppress(OSError):
        store.delete(folder)


def sweep(store: Storage, *, keep: Collection[str] = ()) -> None:
    """Delete the folders that are not among the known ones and that nobody wrote to for a day."""
    try:
        folders, _ = store.listdir("")
    except FileNotFoundError:
        return
    limit = timezone.now() - timedelta(seconds=KEPT_SECONDS)
    for folder in set(folders) - set(keep):
        names = list(names_in(store, folder)) or [folder]
        with suppress(FileNotFoundError):  # another worker sweeps too
            if all(store.get_modified_time(name) < limit for name in names):
                remove(store, folder)


@contextmanager
def local_paths(store: Storage, names: list[str]) -> Iterator[list[Path]]:
    """Paths under which this process can read the files: their own, or those of copies."""
    try:
        paths = [Path(store.path(name)) for name in names]
    except NotImplementedError:
        with scratch_folder() as folder:
            yield [copy(store, name, folder / str(number)) for number, name in enumerate(names)]
    else:
        yield paths


def copy(store: Storage, name: str, path: Path) -> Path:
    """Copy a file of a store to a new path."""
    with store.open(name) as source, path.open("xb") as target:
        shutil.copyfileobj(source, target, BLOCK)
    return path


def sync(path: Path | str) -> None:
    """Returns once a file's content, or the names in a folder, are on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """An empty folder for this process alone, which is gone afterwards.

    It lies in the state folder, which has room, and not in /tmp, which may be memory. Those of
    killed processes go first: a job that is killed at each attempt would fill the disk with copies.
    """
    base = _scratch()
    base.mkdir(mode=0o700, exist_ok=True)
    sweep_scratch()
    with tempfile.TemporaryDirectory(dir=base) as folder:
        lock = os.open(folder, os.O_RDONLY)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield Path(folder)
        finally:
            os.close(lock)


def sweep_scratch() -> None:
    """Delete what killed processes of this machine left behind: folders that nobody locks, and
    files of uploads after a day."""
    base = _scratch()
    for path in base.iterdir() if base.is_dir() else []:
        # Another process sweeps too; what another user left, as root in a shell, stays.
        with suppress(FileNotFoundError, PermissionError):
            age = time.time() - path.lstat().st_mtime
            if not path.is_dir():
                if age > KEPT_SECONDS:
                    path.unlink()
            elif age > NEW_SECONDS and not _is_locked(path):
                shutil.rmtree(path, ignore_errors=True)


def _is_locked(folder: Path) -> bool:
    lock = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(lock)
    return False


def _scratch() -> Path:
    return settings.STATE_DIR / "scratch"
