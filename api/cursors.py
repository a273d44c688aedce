"""Cursors of lists: the last row's number, enciphered so that nobody can read it.

Numbers of rows tell how many rows others have made meanwhile, so they are enciphered under the
installation's key: a Feistel network of four rounds over 64 bits, one for each list.
"""

from django.core.exceptions import BadRequest
from django.utils.crypto import salted_hmac

HALF = 32
ROUNDS = range(4)


def cursor_of(number: int, name: str) -> str:
    left, right = number >> HALF, number & ((1 << HALF) - 1)
    for step in ROUNDS:
        left, right = right, left ^ _mixed(name, step, right)
    return f"{left:08x}{right:08x}"


def number_of(cursor: str, name: str) -> int:
    """BadRequest for what is no cursor at all."""
    try:
        if len(cursor) != 2 * HALF // 4 or not cursor.isalnum():
            raise ValueError
        left, right = int(cursor[:8], 16), int(cursor[8:], 16)
    except ValueError:
        raise BadRequest("This is not a cursor. Take the `next` of the page before.") from None
    for step in reversed(ROUNDS):
        left, right = right ^ _mixed(name, step, left), left
    # Beyond what a database counts there are no rows.
    return min(left << HALF | right, (1 << 63) - 1)


def _mixed(name: str, step: int, half: int) -> int:
    digest = salted_hmac("api.cursors", f"{name} {step} {half}", algorithm="sha256").digest()
    return int.from_bytes(digest[:4])
