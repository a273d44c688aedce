"""Annotators who save one rating after the other, and what that takes."""

import random
import threading
import time
import uuid
from dataclasses import dataclass
from http import HTTPStatus
from http.client import HTTPConnection
from urllib.parse import urlencode, urlsplit

import psutil

from bench.annotating.figures import Window
from bench.visitor import (
    KNOWN_AT_ONCE,
    TEXTS_AT_ONCE,
    PairForm,
    UnexpectedAnswer,
    Visitor,
    acknowledges,
    keys_of,
    texts_after,
)

WARM_UP_SECONDS = 0.5  # at the start of each window, not counted
PATIENCE_SECONDS = 60  # for one answer
FLOOR_PAIRS = 5000


class Caller:
    """One annotator's connection: as little work of our own as may be, for it costs the server."""

    def __init__(self, url, headers):
        parts = urlsplit(url)
        self.address = parts.hostname, parts.port
        self.headers = headers
        self.connection = None

    def connect(self):
        """Anew: the server closes a connection that was silent for some seconds."""
        self.close()
        self.connection = HTTPConnection(*self.address, timeout=PATIENCE_SECONDS)
        self.connection.connect()

    def close(self):
        if self.connection:
            self.connection.close()

    def ask(self, method, address, body=None):
        """(milliseconds, status, body) of one answer."""
        start = time.perf_counter()
        self.connection.request(method, address, body, self.headers)
        answer = self.connection.getresponse()
        content = answer.read()
        return (time.perf_counter() - start) * 1000, answer.status, content


class Annotator:
    """Walks through its seats, saving; begins again with changes when all pairs are rated."""

    def __init__(self, url, cookie, desks, seed):
        self.chance = random.Random(seed)
        self.desks = desks
        self.versions = {}
        self.known = []  # keys of what texts of the seat have brought
        self.at = (0, 1)  # the seat's number and the position
        visitor = Visitor(url)
        visitor.client.cookies.set(*cookie)
        address = f"{desks[0].address}1/"
        self.form = PairForm(visitor.page(address), address)
        cookies = "; ".join(f"{name}={value}" for name, value in visitor.client.cookies.items())
        visitor.close()
        self.caller = Caller(url, PairForm.headers | {"Cookie": cookies})

    def save(self):
        """Milliseconds until the next save was acknowledged.

        The texts are fetched before they are needed, as the script does: the rate of ratings and
        the processor's time count them, the wait for a save does not.
        """
        number, position = self.at
        desk = self.desks[number]
        if position % TEXTS_AT_ONCE == 1 and position < desk.size:
            self._fetch_texts(desk, position)
        version = self.versions.get(self.at, 0)
        save_id = str(uuid.UUID(int=self.chance.getrandbits(128), version=4))
        body = self.form.body(
            save_id=save_id,
            based_on=version,
            answer=self.form.options[(position + version) % len(self.form.options)],
            note="",
            active_seconds="12.5",
        )
        milliseconds, status, content = self.caller.ask("POST", f"{desk.address}{position}/", body)
        if not acknowledges(status, content, save_id):
            raise UnexpectedAnswer(f"{desk.address}{position}/: {status} {content[:500]!r}")
        self.versions[self.at] = version + 1
        if position < desk.size:
            self.at = number, position + 1
        else:
            self.at = (number + 1) % len(self.desks), 1
        return milliseconds

    def _fetch_texts(self, desk, position):
        """The first texts of a seat bring the query, as its page would, which is not loaded."""
        known = self.known if position > 1 else []
        address = texts_after(desk.address, position, desk.size, known)
        _, status, content = self.caller.ask("GET", address)
        if status != HTTPStatus.OK:
            raise UnexpectedAnswer(f"{address}: {status} {content[:500]!r}")
        self.known = list(dict.fromkeys([*known, *keys_of(content)]))[-KNOWN_AT_ONCE:]


class FloorAnnotator:
    """The same at the floor."""

    def __init__(self, url, cookie, seed):
        self.chance = random.Random(seed)
        token = "f" * 32  # what the cookie says is what the header must say, whatever it is
        headers = {"Cookie": f"{cookie[0]}={cookie[1]}; csrftoken={token}", "X-CSRFToken": token}
        self.caller = Caller(url, PairForm.headers | headers)

    def save(self):
        save_id = str(uuid.UUID(int=self.chance.getrandbits(128), version=4))
        pair = self.chance.randint(1, FLOOR_PAIRS)
        body = urlencode({"pair": pair, "save_id": save_id, "answer": "similar", "note": ""})
        milliseconds, status, content = self.caller.ask("POST", "/save/", body.encode())
        if not acknowledges(status, content, save_id):
            raise UnexpectedAnswer(f"The floor: {status} {content[:500]!r}")
        return milliseconds


@dataclass(frozen=True)
class Target:
    """What is measured: a served study, or the floor."""

    name: str
    annotators: list
    server: object  # tests.processes.Process

    def processor_seconds(self):
        leader = psutil.Process(self.server.popen.pid)
        times = [p.cpu_times() for p in (leader, *leader.children(recursive=True))]
        return sum(time.user + time.system for time in times)


def observe(target, annotators, seconds, *, think=None, seed=0, beside="", is_over=None):
    """Let so many annotators save for so long, or until `is_over()`; what they met is a Window."""
    begin = threading.Event()
    end = threading.Event()
    saves, troubles = [], []

    def work(number, annotator):
        chance = random.Random(f"{seed} {number}")
        try:
            annotator.caller.connect()
            begin.wait()
            while not end.is_set():
                if think and end.wait(chance.uniform(*think)):
                    break
                milliseconds = annotator.save()
                saves.append((time.monotonic(), milliseconds))
        except Exception as error:
            troubles.append(f"{target.name}: {error!r}")
            end.set()
        finally:
            annotator.caller.close()

    threads = [
        threading.Thread(target=work, args=person, daemon=True)
        for person in enumerate(target.annotators[:annotators])
    ]
    for thread in threads:
        thread.start()
    begin.set()
    end.wait(WARM_UP_SECONDS)
    started, processor = time.monotonic(), target.processor_seconds()
    while not end.is_set() and time.monotonic() < started + seconds:
        if is_over and is_over():
            break
        end.wait(min(0.2, max(0.0, started + seconds - time.monotonic())))
    stopped, processor = time.monotonic(), target.processor_seconds() - processor
    end.set()
    for thread in threads:
        thread.join(PATIENCE_SECONDS)
    if troubles:
        raise UnexpectedAnswer(troubles[0])
    counted = [value for at, value in saves if started <= at <= stopped]
    return Window(
        target.name, annotators, bool(think), stopped - started, processor, counted, beside
    )
