"""The names under which people leave the house."""

import base64
import hashlib
import hmac

LENGTH = 6


def pseudonym(collection, member):
    """An HMAC of the membership under the collection's key, so that nobody without the key can tell
    who it is. The same person has the same pseudonym in every export and report."""
    digest = hmac.new(
        bytes.fromhex(collection.pseudonym_key), member.public_id.bytes, hashlib.sha256
    ).digest()
    return f"A-{base64.b32encode(digest).decode()[:LENGTH]}"
