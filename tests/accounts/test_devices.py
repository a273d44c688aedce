"""Browsers that an account has signed in from: who is known to them, and for how long."""

import time

import pytest
from django.http import HttpResponse
from django.test import RequestFactory

from accounts import devices
from accounts.devices import MAX_AGE, REMEMBERED, device_of, remember


class Browser:
    def __init__(self):
        self.cookies = {}

    def request(self):
        request = RequestFactory().get("/")
        request.COOKIES.update(self.cookies)
        return request

    def sign_in(self, email):
        response = HttpResponse()
        remember(self.request(), response, email)
        self.cookies = {name: morsel.value for name, morsel in response.cookies.items()}
        return response.cookies["device"]

    def knows(self, email):
        return device_of(self.request(), email) is not None


@pytest.fixture
def laptop():
    return Browser()


def test_a_browser_keeps_its_number_and_tells_it_to_its_own_accounts_alone(laptop):
    assert not laptop.knows("alice@example.org")
    laptop.sign_in("alice@example.org")
    number = device_of(laptop.request(), "Alice@Example.org")

    laptop.sign_in("bob@example.org")

    assert number
    assert device_of(laptop.request(), "bob@example.org") == number
    assert device_of(laptop.request(), "alice@example.org") == number
    assert not laptop.knows("carol@example.org")


def test_of_more_accounts_than_a_browser_remembers_the_earliest_is_forgotten(laptop):
    emails = [f"person{number}@example.org" for number in range(REMEMBERED)]
    for email in [*emails, emails[0]]:
        laptop.sign_in(email)
    assert all(laptop.knows(email) for email in emails)

    laptop.sign_in("another@example.org")

    assert [email for email in emails if not laptop.knows(email)] == emails[1:2]


def test_a_browser_is_forgotten_after_a_year(laptop, monkeypatch):
    laptop.sign_in("alice@example.org")
    now = time.time()

    monkeypatch.setattr(devices.signing.time, "time", lambda: now + MAX_AGE - 60)
    assert laptop.knows("alice@example.org")
    monkeypatch.setattr(devices.signing.time, "time", lambda: now + MAX_AGE + 60)
    assert not laptop.knows("alice@example.org")


@pytest.mark.parametrize("secure", [True, False])
def test_the_cookie_is_as_safe_as_that_of_the_session(laptop, settings, secure):
    settings.SESSION_COOKIE_SECURE = secure

    cookie = laptop.sign_in("alice@example.org")

    assert (bool(cookie["secure"]), cookie["httponly"], cookie["samesite"]) == (secure, True, "Lax")
    assert cookie["max-age"] == MAX_AGE
