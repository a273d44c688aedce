"""An import in a process of its own, whose time and peak memory are told, while another process
writes one small transaction after the other to the same database, as raters do.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from config import sqlite3

ROOT = Path(__file__).resolve().parent.parent.parent


@dataclass(frozen=True)
class Command:
    """What a management command came to."""

    printed: str
    seconds: float
    peak_megabytes: float

    def __str__(self) -> str:
        return f"{self.seconds:.1f} s, peak memory {self.peak_megabytes:.0f} MB"


def manage(state: Path, *arguments: str, database: str = "", is_refused: bool = False) -> Command:
    """Run a management command, which must succeed, or fail where it `is_refused`."""
    started = time.monotonic()
    with tempfile.TemporaryFile("w+") as output:
        process = subprocess.Popen(
            [sys.executable, "manage.py", *arguments],
            cwd=ROOT,
            env={
                "PATH": os.environ["PATH"],
                "FACETWISE_STATE": str(state),
                "DJANGO_SETTINGS_MODULE": "config.settings",
                **({"DATABASE_URL": database} if database else {}),
            },
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        seconds = time.monotonic() - started
        output.seek(0)
        printed = output.read().strip()
    if bool(process.returncode) != is_refused:
        sys.exit(printed or 1)
    # ru_maxrss is in kilobytes on Linux.
    return Command(printed, seconds, usage.ru_maxrss / 1024)


class Writer(threading.Thread):
    """Writes small transactions all the time; `waits` are their durations in seconds."""

    def __init__(self, path: Path) -> None:
        super().__init__(daemon=True)
        self.path, self.is_over = path, threading.Event()
        self.waits: list[float] = []

    def run(self) -> None:
        database = sqlite3.connect(self.path, timeout=20, isolation_level=None)
        database.execute("PRAGMA synchronous=FULL")
        database.execute("CREATE TABLE bench_writes (n INTEGER)")
        while not self.is_over.wait(0.05):
            started = time.monotonic()
            database.execute("BEGIN IMMEDIATE")
            database.execute("INSERT INTO bench_writes VALUES (1)")
            database.execute("COMMIT")
            self.waits.append(time.monotonic() - started)
        database.close()

    def stop(self) -> str:
        """How long writes took beside the import."""
        self.is_over.set()
        self.join()
        waits = sorted(self.waits)
        return (
            f"writes beside it: {len(waits):,}, median {statistics.median(waits) * 1000:.0f} ms, "
            f"95% {waits[int(len(waits) * 0.95)] * 1000:.0f} ms, slowest {waits[-1] * 1000:.0f} ms"
        )


def measure(state: Path, *arguments: str, database: str = "", is_refused: bool = False) -> None:
    """Import, beside a writer where the database is SQLite, and again; print what both came to.

    An import that `is_refused` is made once, and must fail.
    """
    command = (*arguments, "--collection", "bench", "--create", "Bench")
    writer = None if database else Writer(state / "facetwise.sqlite3")
    if writer:
        writer.start()
    imported = manage(state, *command, database=database, is_refused=is_refused)
    waits = writer.stop() if writer else ""
    print(imported.printed, f"import: {imported}", *filter(None, [waits]), sep="\n")
    if not is_refused:
        again = manage(state, *command, database=database)
        print(f"again: {again}. {again.printed.splitlines()[0]}")


def read_options(parser: argparse.ArgumentParser) -> argparse.Namespace:
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="of the database")
    return parser.parse_args()


@contextmanager
def folders(keep: Path | None, database: str = "") -> Iterator[tuple[Path, Path]]:
    """A folder for files to import, and the state folder of a migrated installation."""
    with tempfile.TemporaryDirectory(prefix="facetwise-bench-") as name:
        files, state = Path(name) / "files", keep or Path(name) / "state"
        files.mkdir()
        state.mkdir(parents=True, exist_ok=True)
        manage(state, "migrate", "--verbosity", "0", database=database)
        yield files, state
