"""People rate through a fault, and a lead asks for an export meanwhile."""

import math
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from bench.killing.people import Load, order_export
from bench.killing.saves import Log
from bench.killing.study import cookie_of
from bench.visitor import Visitor

RECOVERY_SECONDS = 30
JOB_SECONDS = 90
SLUG = "killed"


@dataclass
class Outcome:
    log: Path
    troubles: list[str] = field(default_factory=list)
    acknowledged: int = 0  # while the fault lasted
    refused: int = 0  # answers of 503 with Retry-After
    save_seconds: float | None = None  # from the fault's end to the first save
    job_seconds: float | None = None  # to the end of the export asked for meanwhile

    def findings(self, fault):
        """Sentences about what did not go as the fault allows."""
        if fault.rating_goes_on and not self.acknowledged:
            yield "no rating was acknowledged while the fault lasted"
        if fault.rating_goes_on and self.refused:
            yield f"{self.refused} answers were 503"
        if self.save_seconds is None or self.save_seconds > RECOVERY_SECONDS:
            yield f"the first save came {self.save_seconds} s after the fault's end"
        if self.job_seconds is None or self.job_seconds > JOB_SECONDS:
            yield f"the export came {self.job_seconds} s after the fault's end"


def run(fault, installation, people, *, seconds, think=(0.1, 0.3)):
    """Let people rate through a fault that lasts so long; returns what happened."""
    log = Log(installation.state / "acknowledged.jsonl")
    load = Load("", log, think=think, seed=fault.name)
    expected = sum(desk.size for _, desks in people for desk in desks)
    outcome = Outcome(log.path)
    lead = cookie_of("lena@example.org")
    fault.prepare(installation)
    try:
        load.url = fault.start(installation)
        with ThreadPoolExecutor(len(people) + 1) as pool:
            working = [
                pool.submit(load.annotate, number, *person) for number, person in enumerate(people)
            ]
            while log.acknowledged_count < expected / 3 and not all(w.done() for w in working):
                time.sleep(0.02)
            if not fault.rating_goes_on:
                load.away_until = math.inf
            before = log.acknowledged_count
            fault.begin()
            asking = pool.submit(ask_for_export, load.url, lead)
            time.sleep(seconds)
            outcome.acknowledged = log.acknowledged_count - before
            fault.end()
            end = time.monotonic()
            if not fault.rating_goes_on:
                load.away_until = end + RECOVERY_SECONDS
            asking.result()
            outcome.job_seconds = wait_for_export(end)
    finally:
        load.annotators_are_done.set()
        fault.close()
        log.close()
    later = [at - end for at in load.answered_at if at > end]
    outcome.save_seconds = min(later) if later else None
    outcome.refused = load.waited
    outcome.troubles = [*load.troubles, *outcome.findings(fault)]
    return outcome


def ask_for_export(url, cookie):
    """A lead asks for an export, again and again while the database is away."""
    visitor = Visitor(url)
    visitor.client.cookies.set(*cookie)
    try:
        order_export(visitor, SLUG)
    finally:
        visitor.close()


def wait_for_export(end):
    """Seconds from `end` until no job is left that is not done; None when one is left."""
    from django.db import Error, connection

    from jobs.models import Job

    while time.monotonic() - end < JOB_SECONDS + RECOVERY_SECONDS:
        try:
            if Job.objects.exists() and not Job.objects.exclude(state=Job.State.DONE).exists():
                return time.monotonic() - end
        except Error:
            connection.close()
        time.sleep(0.1)
    return None
