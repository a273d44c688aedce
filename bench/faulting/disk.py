"""A small disk in memory, which can be full."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

TINY = 4096  # bytes: every file of the database has more
SMALL_DISK = "FACETWISE_BENCH_DISK"  # names the folder on which one is mounted
DISK_SIZE = "48m"


class SmallDisk:
    """A disk in memory, which only root may mount."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.filler = self.folder / "filler"

    def take_tables(self):
        """Let PostgreSQL keep there what ratings are written to."""
        from django.db import connection

        from tests.processes import PostgreSQL

        space = self.folder / "tables"
        space.mkdir(mode=0o700)
        os.chown(space, PostgreSQL().owner, -1)
        with connection.cursor() as cursor:
            cursor.execute("CREATE TABLESPACE small LOCATION %s", [str(space)])
            for table in ("annotation_rating", "annotation_ratingrevision", "audit_event"):
                cursor.execute(f"ALTER TABLE {table} SET TABLESPACE small")

    def fill(self):
        with self.filler.open("wb", buffering=0) as file, suppress(OSError):
            while True:
                file.write(bytes(1 << 16))
        with self.filler.open("ab", buffering=0) as file, suppress(OSError):
            while True:
                file.write(bytes(512))

    def empty(self):
        self.filler.unlink()


def small_disk():
    folder = os.environ.get(SMALL_DISK)
    return SmallDisk(folder) if folder else None


@contextmanager
def mounted(folder: Path) -> Iterator[None]:
    """Mount a small disk on the folder, where that is allowed, for as long as the block lasts."""
    command = ["mount", "-t", "tmpfs", "-o", f"size={DISK_SIZE},mode=0755", "tmpfs", str(folder)]
    try:
        is_mounted = subprocess.run(command, capture_output=True).returncode == 0
    except FileNotFoundError:
        is_mounted = False
    if not is_mounted:
        yield
        return
    os.environ[SMALL_DISK] = str(folder)
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", str(folder)])  # noqa: S607
