"""One change, one transaction, its trace inside it."""

import functools
import random
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack, nullcontext
from typing import Any, ParamSpec, TypeVar

from django.db import OperationalError, connection, models, transaction

from audit.turns import turns

P = ParamSpec("P")
T = TypeVar("T")
Row = TypeVar("Row", bound=models.Model)
ATTEMPTS = 3
# After so long a wait for a lock the action gives up instead of waiting again: the browser, which
# gives up after ten seconds, sends the same save once more.
PATIENCE_SECONDS = 5
# Serialisation failure, deadlock, lock not available.
RETRIED_SQLSTATES = {"40001", "40P01", "55P03"}


def locked(row: Row) -> Row:
    """The row as it stands. Until the transaction ends, whoever else locks it waits."""
    model: Any = row._meta.model
    fresh: Row = model.objects.select_for_update(no_key=True, of=("self",)).get(pk=row.pk)
    return fresh


def _is_passing(error: OperationalError) -> bool:
    cause = error.__cause__
    return getattr(cause, "pgcode", None) in RETRIED_SQLSTATES or "database is locked" in str(error)


def _turn() -> AbstractContextManager[None]:
    """Wait for the other threads and processes where the database has one writer.

    Who waited in vain goes on all the same: the database then says that it is busy.
    """
    if connection.vendor != "sqlite":
        return nullcontext()
    is_shared = not connection.is_in_memory_db()  # type: ignore[attr-defined]
    path = f"{connection.settings_dict['NAME']}-turn" if is_shared else None
    return turns.turn(path, PATIENCE_SECONDS)


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
                with ExitStack() as turn:
                    turn.enter_context(_turn())
                    with transaction.atomic(durable=True):
                        # The first of the hooks: others, as a message to a broker that is away, may
                        # take seconds, or write in a transaction of their own.
                        transaction.on_commit(turn.close)
                        return action(*args, **kwargs)
            except OperationalError as error:
                is_late = time.monotonic() - start > PATIENCE_SECONDS
                if attempt == ATTEMPTS or is_late or not _is_passing(error):
                    raise
                time.sleep(random.uniform(0.02, 0.2))  # noqa: S311 - jitter, not a secret
        raise AssertionError("unreachable: the last attempt returns or raises")

    return wrapper
