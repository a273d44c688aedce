"""One POST to an address, and what came of it.

A name is looked up once, and the connection goes to that machine, so that the name cannot lead
elsewhere a moment later. No redirect is followed, no proxy asked, and the whole takes five seconds
at most: looking up, connecting, sending and reading an answer of which little is read.
"""

import contextlib
import io
import queue
import socket
import ssl
import threading
import time
from dataclasses import dataclass
from http.client import HTTPException, HTTPResponse
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Any, cast

from webhooks.addresses import Address, may_be_called

SECONDS = 5.0
MAX_ANSWER = 64 * 1024


@dataclass(frozen=True)
class Outcome:
    """The status of an answer, if one came, and why the try failed; no sentence for success."""

    status: int | None
    sentence: str

    @property
    def is_success(self) -> bool:
        return not self.sentence


class _FailedError(Exception):
    """The try failed; the message is the sentence for people."""


def post(
    address: Address,
    body: bytes,
    headers: dict[str, str],
    *,
    allows_loopback: bool = False,
    seconds: float = SECONDS,
) -> Outcome:
    """POST a body, once."""
    deadline = time.monotonic() + seconds
    try:
        status = _status_of_answer(address, body, headers, allows_loopback, deadline)
    except _FailedError as failed:
        return Outcome(None, str(failed))
    except TimeoutError:
        return Outcome(None, f"No answer came within {seconds:g} seconds.")
    except ssl.SSLCertVerificationError as error:
        return Outcome(None, f"The certificate is not valid: {error.verify_message}."[:300])
    except ssl.SSLError:
        return Outcome(None, "No encrypted connection could be made (TLS).")
    except ConnectionRefusedError:
        return Outcome(None, "The connection was refused.")
    except HTTPException:
        return Outcome(None, "The answer is not HTTP.")
    except OSError:
        return Outcome(None, "The connection could not be made, or broke off.")
    if 200 <= status < 300:
        return Outcome(status, "")
    if 300 <= status < 400:
        return Outcome(status, f"The answer was {status}. Redirects are not followed.")
    return Outcome(status, f"The answer was {status}.")


def _status_of_answer(
    address: Address, body: bytes, headers: dict[str, str], allows_loopback: bool, deadline: float
) -> int:
    machines = look_up(address, deadline)
    if not all(
        may_be_called(machine, address, allows_loopback=allows_loopback) for machine in machines
    ):
        raise _FailedError(f"{address.host} leads to a machine that is not public.")
    with _connected(machines, address, deadline) as connection:
        connection.settimeout(_seconds_left(deadline))
        connection.sendall(_request(address, body, headers))
        answer = HTTPResponse(cast(socket.socket, _Answer(connection, deadline)), method="POST")
        answer.begin()
        _read_to_its_end(answer)
        return answer.status


def look_up(address: Address, deadline: float) -> list[IPv4Address | IPv6Address]:
    """The machines that the name stands for now, in the order in which to try them.

    In a thread of its own, since the system's resolver knows no time limit.
    """
    answers: queue.Queue[Any] = queue.Queue()

    def ask() -> None:
        try:
            answers.put(socket.getaddrinfo(address.host, address.port, type=socket.SOCK_STREAM))
        except (OSError, UnicodeError) as error:
            answers.put(error)

    threading.Thread(target=ask, name="webhook-look-up", daemon=True).start()
    try:
        result = answers.get(timeout=_seconds_left(deadline))
    except queue.Empty:
        raise TimeoutError from None
    if isinstance(result, Exception) or not result:
        raise _FailedError(f"The name {address.host} is not known.")
    return list(dict.fromkeys(ip_address(entry[4][0]) for entry in result))


def _connected(
    machines: list[IPv4Address | IPv6Address], address: Address, deadline: float
) -> socket.socket:
    connection = _first_that_answers(machines, address, deadline)
    if not address.is_https:
        return connection
    try:
        connection.settimeout(_seconds_left(deadline))
        context = ssl.create_default_context()
        return context.wrap_socket(connection, server_hostname=address.host)
    except BaseException:
        connection.close()
        raise


def _first_that_answers(
    machines: list[IPv4Address | IPv6Address], address: Address, deadline: float
) -> socket.socket:
    for number, machine in enumerate(machines, 1):
        try:
            return socket.create_connection((str(machine), address.port), _seconds_left(deadline))
        except TimeoutError:
            raise
        except OSError:
            if number == len(machines):
                raise
    raise AssertionError("unreachable: a name stands for one machine at least")


def _request(address: Address, body: bytes, headers: dict[str, str]) -> bytes:
    lines = [
        f"POST {address.target} HTTP/1.1",
        f"Host: {address.host_header}",
        *(f"{name}: {value}" for name, value in headers.items()),
        f"Content-Length: {len(body)}",
        "Accept-Encoding: identity",
        "Connection: close",
    ]
    return "\r\n".join([*lines, "", ""]).encode("ascii") + body


def _seconds_left(deadline: float) -> float:
    seconds = deadline - time.monotonic()
    if seconds <= 0:
        raise TimeoutError
    return seconds


class _Answer(io.RawIOBase):
    """The answer over a connection until the deadline, and not more than MAX_ANSWER bytes of it."""

    def __init__(self, connection: socket.socket, deadline: float) -> None:
        self._connection, self._deadline = connection, deadline
        self._room = MAX_ANSWER

    def makefile(self, mode: str) -> io.BufferedReader:
        """As HTTPResponse asks a socket for it."""
        return io.BufferedReader(self)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        view = memoryview(buffer)[: self._room]
        if not view:
            raise HTTPException("The answer is too long.")
        self._connection.settimeout(_seconds_left(self._deadline))
        count = self._connection.recv_into(view)
        self._room -= count
        return count


def _read_to_its_end(answer: HTTPResponse) -> None:
    """A receiver that still writes should not find the connection gone. What it says is not kept,
    and one that says too much, or too slowly, has answered all the same."""
    with contextlib.suppress(OSError, HTTPException):
        answer.read(MAX_ANSWER)
