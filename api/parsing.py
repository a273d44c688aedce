"""JSON that others send, so far as it can be read and kept at all."""

from typing import Any

from django.core.exceptions import BadRequest
from rest_framework.parsers import JSONParser

from formats.strict import BadTextError, check_storable, decode, parse_json


class Body(JSONParser):
    """The JSON body of a request."""

    def parse(self, stream: Any, *_: Any, **__: Any) -> Any:
        return read(stream.read(), "The body")


def read(sent: Any, name: str) -> Any:
    """The JSON of a body, or of a field of a form, as strictly as that of a file; BadRequest with
    its place for what would be lost, or what no database keeps."""
    if not isinstance(sent, (bytes, str)):
        raise BadRequest(f"{name} is a file; send it as text.")
    try:
        value = parse_json(sent if isinstance(sent, str) else decode(sent))
        check_storable(value)
    except BadTextError as error:
        raise BadRequest(f"{name} cannot be read: {error.sentence}") from None
    return value
