"""Turns at SQLite's one writer.

Who finds SQLite's lock taken looks again after pauses of up to 100 ms: nobody writes in them, and
others may overtake time and again. So the threads of a process wait for each other here, and are
woken at once; and one thread of each process waits for the other processes, and looks again soon.
SQLite's lock alone decides who may write: whoever waited too long, or can keep no file here, asks
for it all the same.
"""

import fcntl
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

LOOKS_AGAIN_SECONDS = 0.0005


class Turns:
    """The turns of this process's threads, and of its process among others.

    The lock of processes is one of `fcntl`: a process that dies does not leave it behind, a fork
    does not inherit it. A process opens its file once and never closes it, which would drop it.
    """

    def __init__(self) -> None:
        self._files: dict[str, int] = {}
        self.forget()

    def forget(self) -> None:
        """In a process that was forked: the thread that had its turn is none of its own."""
        self._threads = threading.Lock()

    def is_taken(self) -> bool:
        """Whether a thread of this process has its turn."""
        return self._threads.locked()

    @contextmanager
    def turn(self, path: str | None, patience: float) -> Iterator[None]:
        """Wait for a turn, at most `patience` seconds; among processes by the file at `path`."""
        until = time.monotonic() + patience
        threads = self._threads
        if not threads.acquire(timeout=patience):
            yield
            return
        try:
            with _turn_among_processes(self._opened(path), until):
                yield
        finally:
            threads.release()

    def _opened(self, path: str | None) -> int | None:
        if path is None:
            return None
        if path not in self._files:
            try:
                flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC
                self._files[path] = os.open(path, flags, 0o600)
            except OSError:  # no room, or a file of another user
                return None
        return self._files[path]


@contextmanager
def _turn_among_processes(file: int | None, until: float) -> Iterator[None]:
    has_turn = file is not None and _lock(file, until)
    try:
        yield
    finally:
        if file is not None and has_turn:
            fcntl.lockf(file, fcntl.LOCK_UN)


def _lock(file: int, until: float) -> bool:
    """Whether the file is locked for this process, at the latest `until` (monotonic seconds)."""
    while True:
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        except (BlockingIOError, PermissionError):  # POSIX leaves open which of them it is
            if time.monotonic() > until:
                return False
        except OSError:  # a file system without locks, where waiting helps nobody
            return False
        time.sleep(LOOKS_AGAIN_SECONDS)


turns = Turns()
os.register_at_fork(after_in_child=turns.forget)
