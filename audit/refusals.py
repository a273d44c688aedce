"""Refused steps. The message is the sentence people read; `status` is the HTTP answer."""

from collections.abc import Iterator
from contextlib import contextmanager


class Refused(Exception):
    """An action did not happen, nothing was changed, and the message says why."""

    status = 409


class NotAllowed(Refused):
    """This person may not do this to this object, which to them does not exist."""

    status = 404


class Stale(Refused):
    """The state that the step was based on has changed; `current` is the state now."""

    status = 409

    def __init__(self, message, *, current=None):
        super().__init__(message)
        self.current = current


class Invalid(Refused):
    """The input cannot be accepted as it is."""

    status = 422


class Locked(Refused):
    """The object takes no more changes."""

    status = 423


@contextmanager
def raised_as(
    error: type[Exception], cause: type[Exception] | tuple[type[Exception], ...] = Refused
) -> Iterator[None]:
    """A refusal, or whatever the cause is, becomes another error with the same sentence."""
    try:
        yield
    except cause as refused:
        raise error(str(refused)) from None
