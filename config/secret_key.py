"""The key that signs sessions and links: given, or made once and kept in a file."""

import os
import secrets
import stat

from django.core.exceptions import ImproperlyConfigured

from config import env

SHORTEST_KEY = 50  # Django's own bar for a deployment (security.W009)


def secret_key(name, file):
    """The given key, else a random one that is made once and kept in `file` (mode 0600).

    Several processes may start at once: whoever creates the file first decides. Without a file
    the key must be given.
    """
    value = env.text(name)
    if value:
        if len(value) < SHORTEST_KEY:  # The value is not repeated.
            raise ImproperlyConfigured(
                f"{name} has {len(value)} characters; expected at least {SHORTEST_KEY} random ones."
            )
        return value
    if file is None:
        raise ImproperlyConfigured(
            f"{name} is not set. Machines that share FACETWISE_FILES need one and the same key."
        )
    try:
        if not file.exists():
            _make_key(file)
        return _kept_key(file)
    except OSError as error:
        raise ImproperlyConfigured(
            f"The key in {file} cannot be read, or not be made: {error.strerror}."
        ) from None


def _make_key(file):
    file.parent.mkdir(parents=True, exist_ok=True)
    fresh = file.with_name(f"{file.name}.{os.getpid()}")
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        with os.fdopen(descriptor, "w") as handle:
            handle.write(secrets.token_urlsafe(64))
        os.link(fresh, file)
    except FileExistsError:
        pass
    finally:
        fresh.unlink()


def _kept_key(file):
    """What the file holds, if that is a key and a secret."""
    if file.is_file() and file.stat().st_mode & stat.S_IROTH:
        raise ImproperlyConfigured(
            f"Everybody on this machine may read the key in {file}. Run: chmod 600 {file}"
        )
    key = file.read_text(errors="replace").strip()
    if len(key) < SHORTEST_KEY:
        raise ImproperlyConfigured(
            f"The key in {file} has {len(key)} characters; expected at least {SHORTEST_KEY} random "
            "ones. Put the file back as it was, or remove it: a new key is made then, and all "
            "sign in anew."
        )
    return key
