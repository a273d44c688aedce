"""Guessing is limited before the password is looked at, exactly, also in parallel."""

import threading

import pytest
from django.contrib.auth.hashers import MD5PasswordHasher
from django.db import connection
from django.test import Client, RequestFactory
from pytest_django.asserts import assertContains

from accounts import throttle
from accounts.models import Attempt
from tests.factories.studies import PASSWORD, make_user

NARROW, WIDE = throttle.LIMITS["sign-in"]


@pytest.fixture(autouse=True)
def _one_window(monkeypatch):
    """A test that runs across a change of windows would count anew."""
    monkeypatch.setattr(throttle.time, "time", lambda: 1_800_000_000.0)


def guess(client, address="192.0.2.1", **typed):
    form = {"email": "alice@example.org", "password": "a wrong guess"} | typed
    return client.post("/sign-in/", form, REMOTE_ADDR=address)


@pytest.mark.django_db(transaction=True)
def test_of_50_parallel_guesses_no_more_than_5_reach_the_hasher(monkeypatch):
    make_user("Alice")
    hashed, answers = [], []
    verify = MD5PasswordHasher.verify
    monkeypatch.setattr(MD5PasswordHasher, "verify", lambda *a: hashed.append(1) or verify(*a))
    barrier = threading.Barrier(50)

    def attempt():
        client = Client()
        barrier.wait()
        try:
            answers.append(guess(client).status_code)
        finally:
            connection.close()

    threads = [threading.Thread(target=attempt) for _ in range(50)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sorted(answers) == [422] * NARROW + [429] * (50 - NARROW)
    assert len(hashed) == NARROW == 5


@pytest.mark.django_db
def test_who_guesses_too_often_is_told_when_to_try_again(client):
    make_user("Alice")
    for _ in range(NARROW):
        guess(client)

    response = guess(client, password=PASSWORD)

    assertContains(response, "Too many attempts. Try again in", status_code=429)
    assert 0 < int(response["Retry-After"]) <= throttle.WINDOW


@pytest.mark.django_db
def test_guesses_from_elsewhere_do_not_lock_the_owner_out(client):
    make_user("Alice")
    for _ in range(NARROW + 3):
        guess(client, address="192.0.2.1")

    assert guess(client, password=PASSWORD, address="192.0.2.2").status_code == 302


@pytest.mark.django_db
def test_unknown_addresses_are_counted_alike(client):
    for _ in range(NARROW):
        assert guess(client, email="nobody@example.org").status_code == 422

    assert guess(client, email="nobody@example.org").status_code == 429


@pytest.mark.django_db
def test_one_guess_at_each_of_many_accounts_is_limited_by_network_address(client, monkeypatch):
    monkeypatch.setitem(throttle.LIMITS, "sign-in", (NARROW, 7))
    for number in range(7):
        guess(client, email=f"person{number}@example.org")

    assert guess(client, email="another@example.org").status_code == 429
    assert guess(client, email="another@example.org", address="192.0.2.2").status_code == 422


@pytest.mark.django_db
def test_success_takes_its_own_count_back(client):
    make_user("Alice")
    for _ in range(NARROW - 1):
        guess(client)
    guess(client, password=PASSWORD)
    client.logout()

    assert guess(client).status_code == 422
    assert sorted(Attempt.objects.values_list("count", flat=True)) == [1, NARROW]


def change(client, old, new):
    form = {"old_password": old, "password1": new, "password2": new}
    return client.post("/password/", form).status_code


@pytest.mark.django_db
def test_guesses_at_the_old_password_are_limited_but_not_tries_of_a_new_one(client):
    client.force_login(make_user("Alice"))

    tries = [change(client, PASSWORD, "short") for _ in range(NARROW + 2)]
    guesses = [change(client, "a wrong guess", "a new long password") for _ in range(NARROW + 1)]

    assert tries == [422] * (NARROW + 2)
    assert guesses == [422] * NARROW + [429]


@pytest.mark.django_db
def test_a_new_window_begins_from_nothing_and_drops_the_old_rows(client, monkeypatch):
    for _ in range(NARROW + 1):
        guess(client)

    monkeypatch.setattr(throttle.time, "time", lambda: 1_800_000_000.0 + throttle.WINDOW)

    assert guess(client).status_code == 422
    assert Attempt.objects.count() == 2


@pytest.mark.django_db
def test_neither_addresses_nor_what_was_typed_is_stored(client):
    guess(client, email="alice@example.org")

    stored = " ".join(Attempt.objects.values_list("key", flat=True))
    assert "alice" not in stored
    assert "192.0.2.1" not in stored


@pytest.mark.parametrize(
    ("trusted", "expected"),
    [
        ([], "10.0.0.1"),
        (["10.0.0.1"], "203.0.113.9"),
        (["*"], "203.0.113.9"),
        (["10.0.0.2"], "10.0.0.1"),
    ],
)
def test_forwarded_address_is_believed_from_a_trusted_proxy_only(settings, trusted, expected):
    settings.TRUSTED_PROXIES = trusted
    request = RequestFactory().get(
        "/", REMOTE_ADDR="10.0.0.1", HTTP_X_FORWARDED_FOR="198.51.100.1, 203.0.113.9"
    )

    assert throttle.client_address(request) == expected
