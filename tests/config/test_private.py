"""Files of the state folder are for their owner."""

import os
import stat
from types import SimpleNamespace

import pytest

from config import private
from config.private import close_database_to_others, keep_private


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def database(tmp_path, monkeypatch):
    """The file of a database in a folder of its own, open to everybody."""
    file = tmp_path / "facetwise.sqlite3"
    file.touch()
    file.chmod(0o664)
    connect(monkeypatch, "sqlite", file)
    return file


def connect(monkeypatch, vendor, file):
    connection = SimpleNamespace(vendor=vendor, settings_dict={"NAME": str(file)})
    monkeypatch.setattr(private, "connection", connection)


def test_the_database_and_the_files_beside_it_are_closed_to_others(database):
    beside = database.with_name(f"{database.name}-wal")
    beside.touch()
    beside.chmod(0o646)
    other = database.with_name("notes.txt")
    other.touch()
    other.chmod(0o644)

    close_database_to_others()

    assert (mode(database), mode(beside), mode(other)) == (0o660, 0o640, 0o644)


def test_a_file_that_is_closed_already_is_not_touched(database, monkeypatch):
    """It may be another user's, in a group that both are in."""
    database.chmod(0o660)
    monkeypatch.setattr(type(database), "chmod", lambda *_: pytest.fail("touched"))

    close_database_to_others()


@pytest.mark.parametrize("error", [FileNotFoundError, PermissionError])
def test_a_file_that_is_gone_or_anothers_stops_no_start(database, monkeypatch, error):
    def refuse(*_):
        raise error

    monkeypatch.setattr(type(database), "chmod", refuse)

    close_database_to_others()


def test_postgresql_keeps_its_files_itself(database, monkeypatch):
    connect(monkeypatch, "postgresql", database)

    close_database_to_others()

    assert mode(database) == 0o664


def test_a_private_file_takes_the_place_of_an_older_one_that_others_could_read(tmp_path):
    path = tmp_path / "passwords"
    path.write_text("a longer text than the new one")
    path.chmod(0o644)
    umask = os.umask(0)
    try:
        keep_private(path, "Größe")
    finally:
        os.umask(umask)

    assert path.read_text(encoding="utf-8") == "Größe"
    assert mode(path) == 0o600
    assert list(tmp_path.iterdir()) == [path]


def test_what_an_earlier_try_left_does_not_show_through(tmp_path):
    path = tmp_path / "passwords"
    (tmp_path / f"passwords.{os.getpid()}").write_text("x" * 100)

    keep_private(path, "new")

    assert path.read_text() == "new"
