"""Archives: what tells them, and what is refused of them.

Refused are an archive inside an archive, an encrypted one, names that lead out of it (`../`,
`/etc`) or hide what they are, links, a name twice, a broken archive, and one that was made to fill
a disk.
"""

import lzma
import stat
import zipfile
import zlib
from collections.abc import Sequence
from pathlib import Path

# How zipfile says that a zip is broken, encrypted or packed in a way that it does not know.
BROKEN_ZIP = (
    zipfile.BadZipFile, RuntimeError, EOFError, OSError, ValueError, zlib.error, lzma.LZMAError,
)  # fmt: skip
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
# Office programs keep a file of the second kind beside each that is open.
HIDDEN = (".", "~$")


class RefusedError(Exception):
    """Why a file is refused; `name` where it is inside what was to be opened."""

    def __init__(self, message: str, remedy: str, name: str = "") -> None:
        super().__init__(message)
        self.message, self.remedy, self.name = message, remedy, name


def checked_members(archive: zipfile.ZipFile) -> Sequence[zipfile.ZipInfo]:
    """The files of an archive whose names and kinds are harmless."""
    # Their own `is_dir` of Python 3.11 fails where a name has no letter.
    members = [member for member in archive.infolist() if not member.filename.endswith("/")]
    if len(members) > MAX_MEMBERS:
        raise RefusedError(
            f"the archive has {len(members):,} files; at most {MAX_MEMBERS:,} are read.",
            "Divide it.",
        )
    seen = set()
    for member in members:
        name = member.filename
        if not name.isprintable():
            raise RefusedError(
                f"the archive has a file named {name!a}, with characters that cannot be seen.",
                "Rename the file without them, and pack the files again.",
            )
        if _leads_out(name):
            raise RefusedError(
                f"the archive has a file named {name!a}, which leads out of it.",
                "Pack the files again, by their names alone.",
            )
        if member.flag_bits & 1:
            raise RefusedError(f"{name} is encrypted.", "Pack the files again without a password.")
        if stat.S_ISLNK(member.external_attr >> 16):
            raise RefusedError(f"{name} is a link to another file.", "Pack the file itself.")
        if name in seen:
            raise RefusedError(f"the archive has {name} twice.", "Keep one of the two.")
        seen.add(name)
    return [member for member in members if not is_left_behind(member.filename)]


def _leads_out(name: str) -> bool:
    parts = name.replace("\\", "/").split("/")
    is_absolute = parts[0] == "" or ":" in parts[0]
    return is_absolute or ".." in parts


def is_left_behind(name: str) -> bool:
    """Whether nobody meant to send this file: it is hidden, or a system wrote it."""
    parts = name.split("/")
    return any(part in LEFT_BEHIND or part.startswith(HIDDEN) for part in parts)


def is_office(path: Path) -> bool:
    """Whether a zip is a document of an Office program, which is read as a table or not at all."""
    try:
        with zipfile.ZipFile(path) as archive:
            return "[Content_Types].xml" in archive.namelist()
    except BROKEN_ZIP:
        return False


def kind_of_archive(path: Path) -> str:
    """The kind of an archive that is not opened, by its first bytes; "" for any other file."""
    start = first_bytes(path)
    if start.startswith(b"PK") and is_office(path):
        return ""
    if start.startswith(GZIP):
        return "a gzip archive inside another"
    if start[TAR_AT:].startswith(TAR):
        return "a tar archive"
    return next((kind for sign, kind in ARCHIVES if start.startswith(sign)), "")


def check_bomb(unpacked: int, packed: int) -> None:
    """Refuse what was packed into far too few bytes."""
    if unpacked > max(BOMB_BYTES, BOMB_RATIO * packed):
        raise RefusedError(
            f"unpacked it has more than {unpacked:,} bytes, packed {packed:,}.",
            "Such an archive is made to fill disks. Bring its files unpacked.",
        )


def first_bytes(path: Path) -> bytes:
    """Enough to tell what a file is."""
    with path.open("rb") as data:
        return data.read(512)
