"""Limits on guessing a secret, counted in the database so that parallel guesses count exactly.

A guess is counted before the password is looked at, so no more guesses than the limits allow ever
reach the hasher. A limit is a number of guesses at once, and the seconds after which one more is
allowed: whoever guesses on is slowed down and never shut out. Guesses that are refused do not
count.

Three limits hold for a browser that the account does not know: for the account from one network
address, for the account from anywhere, and for the network address whatever the account. A browser
that the account has signed in from has a limit of its own (accounts/devices.py).
"""

import time
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from math import ceil
from typing import NamedTuple

from django.conf import settings
from django.db.models import BigIntegerField, Case, F, Q, Value, When
from django.db.models.functions import Greatest
from django.http import HttpRequest
from django.utils.crypto import salted_hmac

from accounts.devices import device_of
from accounts.models import Attempt
from audit.transactions import one_transaction

# Milliseconds for which a row stays that says nothing any more.
KEPT = 60 * 60 * 1000
# By how many milliseconds the clocks of machines that serve together may differ.
CLOCK_TOLERANCE = 60 * 1000


class Limit(NamedTuple):
    at_once: int
    seconds: int  # until one more is allowed


LIMITS = {
    "sign-in": {
        "address": Limit(100, 9),  # room for a laboratory behind one address
        "account at address": Limit(5, 180),
        "account": Limit(10, 90),
        "device": Limit(5, 30),
    },
    "reset": {
        "address": Limit(30, 30),
        "account at address": Limit(3, 300),
        "account": Limit(6, 300),
    },
    # Asked only of people who have shown the password or are signed in.
    "code": {"account": Limit(5, 120), "device": Limit(5, 30)},
    "password": {"account": Limit(5, 180)},
    # Tokens that open nothing; a program with an expired one is told so for a while.
    "token": {"address": Limit(100, 9)},
    # Requests of a working token, counted by its number in blocks (api/limits.py).
    "program": {"account": Limit(5, 2)},
}


class Attempted(NamedTuple):
    """One guess: at which secret, of which account, from which address. `device` is a browser that
    the account knows."""

    scope: str
    email: str
    address: str = ""
    device: str | None = None

    def limits(self) -> dict[str, Limit]:
        """The limits that hold for it, by the key under which each is counted."""
        limits = LIMITS[self.scope]
        email = self.email.lower()
        if self.device and "device" in limits:
            counted = {"device": f"{self.device} {email}"}
        else:
            counted = {
                "address": self.address,
                "account at address": f"{self.address} {email}",
                "account": email,
            }
        # Always in this order, so that two guesses wait for each other and never both.
        return {
            _key(self.scope, name, value): limits[name]
            for name, value in counted.items()
            if name in limits
        }


def attempted(request: HttpRequest, scope: str, email: str) -> Attempted:
    """One guess at a secret of the account with this address, by this request."""
    return Attempted(scope, email, client_address(request), device_of(request, email))


class _Full(Exception):
    """A limit allows no guess for so many milliseconds."""


def count_attempt(attempted: Attempted) -> int:
    """Count one guess: 0 if it may go on, else the seconds until the next one may."""
    try:
        _count(attempted.limits(), int(time.time() * 1000))
    except _Full as full:
        return max(1, ceil(full.args[0] / 1000))
    return 0


@one_transaction
def _count(limits, now):
    # A row holds the moment at which all that was counted will be forgotten. Each guess moves it
    # on by the limit's seconds; a guess is allowed while it lies less than `at_once` such steps
    # ahead. The condition and the change are one statement, so that none is counted twice.
    Attempt.objects.filter(free_at__lt=now - KEPT).delete()
    # Changing nothing where the row is there locks it: nobody deletes it before we count.
    Attempt.objects.bulk_create(
        [Attempt(key=key, free_at=now) for key in limits],
        update_conflicts=True,
        unique_fields=["key"],
        update_fields=["key"],
    )
    for key, limit in limits.items():
        step = limit.seconds * 1000
        row = Attempt.objects.filter(key=key)
        room = now + (limit.at_once - 1) * step
        # Guesses that were counted while the clock was ahead must not hold people up once it is
        # right again: no limit reaches so far.
        impossible = Q(free_at__gt=room + step + CLOCK_TOLERANCE)
        free_at = Case(
            When(impossible, then=Value(now)),
            default=Greatest(F("free_at"), Value(now)),
            output_field=BigIntegerField(),
        )
        if not row.filter(impossible | Q(free_at__lte=room)).update(free_at=free_at + step):
            # Leaving by an exception takes back what the limits before this one counted.
            raise _Full(row.get().free_at - room)


@one_transaction
def forgive(attempted: Attempted) -> None:
    """Take back the count of a guess that was right; of one's own account, all before it too."""
    email = attempted.email.lower()
    own_keys = {
        _key(attempted.scope, "device", f"{attempted.device} {email}"),
        _key(attempted.scope, "account at address", f"{attempted.address} {email}"),
    }
    for key, limit in attempted.limits().items():
        row = Attempt.objects.filter(key=key)
        if key in own_keys:
            row.delete()
        else:
            row.update(free_at=F("free_at") - limit.seconds * 1000)


def _key(scope, name, value):
    # Keyed and hashed: neither addresses nor what people typed is kept.
    return salted_hmac(
        "accounts.throttle", f"{scope} {name} {value}", algorithm="sha256"
    ).hexdigest()


def client_address(request: HttpRequest) -> str:
    """The network address that a request came from, as limits count it.

    Each proxy on the way adds to X-Forwarded-For who called it, at the end. So the list is read
    from its end while the caller is a proxy that we trust. The first address that is no such proxy
    is the client's; whatever stands before it is the client's claim.

    A network of the version 6 that one person has (/64) counts as one address.
    """
    address = _parsed(request.META.get("REMOTE_ADDR", ""))
    if _is_proxy(address, direct=True):
        for hop in reversed(request.META.get("HTTP_X_FORWARDED_FOR", "").split(",")):
            hop_address = _parsed(hop)
            if hop_address is None:
                break
            address = hop_address
            if not _is_proxy(address):
                break
    if isinstance(address, IPv6Address):
        return str(ip_network((address, 64), strict=False))
    return str(address or "")


def _is_proxy(address, *, direct=False):
    if direct and (address is None or "*" in settings.TRUSTED_PROXIES):
        # Nobody but a proxy of this machine calls by a Unix socket, which has no address.
        return bool(settings.TRUSTED_PROXIES)
    return address is not None and any(
        address in ip_network(proxy) for proxy in settings.TRUSTED_PROXIES if proxy != "*"
    )


def _parsed(text: str) -> IPv4Address | IPv6Address | None:
    try:
        address = ip_address(text.strip())
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address
