"""How often one token may ask: in bursts, and then so many times a second.

Requests are counted in each process of the web server, without a write to the database: the limit
protects no secret, but the time of people who rate beside the program.
"""

import threading
import time
from collections import OrderedDict

AT_ONCE = 200
A_SECOND = 20
KEPT = 1_000

_lock = threading.Lock()
# {token: (requests left, when that was counted)}, the longest unused first.
_left: OrderedDict[int, tuple[float, float]] = OrderedDict()


def forget() -> None:
    with _lock:
        _left.clear()


def seconds_to_wait(token: int) -> float:
    """0 if the request may go on, and is counted; else when the next one may."""
    now = time.monotonic()
    with _lock:
        left, counted = _left.pop(token, (float(AT_ONCE), now))
        left = min(float(AT_ONCE), left + (now - counted) * A_SECOND)
        is_free = left >= 1
        _left[token] = (left - is_free, now)
        while len(_left) > KEPT:
            _left.popitem(last=False)
    return 0.0 if is_free else (1 - left) / A_SECOND
