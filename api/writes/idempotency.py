"""A change that is sent under a key happens once, however often it is sent.

The answer is kept in the transaction of the change itself, so that neither is there without the
other. Two requests under one key at once: the second waits at the unique row, finds that the first
has acted, and gives its answer. A refusal changed nothing, so it is not kept, and the same request
may be sent again.
"""

import base64
import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from uuid import UUID

from django.core.files.uploadedfile import UploadedFile
from django.http import HttpResponse, QueryDict
from rest_framework.renderers import JSONRenderer
from rest_framework.response import Response

from api.authentication import text_of_token
from audit.refusals import Invalid
from audit.transactions import one_transaction
from datasets.models import KeptAnswer

Act = Callable[[], Response]
HEADERS = ("Location", "Retry-After")
OTHER = (
    "This Idempotency-Key was already used for another request. Make a new one for each thing "
    "that you change."
)


@dataclass(frozen=True)
class Once:
    """One request for a change, with the key that its program gave it. `body` is what was sent."""

    request: Any
    key: UUID
    body: Any

    def answered(self, change: Callable[[Callable[[Act], Response]], HttpResponse]) -> HttpResponse:
        """The kept answer to this key, or the answer of `change`. `change` is given a function by
        which it acts, and does slow work before calling it."""
        if kept_answer := self._known():
            return kept_answer
        try:
            return change(self._carry_out)
        except Exception:
            # The same request may have acted meanwhile, and left nothing to do.
            if kept_answer := self._known():
                return kept_answer
            raise

    @one_transaction
    def _carry_out(self, act: Act) -> Response:
        # First, so that the same request waits here and holds nothing that others need.
        row = KeptAnswer.objects.create(
            token=self.request.auth, key=self.key, request_sha256=self._sha256
        )
        response = act()
        row.answer = self._enciphered(response)
        row.save(update_fields=["answer"])
        return response

    def _known(self) -> Response | None:
        row = KeptAnswer.objects.filter(token=self.request.auth, key=self.key).first()
        if row is None:
            return None
        if row.request_sha256 != self._sha256:
            raise Invalid(OTHER)
        status, headers, body = json.loads(self._cipher.decrypt(bytes(row.answer)))
        return Response(body, status=status, headers=headers)

    @cached_property
    def _sha256(self) -> str:
        parts = [self.request.method, self.request.path, _plain(self.body)]
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()

    def _enciphered(self, response: Response) -> bytes:
        headers = {name: response[name] for name in HEADERS if name in response}
        text = JSONRenderer().render([response.status_code, headers, response.data])
        return self._cipher.encrypt(text)

    @cached_property
    def _cipher(self) -> Any:
        """A cipher whose key is made of the token, of which the server keeps no more than a hash.

        So a link or a secret in an answer is read by whoever has the token, and never from the
        database alone.
        """
        from cryptography.fernet import Fernet  # loaded with the first request under a key

        token = text_of_token(self.request).encode()
        key = hashlib.sha256(b"facetwise kept answer" + token).digest()
        return Fernet(base64.urlsafe_b64encode(key))


def _plain(body: Any) -> Any:
    """The sent data as JSON, with the hash of each file's content."""
    if isinstance(body, QueryDict):
        return {name: [_plain(value) for value in values] for name, values in body.lists()}
    if isinstance(body, UploadedFile):
        digest = hashlib.sha256()
        for chunk in body.chunks():
            digest.update(chunk)
        body.seek(0)
        return [body.name, digest.hexdigest()]
    return body
