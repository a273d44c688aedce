"""Memory that a server gives back after a large page."""

import ctypes
from contextlib import suppress

# Of glibc's malloc.h, for `mallopt`.
M_TRIM_THRESHOLD, M_MMAP_THRESHOLD, M_ARENA_MAX = -1, -3, -8


def give_back():
    """Let glibc return what large pages needed; another C library has no need or no way.

    By itself it gives each thread an arena of its own, up to eight for each processor. And it
    raises its thresholds with the largest block that was ever freed. So the memory of one table of
    figures would stay with the process for good, once for every thread.
    """
    with suppress(AttributeError, OSError):
        mallopt = ctypes.CDLL(None).mallopt
        mallopt(M_ARENA_MAX, 2)
        mallopt(M_MMAP_THRESHOLD, 256 * 1024)
        mallopt(M_TRIM_THRESHOLD, 1024 * 1024)
