"""How often a secret may be guessed, counted in the database so that it is exact in parallel.

The counting comes before the password is looked at, so no more guesses than the limit ever reach
the hasher. The narrow limit is per e-mail address *and* network address: somebody who guesses at
another person's account from elsewhere does not lock that person out. The wide limit, per network
address, bounds one guess at each of many accounts; it leaves room for a laboratory behind one
address.
"""

import time

from django.conf import settings
from django.db.models import F
from django.utils.crypto import salted_hmac

from accounts.models import Attempt
from audit.transactions import one_transaction

WINDOW = 15 * 60  # seconds
# Attempts per window: (one e-mail address from one network address, one network address).
LIMITS = {"sign-in": (5, 100), "reset": (3, 30)}


def client_address(request):
    """The network address a request came from.

    Behind a proxy that we trust it is the last entry of X-Forwarded-For, which that proxy wrote;
    entries before it are whatever the client claims.
    """
    direct = request.META.get("REMOTE_ADDR", "")
    forwarded = request.META.get("HTTP_X_FORWARDED_FOR", "")
    trusted = {direct, "*"} & set(settings.TRUSTED_PROXIES)
    if forwarded and trusted:
        return forwarded.rpartition(",")[2].strip()
    return direct


@one_transaction
def count_attempt(scope, *, email, address):
    """Count one attempt: 0 if it may go on, else the seconds until the next one may."""
    window = int(time.time()) // WINDOW
    allowed = True
    for key, limit in zip(_keys(scope, email, address), LIMITS[scope], strict=True):
        _, created = Attempt.objects.get_or_create(key=key, window=window)
        if created:
            Attempt.objects.filter(window__lt=window).delete()
        # The update locks the row until the transaction ends, so what is read back is ours.
        Attempt.objects.filter(key=key, window=window).update(count=F("count") + 1)
        allowed &= Attempt.objects.get(key=key, window=window).count <= limit
    return 0 if allowed else (window + 1) * WINDOW - int(time.time())


@one_transaction
def forgive(scope, *, email, address):
    """Take back the count of an attempt that succeeded, and of the failures before it."""
    window = int(time.time()) // WINDOW
    narrow, wide = _keys(scope, email, address)
    Attempt.objects.filter(key=narrow, window=window).delete()
    Attempt.objects.filter(key=wide, window=window, count__gt=0).update(count=F("count") - 1)


def _keys(scope, email, address):
    return [
        salted_hmac("accounts.throttle", value, algorithm="sha256").hexdigest()
        for value in (f"{scope} {address} {email.lower()}", f"{scope} {address}")
    ]
