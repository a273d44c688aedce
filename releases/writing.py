"""Files of an export on disk: written aside, read back, compared, and only then put in place."""

import hashlib
import os
import shutil
import tempfile
import zipfile
from pathlib import Path

from django.core.files import File

from datasets import stores

BLOCK = 1 << 20
# A zip file knows no time before; it is always the same, so that the same state is the same bytes.
ZIP_EPOCH = (1980, 1, 1, 0, 0, 0)


class WrittenWrongError(OSError):
    """A file differs from what was written to it."""


class Written(File):
    """A file that a store on the same disk takes over by renaming it."""

    def temporary_file_path(self):
        return self.name


class Folder:
    """A folder that appears under its name only when `keep` is called."""

    def __init__(self, target):
        self.target = Path(target)
        self.target.parent.mkdir(parents=True, exist_ok=True)
        self.manifest_digest = ""  # of the manifest, once it is written
        self.path = Path(tempfile.mkdtemp(prefix=f".{self.target.name}.", dir=self.target.parent))

    def __enter__(self):
        return self

    def __exit__(self, *error):
        shutil.rmtree(self.path, ignore_errors=True)

    def write(self, name, parts):
        """Write one file, read it back; {"name", "size", "sha256"} of it."""
        path = self.path / name
        path.parent.mkdir(exist_ok=True)
        digest, size = hashlib.sha256(), 0
        with path.open("xb") as file:
            for part in parts:
                data = part.encode()
                digest.update(data)
                size += len(data)
                file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if digest_of(path) != digest.hexdigest():
            raise WrittenWrongError(f"{name} is not on disk as it was written.")
        return {"name": name, "size": size, "sha256": digest.hexdigest()}

    def archive(self, name, members):
        """A zip file of some of the files, in the order given."""
        with zipfile.ZipFile(self.path / name, "x", zipfile.ZIP_DEFLATED) as archive:
            for member in members:
                info = zipfile.ZipInfo(member, ZIP_EPOCH)
                info.compress_type = zipfile.ZIP_DEFLATED
                info.external_attr = 0o644 << 16
                with (self.path / member).open("rb") as source, archive.open(info, "w") as target:
                    shutil.copyfileobj(source, target, BLOCK)

    def keep(self):
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


def put(folder, store, target):
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


def digest_of(path):
    with path.open("rb") as file:
        return _digest(file)


def _digest(file):
    return hashlib.file_digest(file, "sha256").hexdigest()
