"""Files to be read, from any kind of source: paths, folders, zips, gzip, uploads.

    with open_files([Path("study.zip")], limit=MAX_UPLOAD) as files:
        for file in files:
            with file.open() as data: ...

A reader sees files alone: archives are unpacked first, into a temporary folder under numbers. The
names that archives and browsers give are shown to people and never used as paths.

What is refused, and why, is reported with the name of the file; `formats/archives.py` knows
archives. Gzip is recognised by its first bytes, not by a name; so is UTF-16, which readers get as
UTF-8.
"""

import codecs
import gzip
import hashlib
import os
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO, cast

from formats.archives import (
    BROKEN_ZIP,
    GZIP,
    RefusedError,
    check_bomb,
    checked_members,
    first_bytes,
    is_left_behind,
    is_office,
    kind_of_archive,
)
from formats.parquet_bytes import PARQUET, unpacked_bytes
from formats.problems import Problems

CHUNK_BYTES = 1 << 20
# How Excel begins what it calls Unicode text.
UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
# Between an archive and the name of a file inside it.
WITHIN = " \u203a "


@dataclass(frozen=True)
class SourceFile:
    """A file to read. `name` is how people know it: a path inside a folder, or an archive
    and the name inside it.

    `path` has its bytes, unpacked and with UTF-16 as UTF-8; `sha256` is the hash of them as they
    came, gzipped or in UTF-16. `cache` is where readers keep what they know of it, as long as it is
    open.
    """

    name: str
    path: Path
    packed_path: Path | None = None
    cache: dict[str, Any] = field(default_factory=dict, compare=False, repr=False)

    @property
    def base(self) -> str:
        """The last part of the name, without a `.gz` that was taken off."""
        base = PurePosixPath(self.name.rsplit(WITHIN, 1)[-1]).name
        return base[:-3] if self.packed_path and base.lower().endswith(".gz") else base

    @property
    def folder(self) -> str:
        """The name of the folder it lies in, "" at the top."""
        return PurePosixPath(self.name.rsplit(WITHIN, 1)[-1]).parent.name

    @property
    def suffix(self) -> str:
        return PurePosixPath(self.base).suffix.lower()

    @property
    def size(self) -> int:
        return self.path.stat().st_size

    def open(self) -> BinaryIO:
        return self.path.open("rb")

    def start(self, length: int = 4096) -> bytes:
        """The first bytes, by which formats are recognised."""
        with self.open() as stream:
            return stream.read(length)

    @cached_property
    def sha256(self) -> str:
        with (self.packed_path or self.path).open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()


@dataclass(frozen=True)
class Files:
    """The files of an import, in the order of their names."""

    all: tuple[SourceFile, ...]

    def __iter__(self) -> Iterator[SourceFile]:
        return iter(self.all)

    def __len__(self) -> int:
        return len(self.all)

    def named(self, name: str) -> SourceFile:
        return next(file for file in self.all if file.name == name)

    @property
    def size(self) -> int:
        return sum(file.size for file in self.all)

    @property
    def fingerprint(self) -> str:
        """A SHA-256 over names and bytes."""
        lines = sorted(f"{file.name} {file.sha256}" for file in self.all)
        return hashlib.sha256("\n".join(lines).encode()).hexdigest()


@contextmanager
def open_files(
    sources: Iterable[Path | tuple[str, Path]], *, limit: int | None = None
) -> Iterator[Files]:
    """The files of paths, folders and archives, to be read inside the block.

    An upload is the name that it came with and the path under which it is kept. `limit` counts
    unpacked bytes. Raises BadInputError with what is refused.
    """
    with tempfile.TemporaryDirectory(prefix="facetwise-files-") as folder:
        opener = _Opener(Path(folder), limit)
        for source in sources:
            name, path = source if isinstance(source, tuple) else (source.name, source)
            opener.take(name, path)
        opener.problems.raise_any()
        yield Files(tuple(sorted(opener.files, key=lambda file: file.name)))


@dataclass
class _Opener:
    """Takes sources one by one; `unpacked_bytes` counts theirs."""

    folder: Path
    limit: int | None
    files: list[SourceFile] = field(default_factory=list)
    names: set[str] = field(default_factory=set)
    problems: Problems = field(default_factory=Problems)
    unpacked_bytes: int = 0
    paths: int = 0

    def take(self, name: str, path: Path) -> None:
        if path.is_dir():
            for inside in _files_below(path):
                self._take_file(inside.relative_to(path).as_posix(), inside)
        elif path.is_file():
            self._take_file(name, path)
        else:
            self.problems.add(name, "", "there is no such file or folder.", "Look at the path.")

    def _take_file(self, name: str, path: Path) -> None:
        readable_name = name.encode("utf-8", "replace").decode()
        if readable_name != name:
            self.problems.add(
                readable_name, "", "its name is not UTF-8.", "Rename it; its content may stay."
            )
            return
        try:
            if first_bytes(path).startswith(b"PK") and not is_office(path):
                self._take_zip(name, path)
            else:
                self._take_plain(name, path)
        except RefusedError as error:
            self.problems.add(error.name or name, "", error.message, error.remedy)

    def _take_plain(self, name: str, path: Path, *, is_counted: bool = False) -> None:
        """A file that is no archive, or one gzipped file, as runs often are."""
        start = first_bytes(path)
        if start.startswith(GZIP):
            packed, path = path, self._new_path()
            self._unpack_gzip(packed, path)
            self._refuse_archive(name, path)
            self._add(SourceFile(name, path, packed))
            return
        self._refuse_archive(name, path)
        self._check_inside(path, start)
        if not is_counted:
            self._count(path.stat().st_size)
        self._add(SourceFile(name, path))

    def _check_inside(self, path: Path, start: bytes) -> None:
        """Check what a reader will unpack itself."""
        if start.startswith(b"PK"):
            self._check_office(path)
        elif start.startswith(PARQUET):
            unpacked, packed = 0, path.stat().st_size
            for unpacked in unpacked_bytes(path):
                self._check_room(unpacked, packed)
            self.unpacked_bytes += max(unpacked - packed, 0)

    def _check_office(self, path: Path) -> None:
        """A workbook is a zip itself, which its reader unpacks, whatever sizes the zip tells."""
        unpacked, packed = 0, path.stat().st_size
        try:
            with zipfile.ZipFile(path) as archive:
                for member in archive.infolist():
                    member.file_size = sys.maxsize
                    with archive.open(member) as data:
                        while chunk := data.read(CHUNK_BYTES):
                            unpacked += len(chunk)
                            self._check_room(unpacked, packed)
        except BROKEN_ZIP as error:
            raise RefusedError(
                f"the workbook is broken: {error}.", "Save it again as .xlsx, or as CSV."
            ) from None

    def _unpack_gzip(self, packed: Path, path: Path) -> None:
        try:
            with gzip.open(packed) as data, path.open("wb") as out:
                self._copy(cast(BinaryIO, data), out, packed.stat().st_size)
        except (EOFError, OSError, zlib.error) as error:
            raise RefusedError(
                f"the gzip archive is broken: {error}.", "Pack it again, or bring it unpacked."
            ) from None

    def _take_zip(self, name: str, path: Path) -> None:
        try:
            with zipfile.ZipFile(path) as archive:
                members = checked_members(archive)
                packed = path.stat().st_size
                self._check_room(sum(member.file_size for member in members), packed)
                for member in members:
                    inside = self._new_path()
                    with archive.open(member) as data, inside.open("wb") as out:
                        self._copy(cast(BinaryIO, data), out, packed)
                    full_name = f"{name}{WITHIN}{member.filename}"
                    self._take_plain(full_name, inside, is_counted=True)
        except BROKEN_ZIP as error:
            raise RefusedError(
                f"the zip archive is broken: {error}.", "Pack it again, or bring its files."
            ) from None

    def _copy(self, data: BinaryIO, out: BinaryIO, packed: int) -> None:
        unpacked = 0
        while chunk := data.read(CHUNK_BYTES):
            unpacked += len(chunk)
            check_bomb(unpacked, packed)
            self._count(len(chunk))
            out.write(chunk)

    def _check_room(self, unpacked: int, packed: int) -> None:
        """Refuse an archive by its own list of sizes, before anything is written."""
        check_bomb(unpacked, packed)
        if self.limit is not None and self.unpacked_bytes + unpacked > self.limit:
            raise self._too_large(self.unpacked_bytes + unpacked)

    def _count(self, length: int) -> None:
        self.unpacked_bytes += length
        if self.limit is not None and self.unpacked_bytes > self.limit:
            raise self._too_large(self.unpacked_bytes)

    def _too_large(self, total: int) -> RefusedError:
        return RefusedError(
            f"unpacked, the files have {total:,} bytes or more; at most {self.limit:,} are taken.",
            "Import them by command, which has no such limit.",
        )

    def _refuse_archive(self, name: str, path: Path) -> None:
        if kind := kind_of_archive(path):
            inside = "an archive inside another is not opened" if WITHIN in name else "not opened"
            raise RefusedError(
                f"this is {kind}; {inside}.", "Unpack it, and bring its files or a zip.", name
            )

    def _add(self, file: SourceFile) -> None:
        if file.name in self.names:
            raise RefusedError(
                "there are two files of this name.", "Give one of them another.", file.name
            )
        self.names.add(file.name)
        self.files.append(self._in_utf_8(file))

    def _in_utf_8(self, file: SourceFile) -> SourceFile:
        """A file whose first bytes say UTF-16, rewritten; one that is none after all, as it is."""
        if not file.start(2).startswith(UTF_16):
            return file
        path = self._new_path()
        try:
            with (
                file.path.open(encoding="utf-16", newline="") as text,
                path.open("w", encoding="utf-8", newline="") as out,
            ):
                while chunk := text.read(CHUNK_BYTES):
                    out.write(chunk)
        except UnicodeError:
            return file
        return SourceFile(file.name, path, file.packed_path or file.path)

    def _new_path(self) -> Path:
        self.paths += 1
        return self.folder / f"{self.paths:06}"


def _files_below(folder: Path) -> Iterator[Path]:
    for parent, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not is_left_behind(name))
        for name in sorted(names):
            path = Path(parent) / name
            if path.is_file() and not is_left_behind(name):
                yield path
