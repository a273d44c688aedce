"""Whether what a webhook sent comes from Facetwise."""

import hashlib
import hmac
import re
import time


def is_signed(secret: str, signature: str, body: bytes, *, seconds: float = 300) -> bool:
    """Whether the header `Facetwise-Signature` is of this body, made with this secret lately.

    An older one may be a request that somebody recorded and sends again.
    """
    parts = re.fullmatch(r"t=([0-9]{1,12}),v1=([0-9a-f]{64})", signature)
    if parts is None or abs(time.time() - int(parts[1])) > seconds:
        return False
    signed = parts[1].encode() + b"." + body
    expected = hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected, parts[2])
