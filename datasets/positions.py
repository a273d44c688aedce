"""The order in which rows of a collection stand."""

from django.db.models import Max


def next_position(rows):
    """The position after the last of these rows, 0 where there are none."""
    last = rows.order_by().aggregate(last=Max("position"))["last"]
    return 0 if last is None else last + 1
