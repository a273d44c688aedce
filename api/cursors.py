"""Cursors of lists: the last row's number, enciphered so that nobody can read it.

Numbers of rows tell how many rows others have made meanwhile, so they are enciphered under the
installation's key: a Feistel network of four rounds over 64 bits, one for each list.
"""

from django.core.exceptions import BadRequest
from django.utils.crypto import salted_hmac

HALF = 32
ROUNDS = range(4)
# No table has so many rows. What is no cursor of the list becomes a larger number, but for one in
# 2**24 of them.
MOST_ROWS = 1 << 40


def cursor_of(number: int, name: str) -> str:
    left, right = number >> HALF, number & ((1 << HALF) - 1)
    for step in ROUNDS:
        left, right = right, left ^ _mixed(name, step, right)
    return f"{left:08x}{right:08x}"


def number_of(cursor: str, name: str) -> int:
    """BadRequest for what is no cursor of the list."""
    try:
        if len(cursor) != 2 * HALF // 4 or not cursor.isalnum():
            raise ValueError
        left, right = int(cursor[:8], 16), int(cursor[8:], 16)
    except ValueError:
        raise _no_cursor(name) from None
    for step in reversed(ROUNDS):
        left, right = right ^ _mixed(name, step, left), left
    number = left << HALF | right
    if number > MOST_ROWS:
        raise _no_cursor(name)
    return number


def _no_cursor(name: str) -> BadRequest:
    return BadRequest(f"This is no cursor of {name}. Take the `next` of the page before.")


def _mixed(name: str, step: int, half: int) -> int:
    digest = salted_hmac("api.cursors", f"{name} {step} {half}", algorithm="sha256").digest()
    return int.from_bytes(digest[:4])
