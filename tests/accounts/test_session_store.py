"""Rows of sessions: which are read, and which are cleared away."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts import session_store
from accounts.models import Session, User
from accounts.session_store import SessionStore
from tests.factories.studies import make_user


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


@pytest.mark.django_db
def test_the_account_comes_with_the_session_as_it_is_now(client, django_assert_num_queries):
    alice = make_user("Alice")
    client.force_login(alice)
    User.objects.filter(pk=alice.pk).update(name="Alice Ames")

    with django_assert_num_queries(1):
        page = client.get("/password/")

    assert page.wsgi_request.user == alice
    assert page.wsgi_request.user.name == "Alice Ames"


@pytest.mark.django_db
def test_a_session_without_its_account_signs_in_whom_its_data_name(client):
    """As a session that was begun before sessions knew their account."""
    alice = make_user("Alice")
    client.force_login(alice)
    Session.objects.update(account=None)

    assert client.get("/password/").wsgi_request.user == alice


@pytest.mark.django_db
def test_whose_a_session_is_follows_from_its_data_alone(client):
    """The column saves a statement, and decides nothing."""
    alice, bob = make_user("Alice"), make_user("Bob")
    client.force_login(alice)
    Session.objects.update(account=bob)

    assert client.get("/password/").wsgi_request.user == alice


@pytest.mark.django_db
def test_signing_out_leaves_a_session_of_nobody(client):
    client.force_login(make_user("Alice"))
    client.post("/sign-out/")

    assert not Session.objects.exclude(account=None).exists()


@pytest.mark.django_db
def test_a_cookie_that_holds_no_key_is_none(client):
    """A quoted one may hold any character, also NUL, which PostgreSQL takes in no text."""
    for cookie in [r'"abcdefgh\000"', '"abc defgh"', "short", r'"\"\\"']:
        answer = client.get("/", headers={"Cookie": f"sessionid={cookie}"})
        assert answer.status_code == 302
