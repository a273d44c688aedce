import errno
import os
import threading
import time

import pytest

from audit.turns import Turns, _lock, turns

PATIENCE = 60


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "database-turn")


def fork(function):
    """Run a function in a forked process, with turns of its own; its exit code is what it gives."""
    child = os.fork()
    if child == 0:
        code = 99
        try:
            code = function(Turns())
        finally:
            os._exit(int(code))
    return child


def exit_code(child):
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def may_go(path):
    """Whether a process finds nobody else's turn."""
    return lambda turns: _lock(turns._opened(path), time.monotonic())


def test_processes_take_turns(path):
    with Turns().turn(path, PATIENCE):
        assert not exit_code(fork(may_go(path)))

    assert exit_code(fork(may_go(path)))


def test_a_process_that_dies_leaves_its_turn(path):
    def die(turns):
        turns.turn(path, PATIENCE).__enter__()
        return 7

    assert exit_code(fork(die)) == 7
    assert exit_code(fork(may_go(path)))


def test_a_process_that_waits_has_the_next_turn(path):
    reading, writing = os.pipe()

    def write(turns):
        os.write(writing, b"waits, ")
        with turns.turn(path, PATIENCE):
            os.write(writing, b"writes")
        return 0

    with Turns().turn(path, PATIENCE):
        child = fork(write)
        assert os.read(reading, 100) == b"waits, "
        os.write(writing, b"after this one ")

    assert exit_code(child) == 0
    assert os.read(reading, 100) == b"after this one writes"


def test_who_waited_in_vain_goes_on(path):
    here = Turns()

    def go_on(turns):
        with turns.turn(path, 0.0):
            return 7

    with here.turn(path, PATIENCE):
        assert exit_code(fork(go_on)) == 7
        went_on = []
        thread = threading.Thread(target=lambda: went_on.append(here.turn(path, 0.0).__enter__()))
        thread.start()
        thread.join(PATIENCE)
        assert went_on == [None]
        assert not exit_code(fork(may_go(path)))  # the turn was not taken away


def test_a_place_without_room_for_the_file_keeps_nobody_waiting(tmp_path):
    here = Turns()

    with here.turn(str(tmp_path / "missing" / "turn"), PATIENCE):
        assert here.is_taken()


def test_a_forked_process_waits_for_no_thread_of_another():
    with turns.turn(None, PATIENCE):
        child = os.fork()
        if child == 0:
            os._exit(turns.is_taken())

    assert exit_code(child) == 0


def test_a_file_system_without_locks_keeps_nobody_waiting(path, monkeypatch):
    attempts = []

    def refuse(file, operation):
        attempts.append(operation)
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr("audit.turns.fcntl.lockf", refuse)

    with Turns().turn(path, PATIENCE):
        assert len(attempts) == 1
