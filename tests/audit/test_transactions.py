import pytest
from django.db import OperationalError

from audit import transactions
from audit.transactions import ATTEMPTS, one_transaction


@pytest.fixture
def locked_action():
    """An action that finds the database locked, and a list with an entry for each attempt."""
    attempts = []

    @one_transaction
    def act():
        attempts.append(1)
        raise OperationalError("database is locked")

    return act, attempts


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("patience", "count"), [(60, ATTEMPTS), (0, 1)])
def test_a_locked_database_is_tried_again_until_patience_ends(
    locked_action, monkeypatch, patience, count
):
    act, attempts = locked_action
    monkeypatch.setattr(transactions, "PATIENCE_SECONDS", patience)

    with pytest.raises(OperationalError):
        act()

    assert len(attempts) == count
