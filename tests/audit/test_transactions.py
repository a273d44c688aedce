import pytest
from django.db import IntegrityError, OperationalError, connection, transaction

from audit import transactions
from audit.transactions import ATTEMPTS, one_transaction
from tests.factories.studies import make_user


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


def test_processes_take_turns_by_a_file_beside_the_database_that_is_its_owners_alone(
    tmp_path, monkeypatch
):
    monkeypatch.setitem(connection.settings_dict, "NAME", tmp_path / "db.sqlite3")
    monkeypatch.setattr(connection, "is_in_memory_db", lambda: False)

    with transactions._turn():
        assert transactions.turns.is_taken()

    [file] = tmp_path.iterdir()
    assert (file.name, file.stat().st_mode & 0o777) == ("db.sqlite3-turn", 0o600)


@pytest.mark.django_db(transaction=True)
def test_what_follows_a_commit_keeps_nobody_waiting():
    moments = []

    @one_transaction
    def act():
        transaction.on_commit(lambda: moments.append(transactions.turns.is_taken()))
        moments.append(transactions.turns.is_taken())

    act()

    assert moments == [connection.vendor == "sqlite", False]


def failing(count, error=None):
    """An action that fails so many times, and the moments at which it was tried."""
    tries = []

    @one_transaction
    def act():
        """Do it."""
        tries.append(len(tries))
        if len(tries) <= count:
            raise error or OperationalError("database is locked")
        return "done"

    return act, tries


@pytest.fixture
def pauses(monkeypatch):
    slept = []
    monkeypatch.setattr(transactions.time, "sleep", slept.append)
    return slept


@pytest.mark.once
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("count", [0, 1, 2])
def test_what_a_later_attempt_returns_is_what_the_action_returns(pauses, count):
    act, tries = failing(count)

    assert act() == "done"
    assert len(tries) == count + 1
    assert len(pauses) == count
    assert all(0.02 <= pause <= 0.2 for pause in pauses)


def error_of(state):
    """The error that Django makes of one of PostgreSQL's driver."""

    class DriverError(Exception):
        pgcode = state

    error = OperationalError("could not")
    error.__cause__ = DriverError()
    return error


@pytest.mark.once
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("state", "is_tried_again"),
    [("40001", True), ("40P01", True), ("55P03", True), ("57014", False), (None, False)],
)
def test_only_what_passes_by_itself_is_tried_again(pauses, state, is_tried_again):
    """A statement that was cancelled, or a server that is gone, is not."""
    act, tries = failing(1, error_of(state))

    if is_tried_again:
        assert act() == "done"
    else:
        with pytest.raises(OperationalError):
            act()
    assert len(tries) == 1 + is_tried_again


@pytest.mark.once
@pytest.mark.django_db(transaction=True)
def test_a_rule_that_the_database_keeps_is_no_passing_trouble(pauses):
    act, tries = failing(1, IntegrityError("database is locked, says a constraint"))

    with pytest.raises(IntegrityError):
        act()

    assert (tries, pauses) == ([0], [])


@pytest.mark.once
@pytest.mark.django_db(transaction=True)
def test_inside_another_action_the_outer_one_alone_tries_again(pauses):
    inner, inner_tries = failing(1)
    outer_tries = []

    @one_transaction
    def outer():
        outer_tries.append(1)
        return inner()

    assert outer() == "done"
    assert (len(outer_tries), len(inner_tries)) == (2, 2)
    assert len(pauses) == 1


@pytest.mark.once
@pytest.mark.django_db(transaction=True)
def test_an_action_gets_its_arguments_alone_and_inside_another():
    @one_transaction
    def act(first, *, second):
        return first, second

    @one_transaction
    def outer():
        return act(1, second=2)

    assert act(1, second=2) == outer() == (1, 2)


@pytest.mark.once
@pytest.mark.django_db(transaction=True)
def test_a_row_is_locked_as_it_stands_by_now():
    make_user("Alice")
    bob = make_user("Bob")
    type(bob).objects.filter(pk=bob.pk).update(name="Robert")

    @one_transaction
    def act():
        return transactions.locked(bob)

    assert (act().pk, act().name, bob.name) == (bob.pk, "Robert", "Bob")


def test_an_action_keeps_its_name_and_its_words():
    act, _ = failing(0)

    assert (act.__name__, act.__doc__) == ("act", "Do it.")
