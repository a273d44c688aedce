"""The order in which rows of a collection stand."""

from django.db.models import Max


def next_position(rows):
    """The position after the last of these rows, 0 where there are none."""
    last = rows.order_by().aggregate(last=Max("position"))["last"]
    return 0 if last is None else last + 1


def next_positions(rows, by):
    """The same for each value of the field `by` that rows have: {value: position}."""
    return dict(rows.order_by().values_list(by).annotate(next=Max("position") + 1))
