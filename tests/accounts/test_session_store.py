"""Rows of sessions: which are read, and which are cleared away."""

from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session
from django.utils import timezone

from accounts import session_store
from accounts.session_store import SessionStore


def make_session(minutes):
    """The key of a session that ends in so many minutes."""
    session = SessionStore()
    session["word"] = "kept"
    session.create()
    ends = timezone.now() + timedelta(minutes=minutes)
    Session.objects.filter(pk=session.session_key).update(expire_date=ends)
    return session.session_key


@pytest.mark.django_db
def test_a_session_is_read_until_it_ends():
    assert SessionStore(make_session(1)).get("word") == "kept"
    over = SessionStore(make_session(-1))
    assert over.get("word") is None
    assert over.session_key is None
    assert SessionStore("unknown").get("word") is None


@pytest.mark.django_db
def test_all_sessions_that_are_over_are_cleared_and_no_other(monkeypatch):
    monkeypatch.setattr(session_store, "ROWS_AT_ONCE", 2)
    for minutes in (-1, -2, -3, -4, -5):
        make_session(minutes)
    kept = make_session(1)

    SessionStore.clear_expired()

    assert list(Session.objects.values_list("pk", flat=True)) == [kept]
