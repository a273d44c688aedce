"""The names under which people leave the house."""

import base64
import hashlib
import hmac
import re

from formats.csfcube.study import KIND as CSFCUBE
from formats.doris_mae.study import KIND as DORIS_MAE

LENGTH = 6
NUMBERED = re.compile(r"annotator_?[0-9]+")


def pseudonym(collection, member):
    """An HMAC of the membership under the collection's key, so that nobody without the key can tell
    who it is. The same person has the same pseudonym in every export and report."""
    digest = hmac.new(
        bytes.fromhex(collection.pseudonym_key), member.public_id.bytes, hashlib.sha256
    ).digest()
    return f"A-{base64.b32encode(digest).decode()[:LENGTH]}"


def published_name(member):
    """What a published dataset calls the person, or a file that numbers its annotators; else "".
    Other files may call people by their e-mail addresses."""
    is_published = member.imported and member.imported.kind in (CSFCUBE, DORIS_MAE)
    is_plain = is_published or NUMBERED.fullmatch(member.external_id)
    return member.external_id if is_plain else ""
