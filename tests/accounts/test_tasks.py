from datetime import timedelta

import pytest
from django.utils import timezone

from accounts import session_store
from accounts.models import Session
from accounts.tasks import clear_sessions
from config.celery import app

pytestmark = pytest.mark.django_db


def make_session(key, **expires):
    Session.objects.create(session_key=key, expire_date=timezone.now() + timedelta(**expires))


def test_rows_of_sessions_that_are_over_are_deleted(monkeypatch):
    monkeypatch.setattr(session_store, "ROWS_AT_ONCE", 2)
    for number in range(5):
        make_session(f"over{number}", seconds=-1 - number)
    make_session("in use", minutes=1)

    clear_sessions()

    assert [row.session_key for row in Session.objects.all()] == ["in use"]


def test_the_clock_asks_for_it_every_hour():
    entry = app.conf.beat_schedule["clear-sessions"]

    assert entry["task"] == clear_sessions.name
    assert entry["schedule"] == 60 * 60
