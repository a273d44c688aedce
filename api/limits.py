"""Limits on the requests of one token: some 200 at once, and then 20 a second.

It is counted as guesses are (`accounts/throttle.py`), in the database that all processes share. Not
every request writes there: a process counts a block of requests, and lets that many through. What
is left of a block in one process is not there for another, so the limit is never exceeded, and
reached a little early.
"""

import threading
from collections import OrderedDict

from django.db import OperationalError

from accounts.throttle import Attempted, count_attempt

BLOCK = 40  # requests that one step of the limit `program` stands for
KEPT = 1_000

_lock = threading.Lock()
# {token: requests that are counted and were not sent yet}, the longest unused first.
_left: OrderedDict[int, int] = OrderedDict()


def forget() -> None:
    with _lock:
        _left.clear()


def seconds_to_wait(token: int) -> int:
    """0 if the request may go on, and is counted; else when the next one may."""
    if _take(token):
        return 0
    try:
        wait = count_attempt(Attempted("program", str(token)))
    except OperationalError:
        # What is protected is the time of people who rate. Who takes no row now has no rating.
        return 0
    if not wait:
        _keep(token, BLOCK - 1)
    return wait


def _take(token: int) -> bool:
    with _lock:
        remaining = _left.pop(token, 0)
        if remaining > 1:
            _left[token] = remaining - 1
    return remaining > 0


def _keep(token: int, count: int) -> None:
    with _lock:
        _left[token] = _left.pop(token, 0) + count
        while len(_left) > KEPT:
            _left.popitem(last=False)
