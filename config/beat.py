"""The worker's clock: sends what is due, and keeps telling that it does.

It is a thread of the worker and not Celery's own beat, which is a process beside it: when that
process died, nobody noticed and no job was swept any more. The thread ends with the worker, and the
supervisor starts both again. Several workers have as many clocks, which does no harm.
"""

import logging
import socket
import threading
import time

from celery import bootsteps
from django.conf import settings
from django.db import Error, connection

logger = logging.getLogger(__name__)

TICK_SECONDS = 1.0
ALIVE_SECONDS = 10.0
RETRY_SECONDS = 5.0  # until a broker that was away is tried again


class Clock(threading.Thread):
    def __init__(self, app):
        super().__init__(name="clock", daemon=True)
        self.app = app
        self.stopping = threading.Event()
        self.due = {}
        self.is_connected = False

    def run(self):
        alive_at = float("-inf")
        file = settings.STATE_DIR / f"worker-alive-{socket.gethostname()}"
        while True:
            try:
                now = time.monotonic()
                if now - alive_at >= ALIVE_SECONDS:
                    alive_at = now  # first: where no file can be touched, it goes on ticking
                    file.touch()  # for `script/healthy worker`
                self.tick(now)
            except Exception:
                # Go on after any error, such as a full disk: a clock that stops mends nothing.
                logger.exception("The worker's clock failed and goes on.")
            if self.stopping.wait(TICK_SECONDS):
                return

    def tick(self, now):
        """Send what is due at `now`, in seconds of a monotonic clock."""
        from jobs.models import Pulse

        for name, entry in self.app.conf.beat_schedule.items():
            if now < self.due.get(name, float("-inf")):
                continue
            sent = self.send(entry)
            self.due[name] = now + (entry["schedule"] if sent else RETRY_SECONDS)
            try:
                Pulse.objects.beat(Pulse.Part.BEAT, *([Pulse.Part.BROKER] if sent else []))
            except Error as error:
                logger.warning("The clock cannot reach the database: %s", str(error).strip())
            finally:
                # The pool's processes are forked from this one and must not share a connection.
                connection.close()

    def send(self, entry):
        """Whether the broker took the message; once it does again, also to sweep everything."""
        from jobs.actions import broker_errors

        try:
            if not self.is_connected:
                # Earlier messages of a broker without memory are lost.
                self.app.send_task("jobs.sweep", kwargs={"at_start": True})
            self.app.send_task(entry["task"], **entry.get("options", {}))
        except broker_errors() as error:
            if self.is_connected:
                logger.warning("The broker is away: %s", error)
            self.is_connected = False
            return False
        self.is_connected = True
        return True


class Beat(bootsteps.StartStopStep):
    """Starts the clock once the pool's processes are there: they are forked without it."""

    requires = frozenset({"celery.worker.components:Pool"})

    def start(self, worker):
        self.clock = Clock(worker.app)
        self.clock.start()

    def stop(self, worker):
        self.clock.stopping.set()
