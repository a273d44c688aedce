"""The secret of a hook, and the signature of what is sent to it.

The database holds no secret: as that of a second factor, it is derived from a random salt and the
installation's key, so that a copy of the database alone signs nothing.
"""

import base64
import hashlib
import hmac

from django.utils.crypto import salted_hmac

from webhooks.models import Hook

PREFIX = "whsec_"
HEADER = "Facetwise-Signature"


def secret_of(hook: Hook) -> str:
    """The secret by which the receiver checks signatures; shown once, when it was made."""
    derived = salted_hmac("webhooks.Hook", hook.salt, algorithm="sha256").digest()
    return PREFIX + base64.urlsafe_b64encode(derived).decode().rstrip("=")


def signature(secret: str, body: bytes, time: int) -> str:
    """The value of the header: the time, and HMAC-SHA256 in hex over time, a full stop and body."""
    signed = f"{time}.".encode() + body
    digest = hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()
    return f"t={time},v1={digest}"
