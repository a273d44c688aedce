"""The id of the request that the running code works for, on log lines and on events."""

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_current: ContextVar[uuid.UUID | None] = ContextVar("request_id", default=None)


def current_request_id() -> uuid.UUID | None:
    """The id of the request or job that is running; None in a command of the shell."""
    return _current.get()


@contextmanager
def working_for(request_id: uuid.UUID) -> Iterator[None]:
    """Run the block for this request. A new thread begins without one."""
    token = _current.set(request_id)
    try:
        yield
    finally:
        _current.reset(token)
