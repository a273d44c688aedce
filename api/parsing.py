"""JSON that others send, so far as it can be read and kept at all."""

import json
from collections.abc import Iterator
from typing import Any

from django.core.exceptions import BadRequest
from rest_framework.parsers import JSONParser

TOO_DEEP = "The JSON is nested too deeply."


class Body(JSONParser):
    """The JSON body of a request."""

    def parse(self, *args: Any, **kwargs: Any) -> Any:
        try:
            data = super().parse(*args, **kwargs)
        except RecursionError:
            raise BadRequest(TOO_DEEP) from None
        return storable(data)


def read(text: Any, name: str) -> Any:
    """The JSON in a field of a form."""
    try:
        return storable(json.loads(text))
    except RecursionError:
        raise BadRequest(f"{name}: {TOO_DEEP}") from None
    except (TypeError, ValueError):
        raise BadRequest(f"{name} is no JSON.") from None


def storable(data: Any) -> Any:
    """The data; BadRequest where a text in it holds what no database keeps: NUL, or half a
    character (a lone surrogate)."""
    for text in _texts(data):
        if "\0" in text or (not text.isascii() and _has_halves(text)):
            raise BadRequest("The JSON holds a character that no text has.")
    return data


def _has_halves(text: str) -> bool:
    return any("\ud800" <= character <= "\udfff" for character in text)


def _texts(data: Any) -> Iterator[str]:
    waiting = [data]
    while waiting:
        value = waiting.pop()
        if isinstance(value, str):
            yield value
        elif isinstance(value, list):
            waiting += value
        elif isinstance(value, dict):
            waiting += [*value, *value.values()]
