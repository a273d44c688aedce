"""Browsers that an account has signed in from before.

A browser that somebody signed in with keeps a signed cookie that says so. Guesses from this browser
are counted apart, so that a stranger's guesses do not hold the owner up (OWASP: "Slow Down Online
Guessing Attacks with Device Cookies"). The cookie lets nobody in.
"""

import secrets

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import salted_hmac

SALT = "accounts.devices"
MAX_AGE = 365 * 24 * 60 * 60  # seconds
# People who share a browser; whoever signed in longest ago is forgotten first.
REMEMBERED = 12


def device_of(request: HttpRequest, email: str) -> str | None:
    """The number of this browser, if an account of this address has signed in from it."""
    device, accounts = _read(request)
    return device if _mark(email) in accounts else None


def remember(request: HttpRequest, response: HttpResponse, email: str) -> None:
    """From now on the browser is known to the account of this address."""
    device, accounts = _read(request)
    accounts = [mark for mark in accounts if mark != _mark(email)][-(REMEMBERED - 1) :]
    response.set_cookie(
        settings.DEVICE_COOKIE_NAME,
        signing.dumps([device, [*accounts, _mark(email)]], salt=SALT),
        max_age=MAX_AGE,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def _read(request):
    try:
        return signing.loads(
            request.COOKIES.get(settings.DEVICE_COOKIE_NAME, ""), salt=SALT, max_age=MAX_AGE
        )
    except signing.BadSignature:
        return secrets.token_urlsafe(16), []


def _mark(email):
    # Keyed, so that the cookie tells nobody who uses the browser.
    return salted_hmac(SALT, email.lower(), algorithm="sha256").hexdigest()[:32]
