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
def browser():
    return Browser()


def test_a_browser_keeps_its_number_and_tells_it_to_its_own_accounts_alone(browser):
    assert not browser.knows("alice@example.org")
    browser.sign_in("alice@example.org")
    number = device_of(browser.request(), "Alice@Example.org")

    browser.sign_in("bob@example.org")

    assert number
    assert device_of(browser.request(), "bob@example.org") == number
    assert device_of(browser.request(), "alice@example.org") == number
    assert not browser.knows("carol@example.org")


def test_of_more_accounts_than_a_browser_remembers_the_earliest_is_forgotten(browser):
    emails = [f"person{number}@example.org" for number in range(REMEMBERED)]
    for email in [*emails, emails[0]]:
        browser.sign_in(email)
    assert all(browser.knows(email) for email in emails)

    browser.sign_in("another@example.org")

    assert [email for email in emails if not browser.knows(email)] == emails[1:2]


def test_a_browser_is_forgotten_after_a_year(browser, monkeypatch):
    browser.sign_in("alice@example.org")
    now = time.time()

    monkeypatch.setattr(devices.signing.time, "time", lambda: now + MAX_AGE - 60)
    assert browser.knows("alice@example.org")
    monkeypatch.setattr(devices.signing.time, "time", lambda: now + MAX_AGE + 60)
    assert not browser.knows("alice@example.org")


@pytest.mark.parametrize("secure", [True, False])
def test_the_cookie_is_as_safe_as_that_of_the_session(browser, settings, secure):
    settings.SESSION_COOKIE_SECURE = secure

    cookie = browser.sign_in("alice@example.org")

    assert (bool(cookie["secure"]), cookie["httponly"], cookie["samesite"]) == (secure, True, "Lax")
    assert cookie["max-age"] == MAX_AGE
