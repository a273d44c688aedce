"""Secrets in links. They are shown once; the database keeps a hash, or nothing."""

import hashlib
import secrets

from django.contrib.auth.tokens import PasswordResetTokenGenerator


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
