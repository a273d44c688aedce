"""Files of an export on disk: written aside, read back, compared, and only then put in place."""

import hashlib
import json
import os
import shutil
import tempfile
import zipfile
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from django.core.files import File
from django.core.files.storage import Storage

from audit.refusals import Refused
from datasets import stores
from releases.manifest import NAME

BLOCK = 1 << 20
# A zip file knows no time before; it is always the same, so that the same state is the same bytes.
ZIP_EPOCH = (1980, 1, 1, 0, 0, 0)


class FolderInUseError(Refused):
    """The folder holds something that is not an earlier export of the same kind."""


# Of a file: {"name", "size", "sha256"}.
FileFacts = dict[str, Any]


class WrittenWrongError(OSError):
    """A file differs from what was written to it."""


class Written(File):
    """A file that a store on the same disk takes over by renaming it."""

    def temporary_file_path(self) -> str:
        return str(self.name)


class Folder:
    """A folder that appears under its name only when `keep` is called."""

    def __init__(self, target: Path) -> None:
        self.target = target
        self.target.parent.mkdir(parents=True, exist_ok=True)
        self.manifest: FileFacts = {}  # once it is written
        self.path = Path(tempfile.mkdtemp(prefix=f".{self.target.name}.", dir=self.target.parent))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        shutil.rmtree(self.path, ignore_errors=True)

    def write(self, name: str, parts: Iterable[str]) -> FileFacts:
        """Write one file, and read it back."""
        path = self.path / name
        path.parent.mkdir(exist_ok=True)
        digest, size = hashlib.sha256(), 0
        with path.open("xb") as file:
            for part in parts:
                content = part.encode()
                digest.update(content)
                size += len(content)
                file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if digest_of(path) != digest.hexdigest():
            raise WrittenWrongError(f"{name} is not on disk as it was written.")
        return {"name": name, "size": size, "sha256": digest.hexdigest()}

    def archive(self, name: str, members: Iterable[str]) -> None:
        """A zip file of some of the files, in the order given."""
        with zipfile.ZipFile(self.path / name, "x", zipfile.ZIP_DEFLATED) as archive:
            for member in members:
                header = zipfile.ZipInfo(member, ZIP_EPOCH)
                header.compress_type = zipfile.ZIP_DEFLATED
                header.external_attr = 0o644 << 16
                with (self.path / member).open("rb") as source, archive.open(header, "w") as target:
                    shutil.copyfileobj(source, target, BLOCK)

    def keep(self) -> None:
        """Put the folder in its place, in place of an empty one or an earlier export."""
        os.chmod(self.path, 0o755)  # noqa: S103 - as mkdir would; mkdtemp's is for its owner only
        old = None
        if self.target.exists():
            old = self.path.with_name(f"{self.path.name}.old")
            self.target.rename(old)
        self.path.rename(self.target)
        stores.sync(self.target.parent)
        if old:
            shutil.rmtree(old)


def check_folder(folder: Path, slug: str, export_format: str) -> None:
    """Refuse a folder that holds anything but an earlier export of this collection and format."""
    if not folder.exists():
        return
    if not folder.is_dir():
        raise FolderInUseError(f"{folder} is not a folder.")
    present = {str(path.relative_to(folder)) for path in folder.rglob("*") if not path.is_dir()}
    if not present:
        return
    try:
        content = json.loads((folder / NAME).read_text(encoding="utf-8"))
        file_names = {NAME, *(file["name"] for file in content["files"])}
        is_ours = (content["format"], content["collection"]["slug"]) == (export_format, slug)
    except (OSError, ValueError, KeyError, TypeError):
        is_ours = False
    if not is_ours or present - file_names:
        raise FolderInUseError(
            f"{folder} holds other files. Choose a new or empty folder, so that nothing is lost "
            "and nothing else looks exported."
        )


def put(folder: Path, store: Storage, target: str) -> None:
    """Put all files of a folder into a folder of a store; each is read back there and compared."""
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        name = f"{target}/{path.relative_to(folder).as_posix()}"
        expected = digest_of(path)
        with path.open("rb") as file:
            stored = store.save(name, Written(file, str(path)))
        if stored != name:
            raise WrittenWrongError(f"{name} is already in the store.")
        with store.open(name) as file:
            if _digest(file) != expected:
                raise WrittenWrongError(f"{name} is not in the store as it was written.")


def digest_of(path: Path) -> str:
    with path.open("rb") as file:
        return _digest(file)


def _digest(file: Any) -> str:
    return hashlib.file_digest(file, "sha256").hexdigest()
