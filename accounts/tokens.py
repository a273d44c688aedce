"""Secrets in links, shown once, and ids of saves. The database keeps a hash, or nothing."""

import hashlib
import secrets
import uuid
from typing import Any

from django.contrib.auth.tokens import PasswordResetTokenGenerator
from django.utils.crypto import salted_hmac


def new_token():
    """256 random bits, as text for an address."""
    return secrets.token_urlsafe(32)


def hash_of(token):
    return hashlib.sha256(token.encode()).hexdigest()


class ResetTokens(PasswordResetTokenGenerator):
    """Good for one password: using it, signing in, a forced sign-out or deactivation spends it."""

    def _make_hash_value(self, user, timestamp):
        of_django = super()._make_hash_value(user, timestamp)
        return f"{of_django}{user.session_epoch}{user.is_active}"


reset_tokens = ResetTokens()


def plain_save_id(salt: str, *identity: Any) -> uuid.UUID:
    """The save's UUID in a page without script: the same for the same pair, person and state.

    So a double click, a reload and the back button send the same save; a script makes its own. It
    tells nothing: it is a keyed hash of what the person knows.
    """
    value = ":".join(map(str, identity))
    digest = salted_hmac(salt, value, algorithm="sha256").digest()
    return uuid.UUID(bytes=digest[:16], version=4)
