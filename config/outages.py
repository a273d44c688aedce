"""Errors that mean "not now": the database, a disk or the bucket for files is away, no more files
can be opened, and the same request may come again.

Everything else is an error of the program and stays one. Databases are recognised by what their own
documentation fixes: SQLite by its messages (sqlite.org/rescode.html; every driver carries them),
PostgreSQL by SQLSTATE (postgresql.org/docs/current/errcodes-appendix.html).
"""

import errno
from dataclasses import dataclass
from typing import Any

from django.db import DatabaseError, InterfaceError, InternalError, OperationalError

from config.storage import StoreError


@dataclass(frozen=True)
class Outage:
    """`part` as in the health check; `sentence` is what people read."""

    part: str
    sentence: str


DISK = Outage("disk", "The disk of the server is full, so nothing can be stored right now.")
BAD_DISK = Outage("disk", "The disk of the server cannot be read or written right now.")
DATABASE = Outage("database", "The server cannot reach its database right now.")
STORE = Outage("files", "The server cannot reach its store of files right now.")
FILES = Outage("server", "The server has too many files open right now.")
READ_ONLY = Outage("database", "The database of the server takes no changes right now.")
BUSY = Outage("database", "The database of the server is too busy right now.")

# A folder of which somebody took the rights away is as a disk that takes nothing.
ERRNOS = {
    **dict.fromkeys([errno.ENOSPC, errno.EDQUOT], DISK),
    **dict.fromkeys([errno.EROFS, errno.EIO, errno.EACCES, errno.EPERM], BAD_DISK),
    **dict.fromkeys([errno.EMFILE, errno.ENFILE], FILES),
}
SQLITE_MESSAGES = {
    "database or disk is full": DISK,
    "disk I/O error": BAD_DISK,
    "attempt to write a readonly database": BAD_DISK,
    "unable to open database file": DATABASE,
    "locking protocol": BUSY,
    "database is locked": BUSY,
    "database table is locked": BUSY,
}
# Disk full and input or output error; then what a repetition mends; then the classes "connection",
# "insufficient resources" and "operator intervention", of which cancelled statements are one.
POSTGRES_STATES = {"53100": DISK, "58030": BAD_DISK, "55P03": BUSY, "40001": BUSY, "40P01": BUSY}
# Providers make a database read-only when its disk is full, and a standby is until it takes over.
# Psycopg2 has it among internal errors, of which others are errors of the program.
POSTGRES_READ_ONLY = "25006"
POSTGRES_CLASSES = {"08": DATABASE, "53": BUSY, "57": DATABASE}
# How psycopg2 words the loss of a connection that it noticed earlier.
LOST_CONNECTION = "connection already closed"


def outage_of(error: BaseException | None) -> Outage | None:
    """The outage that an error tells of, also as the cause of another; None for any other error."""
    while error is not None:
        if outage := _outage_of_one(error):
            return outage
        error = error.__cause__
    return None


def _outage_of_one(error: BaseException) -> Outage | None:
    # Psycopg2 raises the general class, and only there without a state, where the server closed
    # the connection while a statement ran.
    if isinstance(error, OperationalError) or type(error) is DatabaseError:
        driver_error: Any = error.__cause__
        if hasattr(driver_error, "pgcode"):
            state = driver_error.pgcode
            # Without a state the server never answered: refused, unknown, or gone in the middle.
            if state is None:
                return DATABASE
            return POSTGRES_STATES.get(state) or POSTGRES_CLASSES.get(state[:2])
        message = str(error)
        return next(
            (outage for start, outage in SQLITE_MESSAGES.items() if message.startswith(start)), None
        )
    if isinstance(error, InternalError):
        state = getattr(error.__cause__, "pgcode", None)
        return READ_ONLY if state == POSTGRES_READ_ONLY else None
    if isinstance(error, InterfaceError):
        return DATABASE if str(error).strip() == LOST_CONNECTION else None
    if isinstance(error, StoreError):
        return STORE
    if isinstance(error, OSError) and error.errno:
        return ERRNOS.get(error.errno)
    return None
