"""Requests with a token: refusals as exceptions, and patience with a server that is busy."""

import time
from collections.abc import Callable, Sequence
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


SHOWN_PROBLEMS = 10


class Refused(Exception):
    """The server did not do what was asked; the message is its sentence, with the first of the
    `problems` that it names, such as lines of a file."""

    def __init__(self, status: int, sentence: str, problems: Sequence[str] = ()) -> None:
        super().__init__(with_problems(sentence, problems))
        self.status = status
        self.problems = list(problems)


def with_problems(sentence: str, problems: Sequence[str]) -> str:
    lines = [sentence, *problems[:SHOWN_PROBLEMS]]
    if len(problems) > SHOWN_PROBLEMS:
        lines.append("…")
    return "\n".join(lines)


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
        params = {name: value for name, value in parameters.items() if value not in (None, "")}
        return self.ask("GET", path, params=params, headers={"Accept": accept})

    def rows(self, path: str) -> list[dict[str, Any]]:
        """All rows of a list, page by page.

        Of the address of the next page only the query is taken: what it says of host and scheme
        may come from a proxy, and the token goes nowhere else.
        """
        rows: list[dict[str, Any]] = []
        query = f"rows={MOST_ROWS}"
        while query:
            page = self.ask("GET", f"{path}?{query}").json()
            rows += page["results"]
            query = urlsplit(page["next"] or "").query
        return rows

    def ask(self, method: str, path: str, **options: Any) -> httpx.Response:
        """Ask, and wait for a server that is busy; raises Refused for any other answer than 2xx.

        It asks again where the connection breaks, too. What changes something has a key of its
        own, by which the server does it once, however often it is sent.
        """
        if method != "GET":
            options["headers"] = {KEY: str(uuid4())} | options.get("headers", {})
        for number in range(1, TRIES + 1):
            try:
                answer = self._http.request(method, path, **options)
            except httpx.TransportError:
                if number == TRIES:
                    raise
                self._sleep(float(2**number))
                continue
            if answer.is_success:
                return answer
            if answer.status_code not in BUSY or number == TRIES:
                break
            self._sleep(_seconds_to_wait(answer, number))
        raise _refusal(answer)


def _seconds_to_wait(answer: httpx.Response, number: int) -> float:
    header = answer.headers.get("Retry-After", "")
    seconds = float(header) if header.isdecimal() else float(2**number)
    return min(seconds, LONGEST_WAIT)


def _refusal(answer: httpx.Response) -> Refused:
    """With the detail of a problem (RFC 9457), or what the status is called."""
    try:
        body = answer.json()
        detail, problems = str(body["detail"]), [str(text) for text in body.get("problems", [])]
    except (ValueError, KeyError, TypeError):
        detail = f"The server answered {answer.status_code} {answer.reason_phrase}."
        problems = []
    return Refused(answer.status_code, detail, problems)
