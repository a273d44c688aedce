"""The file of a backup: a tar of tables and files, and at its end a manifest with their hashes."""

import hashlib
import io
import json
import os
import re
import secrets
import shutil
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, BinaryIO

from config.backups import BackupError
from datasets import stores

FORMAT = 1
MANIFEST = "manifest.json"
BLOCK = 1 << 20
MEMBER = re.compile(r"(tables/[a-z_0-9]+\.jsonl\.gz|(uploads|exports)/[^/\0]+(/[^/\0]+)+)\Z")


class Writer:
    """A backup while it is written: it has its name only once it is whole and on disk."""

    def __init__(self, path: Path, file: BinaryIO):
        self.path = path
        self._file = file
        self._tar = tarfile.TarFile(fileobj=file, mode="w", format=tarfile.PAX_FORMAT)
        self.members: list[dict[str, Any]] = []

    def add(self, name: str, source: Path) -> None:
        """Add a file, which nobody writes to any more."""
        header = self._info(name, source.stat().st_size)
        digest = hashlib.sha256()
        with source.open("rb") as file:
            self._tar.addfile(header, _Hashing(file, digest))
        self.members.append({"name": name, "size": header.size, "sha256": digest.hexdigest()})

    def finish(self, content: dict[str, Any]) -> None:
        text = json.dumps({"format": FORMAT, **content, "members": self.members}, indent=1).encode()
        self._tar.addfile(self._info(MANIFEST, len(text)), io.BytesIO(text))
        self._tar.close()

    @staticmethod
    def _info(name: str, size: int) -> tarfile.TarInfo:
        header = tarfile.TarInfo(name)
        header.size, header.mode = size, 0o600
        return header


class _Hashing:
    def __init__(self, file: BinaryIO, digest: Any):
        self.file, self.digest = file, digest

    def read(self, size: int = -1, /) -> bytes:
        block = self.file.read(size)
        self.digest.update(block)
        return block


@contextmanager
def new_archive(path: Path) -> Iterator[Writer]:
    """A new backup at `path`, readable by its owner alone; nothing is left of one that failed."""
    if path.exists():
        raise BackupError(f"{path} is there already. Choose another name: no backup is replaced.")
    if not path.parent.is_dir():
        raise BackupError(f"There is no folder {path.parent}. Make it first.")
    partial = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        descriptor = os.open(partial, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600)
    except OSError as error:
        raise BackupError(f"{path} cannot be written: {error.strerror}.") from None
    try:
        with os.fdopen(descriptor, "wb") as file:
            yield Writer(path, file)
            file.flush()
            os.fsync(file.fileno())
        partial.rename(path)
        stores.sync(path.parent)
    finally:
        partial.unlink(missing_ok=True)


class Archive:
    """A backup that was read whole and compared with its manifest."""

    def __init__(self, tar: tarfile.TarFile, content: dict[str, Any]):
        self._tar = tar
        self.content = content
        self.names = [member["name"] for member in content["members"]]

    def open(self, name: str) -> IO[bytes]:
        return _reading(self._tar, name)

    def copy(self, name: str, target: Path) -> Path:
        with self.open(name) as source, target.open("xb") as file:
            shutil.copyfileobj(source, file, BLOCK)
        return target


@contextmanager
def open_archive(path: Path) -> Iterator[Archive]:
    """A backup, checked; BackupError says what is wrong with the file."""
    try:
        file = path.open("rb")
    except OSError as error:
        raise BackupError(f"{path} cannot be read: {error.strerror}.") from None
    with file:
        try:
            tar = tarfile.TarFile(fileobj=file, mode="r")
            members = tar.getmembers()
        except (tarfile.TarError, EOFError) as error:
            raise BackupError(f"{path} is truncated, or no backup of Facetwise: {error}.") from None
        with tar:
            content = _manifest(path, tar, members)
            _check_members(path, tar, members[:-1], content)
            yield Archive(tar, content)


def _reading(tar: tarfile.TarFile, name: str) -> IO[bytes]:
    file = tar.extractfile(name)
    if file is None:  # no regular file, which checks have refused before
        raise BackupError(f"{name} is no file.")
    return file


def _manifest(path: Path, tar: tarfile.TarFile, members: list[tarfile.TarInfo]) -> dict[str, Any]:
    if not members or members[-1].name != MANIFEST or not members[-1].isreg():
        raise BackupError(
            f"{path} is truncated, or no backup of Facetwise: no manifest is at its end."
        )
    try:
        content = json.loads(_reading(tar, MANIFEST).read())
        version = content["format"]
    except (ValueError, KeyError, TypeError, tarfile.TarError):
        raise BackupError(f"The manifest of {path} cannot be read.") from None
    if version != FORMAT:
        raise BackupError(
            f"{path} is a backup of format {version}; this Facetwise reads format {FORMAT}. "
            "Restore it with the version that made it, or with a newer one."
        )
    return content


def _check_members(
    path: Path, tar: tarfile.TarFile, members: list[tarfile.TarInfo], content: dict[str, Any]
) -> None:
    member_of = {member["name"]: member for member in content["members"]}
    for header in members:
        if not header.isreg() or not MEMBER.match(header.name) or ".." in header.name.split("/"):
            raise BackupError(f"{path} holds {header.name!r}, which no backup has.")
        if header.name not in member_of:
            raise BackupError(f"{path} holds {header.name}, which its manifest does not list.")
        digest = hashlib.sha256()
        try:
            file = _reading(tar, header.name)
            while block := file.read(BLOCK):
                digest.update(block)
        except tarfile.TarError:
            raise BackupError(f"{path} is truncated at {header.name}.") from None
        if digest.hexdigest() != member_of[header.name]["sha256"]:
            raise BackupError(f"{path} was damaged or changed: {header.name} is not what it was.")
    missing = member_of.keys() - {header.name for header in members}
    if missing or len(member_of) != len(members):
        raise BackupError(
            f"{path} was changed: {min(missing, default='a file')} is missing or twice."
        )
