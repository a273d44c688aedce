import pytest
from django.db import OperationalError, connection, transaction

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


@pytest.mark.both
@pytest.mark.django_db(transaction=True)
def test_threads_take_turns_where_the_database_has_one_writer():
    @one_transaction
    def is_a_turn():
        return transactions.turns.is_taken()

    assert is_a_turn() is (connection.vendor == "sqlite")
    assert not transactions.turns.is_taken()


@pytest.mark.django_db(transaction=True)
def test_what_follows_a_commit_keeps_nobody_waiting():
    moments = []

    @one_transaction
    def act():
        transaction.on_commit(lambda: moments.append(transactions.turns.is_taken()))
        moments.append(transactions.turns.is_taken())

    act()

    assert moments == [connection.vendor == "sqlite", False]
