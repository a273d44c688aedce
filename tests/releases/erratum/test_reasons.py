"""The reason of a change where moments meet: no database has a part in it."""

from types import SimpleNamespace

import pytest

from releases.erratum.changes import Change, Grade, Kind
from releases.erratum.reasons import BatchFacts, Happened, Reason, Reasons, Why

NEW = Change(Kind.NEW, "t", "d", None, Grade("1"))


def reasons_of(created_at, imported_at=None, *, hidden=(), older_batches=("b",), **known_of_older):
    """The trail from an export of the moment 3 on, with a single batch."""
    older = SimpleNamespace(batches=older_batches, created_at=3)
    newer = SimpleNamespace(batches=["b"], created_at=9)
    reasons = Reasons(older, newer, (0, 0), frozenset(hidden), **known_of_older)
    known = {"_batches": {1: BatchFacts("b", created_at, imported_at)}}
    known |= {"_of_pairs": {}, "_of_batches": {"b": Happened()}}
    reasons.__dict__.update(known)
    return reasons


@pytest.mark.parametrize(
    ("created_at", "imported_at", "why"),
    [
        (2, None, Why.NOT_IN_OLDER),
        (3, None, Why.AGREED),
        (1, 2, Why.NOT_IN_OLDER),
        (1, 3, Why.AGREED),
        (1, 4, Why.IMPORTED),
    ],
)
def test_a_new_judgment_was_left_out_where_its_batch_was_there_before(created_at, imported_at, why):
    reasons = reasons_of(created_at, imported_at, older_batches=())

    assert reasons.of(NEW, "p", 1) == Reason(why)


def test_a_batch_that_came_while_an_export_was_made_was_not_left_out():
    assert reasons_of(2, older_batches=(), has_all=True).of(NEW, "p", 1) == Reason(Why.AGREED)


def test_nothing_is_known_of_a_batch_that_is_hidden_or_is_none():
    assert reasons_of(1).of(NEW, "p", 1) == Reason(Why.AGREED)
    assert reasons_of(1, hidden=["b"]).of(NEW, "p", 1) == Reason()
    assert reasons_of(1).of(NEW, "p", None) == Reason()
