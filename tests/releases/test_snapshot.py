"""The moment of the database that an export reads."""

import sqlite3

import pytest
from django.db import OperationalError

from releases import snapshot


@pytest.mark.sqlite_only
@pytest.mark.django_db
def test_a_copy_that_finds_no_room_is_an_outage_and_no_error_of_the_program(monkeypatch):
    def connect(path):
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(sqlite3, "connect", connect)

    with pytest.raises(OperationalError, match="disk is full"), snapshot._copy():
        pass
