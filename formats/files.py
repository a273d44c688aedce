"""Files to be read, from any kind of source: paths, folders, zips, gzip, uploads.

    with open_files([Path("study.zip")], limit=MAX_UPLOAD) as files:
        for file in files:
            with file.open() as data: ...

A reader sees files alone: archives are unpacked first, into a temporary folder under numbers. The
names that archives and browsers give are shown to people and never used as paths.

Refused, with the file and the reason: an archive inside an archive, an encrypted one, names that
lead out of it (`../`, `/etc`), links, a name twice, a broken archive, and more unpacked bytes than
the limit. A bomb is refused without a limit, too. Gzip is told by its first bytes, not by a name.
"""

import gzip
import hashlib
import os
import stat
import tempfile
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO, cast

from formats.problems import Problems

CHUNK_BYTES = 1 << 20
MAX_MEMBERS = 100_000
# Text shrinks to a tenth or so. What grows by more than this, beyond a size that does no harm, was
# made to fill a disk.
BOMB_RATIO = 200
BOMB_BYTES = 1 << 30
# Other archives by their first bytes; tar has its sign further inside.
ARCHIVES = [
    (b"PK\x03\x04", "a zip archive"),
    (b"PK\x05\x06", "an empty zip archive"),
    (b"BZh", "a bzip2 archive"),
    (b"\xfd7zXZ\x00", "an xz archive"),
    (b"\x28\xb5\x2f\xfd", "a zstd archive"),
    (b"7z\xbc\xaf", "a 7z archive"),
    (b"Rar!", "a RAR archive"),
]
GZIP = b"\x1f\x8b"
TAR, TAR_AT = b"ustar", 257
# What systems leave in folders and archives, and what is hidden.
LEFT_BEHIND = {"__MACOSX", "Thumbs.db", "desktop.ini"}
# Between an archive and the name of a file inside it.
WITHIN = " \u203a "


@dataclass(frozen=True)
class SourceFile:
    """A file to read. `name` is how people know it: a path inside a folder, or an archive
    and the name inside it.

    `path` has its bytes, unpacked; `sha256` is the hash of them as they came where the file was
    gzipped by itself. `kept` is where readers keep what they know of it, as long as it is open.
    """

    name: str
    path: Path
    packed_path: Path | None = None
    kept: dict[str, Any] = field(default_factory=dict, compare=False, repr=False)

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
        """The first bytes, by which formats are told."""
        with self.open() as data:
            return data.read(length)

    @cached_property
    def sha256(self) -> str:
        with (self.packed_path or self.path).open("rb") as data:
            return hashlib.file_digest(data, "sha256").hexdigest()


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
        start = _start(path)
        try:
            if start.startswith(b"PK") and not _is_office(path):
                self._take_zip(name, path)
            else:
                self._take_plain(name, path, start)
        except _RefusedError as error:
            self.problems.add(error.name or name, "", error.message, error.remedy)

    def _take_plain(self, name: str, path: Path, start: bytes) -> None:
        """A file that is no archive, or one gzipped file."""
        if start.startswith(GZIP):
            packed, path = path, self._new_path()
            self._unpack_gzip(packed, path)
            self._refuse_archive(name, path)
            self._add(SourceFile(name, path, packed))
            return
        self._refuse_archive(name, path)
        if start.startswith(b"PK"):
            self._check_office(path)
        self._count(path.stat().st_size)
        self._add(SourceFile(name, path))

    def _check_office(self, path: Path) -> None:
        """A workbook is a zip itself, which its reader unpacks."""
        with zipfile.ZipFile(path) as archive:
            unpacked = sum(member.file_size for member in archive.infolist())
        self._check_room(unpacked, path.stat().st_size)

    def _unpack_gzip(self, packed: Path, path: Path) -> None:
        try:
            with gzip.open(packed) as data, path.open("wb") as out:
                self._copy(cast(BinaryIO, data), out, packed.stat().st_size)
        except (EOFError, OSError, zlib.error) as error:
            raise _RefusedError(
                f"the gzip archive is broken: {error}.", "Pack it again, or bring it unpacked."
            ) from None

    def _take_zip(self, name: str, path: Path) -> None:
        try:
            with zipfile.ZipFile(path) as archive:
                members = _checked_members(archive)
                packed = path.stat().st_size
                self._check_room(sum(member.file_size for member in members), packed)
                for member in members:
                    self._take_member(f"{name}{WITHIN}{member.filename}", archive, member, packed)
        except (zipfile.BadZipFile, NotImplementedError, EOFError, OSError, zlib.error) as error:
            raise _RefusedError(
                f"the zip archive is broken: {error}.", "Pack it again, or bring its files."
            ) from None

    def _take_member(
        self, name: str, archive: zipfile.ZipFile, member: zipfile.ZipInfo, packed: int
    ) -> None:
        path = self._new_path()
        with archive.open(member) as data, path.open("wb") as out:
            self._copy(cast(BinaryIO, data), out, packed)
        if _start(path).startswith(GZIP):
            # Runs are often gzipped one by one; what is inside is a file, no further archive.
            unpacked = self._new_path()
            self._unpack_gzip(path, unpacked)
            self._refuse_archive(name, unpacked)
            self._add(SourceFile(name, unpacked, path))
            return
        self._refuse_archive(name, path)
        if _is_office(path):
            self._check_office(path)
        self._add(SourceFile(name, path))

    def _copy(self, data: BinaryIO, out: BinaryIO, packed: int) -> None:
        unpacked = 0
        while chunk := data.read(CHUNK_BYTES):
            unpacked += len(chunk)
            self._check_bomb(unpacked, packed)
            self._count(len(chunk))
            out.write(chunk)

    def _check_room(self, unpacked: int, packed: int) -> None:
        """Refuse an archive by its own list of sizes, before anything is written."""
        self._check_bomb(unpacked, packed)
        if self.limit is not None and self.unpacked_bytes + unpacked > self.limit:
            raise self._too_large(self.unpacked_bytes + unpacked)

    @staticmethod
    def _check_bomb(unpacked: int, packed: int) -> None:
        if unpacked > max(BOMB_BYTES, BOMB_RATIO * packed):
            raise _RefusedError(
                f"unpacked it has more than {unpacked:,} bytes, packed {packed:,}.",
                "Such an archive is made to fill disks. Bring its files unpacked.",
            )

    def _count(self, length: int) -> None:
        self.unpacked_bytes += length
        if self.limit is not None and self.unpacked_bytes > self.limit:
            raise self._too_large(self.unpacked_bytes)

    def _too_large(self, total: int) -> "_RefusedError":
        return _RefusedError(
            f"unpacked, the files have {total:,} bytes or more; at most {self.limit:,} are taken.",
            "Import them by command, which has no such limit.",
        )

    def _refuse_archive(self, name: str, path: Path) -> None:
        start = _start(path)
        kind = next((kind for sign, kind in ARCHIVES if start.startswith(sign)), "")
        if start.startswith(GZIP):
            kind = "a gzip archive inside another"
        elif start[TAR_AT:].startswith(TAR):
            kind = "a tar archive"
        if kind and not (start.startswith(b"PK") and _is_office(path)):
            inside = "an archive inside another is not opened" if WITHIN in name else "not opened"
            raise _RefusedError(
                f"this is {kind}; {inside}.", "Unpack it, and bring its files or a zip.", name
            )

    def _add(self, file: SourceFile) -> None:
        if file.name in self.names:
            raise _RefusedError(
                "there are two files of this name.", "Give one of them another.", file.name
            )
        self.names.add(file.name)
        self.files.append(file)

    def _new_path(self) -> Path:
        self.paths += 1
        return self.folder / f"{self.paths:06}"


class _RefusedError(Exception):
    """Why a file is refused; `name` where it is inside what was to be opened."""

    def __init__(self, message: str, remedy: str, name: str = "") -> None:
        super().__init__(message)
        self.message, self.remedy, self.name = message, remedy, name


def _checked_members(archive: zipfile.ZipFile) -> Sequence[zipfile.ZipInfo]:
    """The files of an archive whose names and kinds are harmless."""
    members = [member for member in archive.infolist() if not member.is_dir()]
    if len(members) > MAX_MEMBERS:
        raise _RefusedError(
            f"the archive has {len(members):,} files; at most {MAX_MEMBERS:,} are read.",
            "Divide it.",
        )
    seen = set()
    for member in members:
        name = member.filename
        if _leads_out(name):
            raise _RefusedError(
                f"the archive has a file named {name!a}, which leads out of it.",
                "Pack the files again, by their names alone.",
            )
        if member.flag_bits & 1:
            raise _RefusedError(f"{name} is encrypted.", "Pack the files again without a password.")
        if stat.S_ISLNK(member.external_attr >> 16):
            raise _RefusedError(f"{name} is a link to another file.", "Pack the file itself.")
        if name in seen:
            raise _RefusedError(f"the archive has {name} twice.", "Keep one of the two.")
        seen.add(name)
    return [member for member in members if not is_left_behind(member.filename)]


def _leads_out(name: str) -> bool:
    parts = name.replace("\\", "/").split("/")
    is_absolute = parts[0] == "" or ":" in parts[0]
    return is_absolute or ".." in parts or not name.isprintable()


def is_left_behind(name: str) -> bool:
    """Whether nobody meant to send this file: it is hidden, or a system wrote it."""
    parts = name.split("/")
    return any(part in LEFT_BEHIND or part.startswith(".") for part in parts)


def _files_below(folder: Path) -> Iterator[Path]:
    for parent, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not is_left_behind(name))
        for name in sorted(names):
            path = Path(parent) / name
            if path.is_file() and not is_left_behind(name):
                yield path


def _is_office(path: Path) -> bool:
    """Whether a zip is a document of an Office program, which is read as a table or not at all."""
    try:
        with zipfile.ZipFile(path) as archive:
            return "[Content_Types].xml" in archive.namelist()
    except (zipfile.BadZipFile, OSError, ValueError):
        return False


def _start(path: Path) -> bytes:
    with path.open("rb") as data:
        return data.read(512)
