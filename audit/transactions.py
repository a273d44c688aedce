"""One change, one transaction, its trace inside it."""

import functools
import os
import random
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import ParamSpec, TypeVar

from django.db import OperationalError, connection, transaction

P = ParamSpec("P")
T = TypeVar("T")
ATTEMPTS = 3
# After so long a wait for a lock the action gives up instead of waiting again: the browser, which
# gives up after ten seconds, sends the same save once more.
PATIENCE_SECONDS = 5
# SQLite has one writer. Who waits for another looks again after pauses of up to 100 ms, in which
# nobody writes: threads of one process wait for each other here instead, and are woken at once.
_one_writer = threading.Lock()
# Serialisation failure, deadlock, lock not available.
RETRIED_SQLSTATES = {"40001", "40P01", "55P03"}


def _is_passing(error: OperationalError) -> bool:
    cause = error.__cause__
    return getattr(cause, "pgcode", None) in RETRIED_SQLSTATES or "database is locked" in str(error)


def _forget_turns() -> None:
    """In a process that was forked: the thread that had its turn is none of its own."""
    global _one_writer
    _one_writer = threading.Lock()


os.register_at_fork(after_in_child=_forget_turns)


@contextmanager
def _turn() -> Iterator[None]:
    """Wait for the other threads of this process where the database has one writer.

    Who waited in vain goes on all the same: the database then says that it is busy.
    """
    if connection.vendor != "sqlite":
        yield
        return
    turns = _one_writer
    has_turn = turns.acquire(timeout=PATIENCE_SECONDS)
    try:
        yield
    finally:
        if has_turn:
            turns.release()


def one_transaction(action: Callable[P, T]) -> Callable[P, T]:
    """Run an action in a durable transaction; try again when the database asks for it.

    Durable, so that what the action returns is committed. Inside an outer transaction (a caller
    that combines several actions) the action joins that one and leaves retrying to it.
    """

    @functools.wraps(action)
    def wrapper(*args: P.args, **kwargs: P.kwargs) -> T:
        if connection.in_atomic_block:
            with transaction.atomic():
                return action(*args, **kwargs)
        start = time.monotonic()
        for attempt in range(1, ATTEMPTS + 1):
            try:
                with _turn(), transaction.atomic(durable=True):
                    return action(*args, **kwargs)
            except OperationalError as error:
                is_late = time.monotonic() - start > PATIENCE_SECONDS
                if attempt == ATTEMPTS or is_late or not _is_passing(error):
                    raise
                time.sleep(random.uniform(0.02, 0.2))  # noqa: S311 - jitter, not a secret
        raise AssertionError("unreachable: the last attempt returns or raises")

    return wrapper
