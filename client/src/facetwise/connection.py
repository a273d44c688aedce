"""Requests with a token: refusals as exceptions, and patience with a server that is busy."""

import time
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

import httpx

TRIES = 5
LONGEST_WAIT = 30.0  # seconds
MOST_ROWS = 1_000  # of a page
KEY = "Idempotency-Key"
# The server did nothing yet, and says when it will.
BUSY = {429, 503}
LOOPBACK = {"localhost", "127.0.0.1", "::1"}


class Refused(Exception):
    """The server did not do what was asked; the message is its sentence."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status


class Connection:
    """Speaks to `/api/v1/` of one installation."""

    def __init__(
        self,
        url: str,
        token: str,
        *,
        timeout: float = 60.0,
        transport: httpx.BaseTransport | None = None,
        sleep: Callable[[float], object] = time.sleep,
    ) -> None:
        """Plain http is for this machine alone: elsewhere it would show the token on its way."""
        parts = urlsplit(url)
        if parts.scheme != "https" and not (parts.scheme == "http" and parts.hostname in LOOPBACK):
            raise ValueError(f"The address is {url!r}; expected one that begins with https://.")
        self._sleep = sleep
        self._http = httpx.Client(
            base_url=url.rstrip("/") + "/api/v1/",
            headers={"Authorization": f"Bearer {token}"},
            timeout=timeout,
            transport=transport,
        )

    def close(self) -> None:
        self._http.close()

    def get(
        self, path: str, *, accept: str = "application/json", **parameters: Any
    ) -> httpx.Response:
        """Read an address; parameters without a value are left out."""
        chosen = {name: value for name, value in parameters.items() if value not in (None, "")}
        return self.ask("GET", path, params=chosen, headers={"Accept": accept})

    def rows(self, path: str) -> list[dict[str, Any]]:
        """All rows of a list, page by page."""
        rows: list[dict[str, Any]] = []
        address: str | None = f"{path}?rows={MOST_ROWS}"
        while address:
            page = self.ask("GET", address).json()
            rows += page["results"]
            address = page["next"]
        return rows

    def save(self, method: str, path: str, fields: dict[str, Any]) -> Any:
        """Send what must happen once: under a key of its own, however often it is sent."""
        return self.ask(method, path, json=fields, headers={KEY: str(uuid4())}).json()

    def ask(self, method: str, path: str, **options: Any) -> httpx.Response:
        """Ask, and wait for a server that is busy; raises Refused for any other answer than 2xx.

        Where the connection breaks, what reads or has a key of its own is sent again as well.
        """
        may_repeat = method == "GET" or KEY in options.get("headers", {})
        for number in range(1, TRIES + 1):
            try:
                answer = self._http.request(method, path, **options)
            except httpx.TransportError:
                if not may_repeat or number == TRIES:
                    raise
                self._sleep(float(2**number))
                continue
            if answer.is_success:
                return answer
            if answer.status_code not in BUSY or number == TRIES:
                break
            self._sleep(_seconds_to_wait(answer, number))
        raise Refused(answer.status_code, _sentence(answer))


def _seconds_to_wait(answer: httpx.Response, number: int) -> float:
    wanted = answer.headers.get("Retry-After", "")
    seconds = float(wanted) if wanted.isdecimal() else float(2**number)
    return min(seconds, LONGEST_WAIT)


def _sentence(answer: httpx.Response) -> str:
    """The detail of a problem (RFC 9457), or what the status is called."""
    try:
        detail = answer.json()["detail"]
    except (ValueError, KeyError, TypeError):
        return f"The server answered {answer.status_code} {answer.reason_phrase}."
    return str(detail)
